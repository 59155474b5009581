import type { UploadTurn } from './turn.ts';
import type { Work } from './upload.ts';

/** Where files are kept until they are imported, and who does the work: the data folder and a process, or a bucket and a function. */
export interface UploadHouse {
  readonly arrival: WithRequest | ByForm;
  /** Begins a work and does not wait for its end; it releases the turn then. */
  start(turn: UploadTurn, work: Work): Promise<void>;
  /** The lines that the last load rejected; undefined where there are none. */
  readRejected(file: UploadedFile): Promise<RejectedFile | undefined>;
  /** Forgets a file and what was rejected of it. */
  drop(file: UploadedFile): Promise<void>;
}

/** Files come with the request that creates their import. */
export interface WithRequest {
  /** Keeps a file; returns its size in bytes. Throws `payload_too_large`, and whatever the stream throws. */
  receive(file: UploadedFile, bytes: AsyncIterable<Uint8Array>): Promise<number>;
}

/** Files are sent by a form to a place of their own, once their import is created. */
export interface ByForm {
  /** What to send where; `now` in epoch ms. */
  invite(file: UploadedFile, now: number): Promise<Invitation>;
  /** A file that has come; undefined: none has. */
  find(file: UploadedFile): Promise<Arrived | undefined>;
}

/** Where a file is to be sent: a POST of `multipart/form-data` with these fields, then the file as `file`. */
export interface Invitation {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly largest: number; // bytes
  readonly expires: number; // epoch ms
}

/** A file as it has come. */
export interface Arrived {
  readonly size: number; // bytes
  readonly version: string; // changes with the content
}

/** A file of an import. */
export interface UploadedFile {
  readonly site: string;
  readonly id: number;
  readonly name: string;
}

/** Rejected lines as they came, with their reasons where the format has a column for them. */
export interface RejectedFile {
  readonly type: 'text/csv' | 'application/x-ndjson';
  readonly body: string;
}

/** Bytes of a file as it comes, packed or not. */
export const LARGEST_FILE = 4 * 1024 ** 3;
/** The same of a file that functions read: they have 10 GB of disk for it and what is sorted of it, and minutes to read it. */
export const LARGEST_IN_CLOUD = 1024 ** 3;
/** Bytes of rejected lines that can be downloaded: a function answers with 6 MB at most. */
export const LARGEST_REJECTED = 5_000_000;
/** How long a file is kept after its last use, in ms. */
export const KEPT_MS = 7 * 86_400_000;

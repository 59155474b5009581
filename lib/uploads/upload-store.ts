import type { StartRemoval } from './source-removal.ts';
import type { Holders, UploadTurn } from './turn.ts';
import type { Work } from './upload.ts';

/**
 * Keeps files until they are imported, and starts the work on them: a data folder and this process, or a bucket and a
 * function.
 */
export interface UploadStore {
  readonly arrival: WithRequest | ByForm;
  readonly holders?: Holders; // absent: processes cannot be told from each other
  /** Starts a work without waiting for its end. The work releases the turn. */
  start(turn: UploadTurn, work: Work): Promise<void>;
  /** Starts removing all that a source brought, without waiting for its end. */
  readonly removeSource: StartRemoval;
  /** The lines that the last load rejected; undefined if there are none. */
  readRejected(file: UploadedFile): Promise<RejectedFile | undefined>;
  /** Deletes a file and its rejected lines. */
  drop(file: UploadedFile): Promise<void>;
}

/** The file is the body of the request that creates its import. */
interface WithRequest {
  /** Stores a file of at most so many bytes; returns its size. Throws `payload_too_large`, and the errors of the stream. */
  receive(file: UploadedFile, bytes: AsyncIterable<Uint8Array>, largest: number): Promise<number>;
}

/** The file is sent by a form to another address, after its import is created. */
export interface ByForm {
  /** Returns the form; `now` in epoch ms. */
  invite(file: UploadedFile, now: number): Promise<Invitation>;
  /** Finds a file that was sent; undefined if none was. */
  find(file: UploadedFile): Promise<Arrived | undefined>;
}

/** How to send a file: a POST of `multipart/form-data` to `url` with these fields, then the file as `file`. */
export interface Invitation {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly largest: number; // bytes
  readonly expires: number; // epoch ms
}

/** A file that was sent. */
interface Arrived {
  readonly size: number; // bytes
  readonly version: string; // changes with the content
}

/** A file of an import. */
export interface UploadedFile {
  readonly site: string;
  readonly id: number;
  readonly name: string;
}

/** Rejected lines unchanged, with their reasons if the format has a column for them. */
export interface RejectedFile {
  readonly type: 'text/csv' | 'application/x-ndjson';
  readonly body: string;
}

/** Largest size of a file in bytes, as sent (packed or not). */
export const LARGEST_FILE = 4 * 1024 ** 3;
/** The same in the cloud: a function has 10 GB of disk for the file and its sorted parts, and minutes to read it. */
export const LARGEST_IN_CLOUD = 1024 ** 3;
/** Largest download of rejected lines, in bytes: a function can answer with 6 MB. */
export const LARGEST_REJECTED = 5_000_000;
/** Time for which a file is kept after its last use, in ms. */
export const KEPT_MS = 7 * 86_400_000;

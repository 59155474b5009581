import type { Turn } from './turn.ts';
import type { Work } from './upload.ts';

/** Where files are kept until they are imported, and who does the work: the data folder and a process, or a bucket and a function. */
export interface UploadHouse {
  /** Keeps a file; returns its size in bytes. Throws `payload_too_large`, and whatever the stream throws. */
  receive(file: UploadedFile, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Begins a work and does not wait for it; it gives the turn back at its end. */
  start(turn: Turn, work: Work): void;
  /** The lines that the last load rejected; undefined where there are none. */
  readRejected(file: UploadedFile): Promise<Rejected | undefined>;
  /** Forgets a file and what was rejected of it. */
  drop(file: UploadedFile): Promise<void>;
}

/** A file of an import. */
export interface UploadedFile {
  readonly site: string;
  readonly id: number;
  readonly name: string;
}

/** Rejected lines as they came, with their reasons where the format has a column for them. */
export interface Rejected {
  readonly type: 'text/csv' | 'application/x-ndjson';
  readonly body: string;
}

/** Bytes of a file as it comes, packed or not. */
export const LARGEST_FILE = 4 * 1024 ** 3;
/** Bytes of rejected lines that can be downloaded: a function answers with 6 MB at most. */
export const LARGEST_REJECTED = 5_000_000;
/** How long a file is kept after its last use, in ms. */
export const KEPT_MS = 7 * 86_400_000;

/** A folder or bucket that holds a warehouse. Paths are relative and have `/`. */
export interface WarehousePlace {
  readonly address: string; // absolute, for people and SQL: a folder, or `s3://bucket/prefix`
  readonly isBucket: boolean;
  /** Returns a text; undefined if there is none. */
  read(path: string): Promise<string | undefined>;
  /** Returns what a file has; undefined if there is none. */
  bytes(path: string): Promise<Uint8Array | undefined>;
  /** Puts a file, whole or not at all, in the place of an older one. */
  put(path: string, file: string): Promise<void>;
  /** Puts a text in the same way. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** The paths in a folder and the folders within. */
  list(folder: string): Promise<readonly string[]>;
  /** A new folder on this machine for files until they are put; removed by `close`. */
  scratch(): Promise<string>;
  close(): Promise<void>;
}

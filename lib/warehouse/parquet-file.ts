import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { type ColumnValues, schemaOf, sourcesOf, type TableColumn } from './columns.ts';

/** A Parquet file that is being written, some rows at a time. */
export interface ParquetFile {
  /** Appends rows as a row group. */
  write(values: ColumnValues): void;
  finish(): void;
}

/** Rows of a row group: readers skip whole groups by the smallest and largest value of a column. */
export const GROUP_ROWS = 65_536;

/** Creates a Parquet file on the disk, compressed by Snappy. */
export function createParquetFile(path: string, columns: readonly TableColumn[]): ParquetFile {
  const parquet = new ParquetWriter({ writer: fileWriter(path), schema: schemaOf(columns) });
  return {
    write(values) {
      void parquet.write({ columnData: sourcesOf(columns, values), rowGroupSize: GROUP_ROWS });
    },
    finish: () => void parquet.finish(),
  };
}

/** The SHA-256 of a file's bytes. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest('hex');
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { type ColumnValues, type FileSection, schemaOf, sourcesOf, type TableColumn } from './columns.ts';

/** A Parquet file that is being written, some rows at a time. */
export interface ParquetFile {
  /** Appends rows as a row group. */
  write(values: ColumnValues): void;
  /** Returns the bytes of each column, in the order of the table. */
  finish(): readonly number[];
}

/** Rows of a row group: readers skip whole groups by the smallest and largest value of a column. */
export const GROUP_ROWS = 65_536;

const LONGEST_KIND = 64; // bytes of the smallest and largest text that the metadata keep whole

/** Creates a Parquet file on the disk, compressed by Snappy. */
export function createParquetFile(path: string, columns: readonly TableColumn[]): ParquetFile {
  const parquet = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaOf(columns),
    statisticsTruncateLength: LONGEST_KIND,
  });
  return {
    write(values) {
      void parquet.write({ columnData: sourcesOf(columns, values), rowGroupSize: GROUP_ROWS });
    },
    finish() {
      void parquet.finish();
      const sizes = new Map(columns.map(({ name }) => [name, 0]));
      for (const { meta_data: data } of parquet.row_groups.flatMap((group) => group.columns)) {
        const name = data?.path_in_schema[0] ?? '';
        sizes.set(name, (sizes.get(name) ?? 0) + Number(data?.total_compressed_size ?? 0));
      }
      return [...sizes.values()];
    },
  };
}

/** Writes the file of a site's rows; no row group has rows of two sections. Returns the bytes of each column. */
export function writeSections(
  path: string,
  columns: readonly TableColumn[],
  sections: readonly FileSection[],
  site: string,
): readonly number[] {
  const file = createParquetFile(path, columns);
  for (const { rows, values } of sections)
    for (let from = 0; from < rows; from += GROUP_ROWS)
      file.write(values(site, from, Math.min(rows, from + GROUP_ROWS)));
  return file.finish();
}

/** The SHA-256 of a file's bytes. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest('hex');
}

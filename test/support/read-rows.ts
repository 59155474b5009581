import type { GroupBounds } from '../../lib/history/formats/case-groups.ts';
import { readMapped } from '../../lib/history/formats/mapped.ts';
import { parseMapping } from '../../lib/history/formats/parse-mapping.ts';
import type { Row } from '../../lib/history/formats/row.ts';
import type { HistoryRecord } from '../../lib/history/records.ts';

export async function* bytesOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** All rows of a CSV by a mapping given as plain data. */
export async function readCsvRows(
  csv: string | AsyncIterable<Uint8Array>,
  mapping: unknown,
  bounds?: GroupBounds,
): Promise<Row[]> {
  const bytes = typeof csv === 'string' ? bytesOf(csv) : csv;
  const rows: Row[] = [];
  for await (const batch of readMapped(bytes, parseMapping(JSON.stringify(mapping), 'map.json'), bounds).batches) {
    rows.push(...batch);
  }
  return rows;
}

export function recordsOf(rows: readonly Row[]): HistoryRecord[] {
  return rows.flatMap((row) => ('records' in row ? row.records : []));
}

/** Line and reason of the rejected rows, in the order of the file. */
export function rejectionsOf(rows: readonly Row[]): [line: number, reason: string][] {
  const rejected = rows.flatMap((row): [number, string][] => ('reason' in row ? [[row.line, row.reason]] : []));
  return rejected.sort((a, b) => a[0] - b[0]);
}

import { tmpdir } from 'node:os';
import { type Findings, newFindings } from '../../../lib/import/formats/findings.ts';
import { newLineNumbers } from '../../../lib/import/formats/line-numbers.ts';
import { type Batch, type Row, rowsIn } from '../../../lib/import/formats/row.ts';
import { type MappedOptions, type MappedRows, readMapped } from '../../../lib/import/mapping/mapped.ts';
import type { Mapping } from '../../../lib/import/mapping/mapping.ts';
import { parseMapping } from '../../../lib/import/mapping/parse-mapping.ts';
import type { HistoryRecord } from '../../../lib/import/records/records.ts';
import type { SpillBounds } from '../../../lib/import/spill/spill.ts';

export async function* bytesOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** Reads the bytes of a CSV with a mapping. */
export const readMappedBytes = (
  bytes: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  options: Partial<MappedOptions> = {},
): MappedRows =>
  readMapped([{ path: 'rows.csv', mapping }], {
    open: async () => ({ bytes }),
    folder: tmpdir(),
    lineNumbers: newLineNumbers(),
    findings: newFindings(),
    ...options,
  });

/** Reads all rows of a CSV with a mapping that is plain data. */
export async function readCsvRows(
  csv: string | AsyncIterable<Uint8Array>,
  mapping: unknown,
  bounds?: SpillBounds,
  findings: Findings = newFindings(),
): Promise<Row[]> {
  const bytes = typeof csv === 'string' ? bytesOf(csv) : csv;
  const { batches } = readMappedBytes(bytes, parseMapping(JSON.stringify(mapping), 'map.json'), {
    findings,
    ...(bounds === undefined ? {} : { bounds }),
  });
  return rowsOf(batches);
}

export async function rowsOf(batches: AsyncIterable<Batch>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) rows.push(...rowsIn(batch));
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

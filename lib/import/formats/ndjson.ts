import { parseLine } from '../records/records.ts';
import { MAX_LINE, readLines } from './lines.ts';
import { type Raw, type Row, toRow } from './row.ts';

/** Reads NDJSON: one record a line, blank lines skipped. Gives a batch of rows per block read, in the file's order. */
export async function* readNdjson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Row[]> {
  for await (const { first, lines } of readLines(bytes)) {
    const rows: Row[] = [];
    for (const [place, raw] of lines.entries()) {
      const row = readRow(first + place, raw);
      if (row !== undefined) rows.push(row);
    }
    if (rows.length > 0) yield rows;
  }
}

function readRow(line: number, raw: Raw): Row | undefined {
  if (typeof raw !== 'string') return { line, raw, reason: unreadable(raw) };
  if (raw.trim() === '') return undefined;
  const row = toRow(line, raw, () => [parseLine(raw)]);
  return 'reason' in row ? { ...row, ...caseIn(raw) } : row;
}

/** The case that a rejected line names all the same. */
function caseIn(raw: string): { readonly case?: string } {
  try {
    const { case: key }: { readonly case?: unknown } = Object(JSON.parse(raw));
    return typeof key === 'string' || typeof key === 'number' ? { case: String(key) } : {};
  } catch {
    return {};
  }
}

/** Why a line came as bytes; `further` is said of its encoding. */
export function unreadable(raw: Uint8Array, further = ''): string {
  return raw.length > MAX_LINE
    ? `the line is longer than ${MAX_LINE} bytes; only its beginning is kept`
    : `the line is not UTF-8${further}`;
}

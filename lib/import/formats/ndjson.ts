import { isJsonObject, parsedJson } from '../../json.ts';
import { parseLine } from '../records/records.ts';
import { MAX_LINE, readLines } from './lines.ts';
import { type Raw, type Row, toRow } from './row.ts';

/** Reads NDJSON: one record on each line, blank lines skipped. Yields the rows in the file's order, block by block. */
export async function* readNdjson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Row[]> {
  for await (const { first, lines } of readLines(bytes)) {
    const rows: Row[] = [];
    for (const [index, raw] of lines.entries()) {
      const row = readRow(first + index, raw);
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

/** Returns the case of a rejected line, if the line names one. */
function caseIn(raw: string): { readonly case?: string } {
  const value = parsedJson(raw);
  const key = isJsonObject(value) ? value.case : undefined;
  return typeof key === 'string' || typeof key === 'number' ? { case: String(key) } : {};
}

/** Returns why a line could not be read as text; `further` is appended if it is not UTF-8. */
export function unreadable(raw: Uint8Array, further = ''): string {
  return raw.length > MAX_LINE
    ? `the line is longer than ${MAX_LINE} bytes; only its beginning is kept`
    : `the line is not UTF-8${further}`;
}

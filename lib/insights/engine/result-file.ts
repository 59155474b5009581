import type { ResultRow } from '../sql/found.ts';

/** The rows of the file that Athena writes: a line of names, then values in double quotes; one without quotes is none. */
export function* resultRows(text: string): Generator<ResultRow> {
  const value = /(?:"((?:[^"]|"")*)")?([,\n]|$)/y;
  let cells: (string | null)[] = [];
  let isHead = true;
  while (value.lastIndex < text.length) {
    const at = value.lastIndex;
    const found = value.exec(text);
    if (found === null) throw new Error(`a result that is not read, at ${at}`);
    const [, quoted, end] = found;
    cells.push(quoted?.replaceAll('""', '"') ?? null);
    if (end === ',') continue;
    if (!isHead) yield rowOf(cells);
    isHead = false;
    cells = [];
  }
}

function rowOf([tag = null, window = null, one = null, two = null, ...numbers]: readonly (string | null)[]): ResultRow {
  if (tag === null || window === null) throw new Error('a row of no part or window');
  return [Number(tag), Number(window), one, two, ...numbers.map((each) => (each === null ? null : Number(each)))];
}

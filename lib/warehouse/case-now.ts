import { textWithWholes } from './columns.ts';
import { CASE_NOW } from './tables.ts';

/** What columns of CASE_NOW have of a case, as the Parquet writer takes them. */
type CaseValues = Readonly<Record<string, unknown>>;

/** A case as it is now. Its values are read where they are written, as those of all cases of a month take much memory. */
export interface CaseNow {
  readonly key: string;
  readonly second: number; // s, the first second of the case
  readonly row: number; // in its segment
  readonly read: (row: number) => CaseValues;
}

/** The same text for cases that are the same. */
export const textOfCase = ({ key, second, row, read }: CaseNow): string => textWithWholes([key, second, read(row)]);

const EMPTY: readonly never[] = [];

/** What rows have that belong to no case. */
const NO_CASE = Object.fromEntries(
  CASE_NOW.map(({ name, type }) => [name, type === 'ids' || type === 'resolves' || type === 'texts' ? EMPTY : null]),
);

/** The columns of CASE_NOW of rows; `undefined` for a row of no case. Rows of a case stand together. */
export function caseColumns(all: readonly (CaseNow | undefined)[]): Record<string, unknown[]> {
  let values: CaseValues = NO_CASE;
  const rows = all.map((one, at) => {
    if (at === 0 || one !== all[at - 1]) values = one === undefined ? NO_CASE : one.read(one.row);
    return values;
  });
  return Object.fromEntries(CASE_NOW.map(({ name }) => [name, rows.map((row) => row[name])]));
}

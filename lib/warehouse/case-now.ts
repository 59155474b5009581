import { CASE_NOW } from './tables.ts';

/** A case as it is now. */
export interface CaseNow {
  readonly key: string;
  readonly second: number; // s, the first second of the case
  readonly values: Readonly<Record<string, unknown>>; // of the columns of CASE_NOW, as the Parquet writer takes them
  readonly text: string; // the same for cases that are the same
}

const EMPTY: readonly never[] = [];

/** What rows have that belong to no case. */
const NO_CASE = Object.fromEntries(
  CASE_NOW.map(({ name, type }) => [name, type === 'ids' || type === 'resolves' || type === 'texts' ? EMPTY : null]),
);

/** The columns of CASE_NOW of rows; `undefined` for a row of no case. */
export const caseColumns = (all: readonly (CaseNow | undefined)[]): Record<string, unknown[]> =>
  Object.fromEntries(CASE_NOW.map(({ name }) => [name, all.map((one) => (one?.values ?? NO_CASE)[name])]));

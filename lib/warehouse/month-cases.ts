import { createHash } from 'node:crypto';
import { figureColumns } from './case-figures.ts';
import { type CaseNow, caseColumns } from './case-now.ts';
import type { ColumnValues, FileRows } from './columns.ts';
import { comparePlaces } from './month-facts.ts';

/** A row of `cases`. */
interface FileCase {
  readonly now: CaseNow;
  readonly figures: Float64Array; // as in CASE_FIGURES
}

/** The cases whose first second is in a month. */
export interface MonthCases {
  add(one: FileCase): void;
  /** Returns the cases in the order of a file; call it once. */
  finish(): FileRows;
}

export function createMonthCases(): MonthCases {
  const all: FileCase[] = [];
  return {
    add: (one) => void all.push(one),
    finish() {
      all.sort((a, b) => comparePlaces(a.now, b.now));
      const hash = createHash('sha256');
      for (const { figures, now } of all) hash.update(now.text).update(figures);
      const values = (site: string, from: number, to: number) => valuesOf(site, all.slice(from, to));
      return { digest: hash.digest('hex'), sections: [{ rows: all.length, values }] };
    },
  };
}

const valuesOf = (site: string, all: readonly FileCase[]): ColumnValues => ({
  site: all.map(() => site),
  case_id: all.map(({ now }) => now.key),
  starts_at: all.map(({ now }) => BigInt(now.second * 1_000_000)),
  ...caseColumns(all.map(({ now }) => now)),
  ...figureColumns(all.map(({ figures }) => figures)),
});

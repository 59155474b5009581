import { createHash } from 'node:crypto';
import { certain } from '../certain.ts';
import { figureColumns, NO_FIGURES } from './case-figures.ts';
import { type CaseNow, caseColumns, textOfCase } from './case-now.ts';
import type { ColumnValues, FileRows } from './columns.ts';
import { comparePlaces } from './month-facts.ts';
import { createNumberRows } from './number-rows.ts';

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
  const all: CaseNow[] = [];
  const rows = createNumberRows(NO_FIGURES.length);
  return {
    add({ now, figures }) {
      all.push(now);
      rows.add(figures);
    },
    finish() {
      const order = Int32Array.from(all.keys()).sort((a, b) => comparePlaces(certain(all[a]), certain(all[b])));
      const some = (from: number, to: number) => ({
        cases: Array.from(order.subarray(from, to), (row) => certain(all[row])),
        figures: rows.gather(order.subarray(from, to)),
      });
      const hash = createHash('sha256');
      for (const row of order) hash.update(textOfCase(certain(all[row]))).update(rows.gather(Int32Array.of(row)));
      const values = (site: string, from: number, to: number): ColumnValues => {
        const { cases, figures } = some(from, to);
        return {
          site: cases.map(() => site),
          case_id: cases.map(({ key }) => key),
          starts_at: cases.map(({ second }) => BigInt(second * 1_000_000)),
          ...caseColumns(cases),
          ...figureColumns(figures),
        };
      };
      return { digest: hash.digest('hex'), sections: [{ rows: all.length, values }] };
    },
  };
}

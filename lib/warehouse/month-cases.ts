import { createHash } from 'node:crypto';
import { figureColumns } from './case-figures.ts';
import type { ColumnValues, FileRows } from './columns.ts';

/** A case as it is now. */
export interface CaseValues {
  readonly key: string;
  readonly second: number; // s, the first second of the case
  readonly status: string;
  readonly single: Readonly<Record<string, number | null>>; // by column
  readonly labels: readonly number[];
  readonly macros: readonly (readonly [macro: number, resolve: number])[];
  readonly customFields: readonly (readonly [field: number, value: string])[];
  readonly figures: Float64Array; // as in CASE_FIGURES
}

/** The cases whose first second is in a month. */
export interface MonthCases {
  add(one: CaseValues): void;
  /** Returns the cases in the order of a file; call it once. */
  finish(): FileRows;
}

export function createMonthCases(): MonthCases {
  const all: CaseValues[] = [];
  return {
    add: (one) => void all.push(one),
    finish() {
      all.sort((a, b) => a.second - b.second || (a.key < b.key ? -1 : 1));
      const hash = createHash('sha256');
      for (const { figures, ...rest } of all) hash.update(JSON.stringify(rest)).update(figures);
      return {
        rows: all.length,
        digest: hash.digest('hex'),
        values: (site, from, to) => valuesOf(site, all.slice(from, to)),
      };
    },
  };
}

function valuesOf(site: string, all: readonly CaseValues[]): ColumnValues {
  const names = Object.keys(all[0]?.single ?? {});
  return {
    site: all.map(() => site),
    case_id: all.map(({ key }) => key),
    starts_at: all.map(({ second }) => BigInt(second * 1_000_000)),
    status: all.map(({ status }) => status),
    ...Object.fromEntries(names.map((name) => [name, all.map(({ single }) => orNull(single[name]))])),
    labels: all.map(({ labels }) => labels.map(BigInt)),
    macros: all.map(({ macros }) => macros.map(([macro, resolve]) => [BigInt(macro), BigInt(resolve)])),
    custom_fields: all.map(({ customFields }) => customFields.map(([field, value]) => [BigInt(field), value])),
    ...figureColumns(all.map(({ figures }) => figures)),
  };
}

const orNull = (value: number | null | undefined): bigint | null =>
  value === null || value === undefined ? null : BigInt(value);

import type { FactRow } from './month-facts.ts';
import { MEASURES_OF } from './month-facts.ts';
import { CASE_FIGURES, type CaseFigure, isInstant, ROW_KINDS } from './tables.ts';

const NAMES = Object.keys(CASE_FIGURES);

/** What facts of a kind change in the figures of their case. */
interface Change {
  readonly figure: number;
  readonly take: CaseFigure['take'];
  readonly measure: number; // index in MEASURES_OF of the kind; −1: none
  readonly at: boolean; // takes the instant
}

/** The changes by facts of each kind. */
const CHANGES: readonly (readonly Change[])[] = ROW_KINDS.map((kind, index) =>
  Object.values<CaseFigure>(CASE_FIGURES).flatMap((figure, at): Change[] => {
    const base = { figure: at, take: figure.take, at: isInstant(figure) };
    if ('kind' in figure) return figure.kind === kind ? [{ ...base, measure: -1 }] : [];
    const measure = (MEASURES_OF[index] ?? []).indexOf(figure.measure);
    return measure < 0 ? [] : [{ ...base, measure }];
  }),
);

/** The figures of a case without facts: 0 for sums and counts, NaN for the rest. */
export const NO_FIGURES = Float64Array.from(Object.values<CaseFigure>(CASE_FIGURES), ({ take }) =>
  take === 'first' || take === 'last' ? Number.NaN : 0,
);

export const newFigures = (): Float64Array => NO_FIGURES.slice();

/** Adds a fact to the figures of its case; the facts of each kind come in order. */
export function eachFigure(
  figures: Float64Array,
  row: Readonly<FactRow>,
  measures: readonly (Float64Array | undefined)[],
  fact: number,
): void {
  for (const { figure, take, measure, at } of CHANGES[row.kind]!) {
    const counted = measure < 0 ? (take === 'seconds' ? row.value : 1) : (measures[measure]?.[fact] ?? Number.NaN);
    if (Number.isNaN(counted)) continue;
    const value = at ? row.at : counted;
    if (take === 'first') figures[figure] = Number.isNaN(figures[figure]!) ? value : figures[figure]!;
    else if (take === 'last') figures[figure] = value;
    else figures[figure]! += take === 'count' ? 1 : counted;
  }
}

/** Figures of cases, one case after the other, as values of the columns. */
export function figureColumns(all: Float64Array): Record<string, (bigint | null)[]> {
  const instants = Object.values<CaseFigure>(CASE_FIGURES).map(isInstant);
  const width = NAMES.length;
  return Object.fromEntries(
    NAMES.map((name, figure) => [
      name,
      Array.from({ length: all.length / width }, (_, row) => {
        const value = all[row * width + figure]!;
        return Number.isNaN(value) ? null : BigInt(instants[figure] ? value * 1_000_000 : value);
      }),
    ]),
  );
}

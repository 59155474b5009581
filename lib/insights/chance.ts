import type { Percent } from './definitions/durations.ts';
import { type CellNumbers, type Field, type FieldName, fieldNamed, fieldValues, sumAt } from './definitions/fields.ts';
import { NOTHING } from './json-bytes.ts';
import { percentile, sampleIn } from './percentiles.ts';
import { isNullIn } from './plan.ts';
import { type ComputedTable, numbersIn, tableRows } from './table-rows.ts';
import { cutWindows } from './windows.ts';

/** Whether chance alone would give the difference between two cells; null where no rule says, or a number is missing. */
type ChanceTest = (cell: number, before: number) => boolean | null;

/**
 * For each row of a table, in its order, and each field, whether the number differs from that of the same members in the
 * n-th window of the other table by no more than chance gives (docs/insights.md).
 */
export function chanceRows(now: ComputedTable, before: ComputedTable): (boolean | null)[][] {
  const { request } = now.plan;
  const tests = request.fields.map((name) => (isNullIn(request, name) ? undefined : chanceTest(name, now, before)));
  const cellBefore = cellsByPlace(before);
  const place = placeOf(now);
  const rows: (boolean | null)[][] = [];
  tableRows(now).each((cell, window) => {
    const other = cellBefore.get(place(cell, window)) ?? -1;
    rows.push(tests.map((test) => test?.(cell, other) ?? null));
  });
  return rows;
}

function cellsByPlace(table: ComputedTable): ReadonlyMap<string, number> {
  const place = placeOf(table);
  return new Map(Array.from(table.result.windows, (window, cell) => [place(cell, window), cell]));
}

/** Returns a function that names the place of a cell: its members, and how many windows of the request lie before its own. */
function placeOf({ plan: { request, windows }, result: { members, first, second } }: ComputedTable) {
  const { zone, size, weekStart, min } = request.time;
  const begins = windows.starts[0] ?? min; // the windows before the first fact are not cut
  const isLater = size !== 'none' && begins > min;
  const before = isLater ? cutWindows(zone, size, weekStart, { min, max: begins }).starts.length : 0;
  return (cell: number, window: number): string =>
    JSON.stringify([
      before + window,
      ...(cell < 0 ? [null, null] : [members[0][first[cell] ?? 0], members[1][second[cell] ?? 0]]),
    ]);
}

function chanceTest(name: FieldName, now: ComputedTable, before: ComputedTable): ChanceTest {
  const [one, other] = [numbersIn(now.result), numbersIn(before.result)];
  const [values, earlier] = [fieldValues(name, one), fieldValues(name, other)];
  const decide = ruleOf(fieldNamed(name), one, other);
  const isTotal = 'total' in fieldNamed(name);
  const at = (numbers: Float64Array, cell: number): number => numbers[cell] ?? (isTotal ? 0 : NOTHING); // −1: no facts
  return (cell, otherCell) => {
    const [value, valueBefore] = [at(values, cell), at(earlier, otherCell)];
    if (value === NOTHING || valueBefore === NOTHING) return null;
    return decide({ cell, value }, { cell: otherCell, value: valueBefore });
  };
}

interface CellValue {
  readonly cell: number;
  readonly value: number;
}

type Rule = (now: CellValue, before: CellValue) => boolean | null;

const NO_RULE: Rule = () => null;

/** The rule by which chance is told for a field. */
function ruleOf(field: Field, now: CellNumbers, before: CellNumbers): Rule {
  if ('total' in field)
    return field.unit === 'seconds' ? NO_RULE : (one, other) => countsByChance(one.value, other.value);
  if ('sample' in field) {
    const [sorted, sortedBefore] = [now.sortedOf(field.sample), before.sortedOf(field.sample)];
    return (one, other) =>
      percentilesByChance(field.percent, sampleIn(sorted, one.cell), sampleIn(sortedBefore, other.cell));
  }
  const { squares } = field;
  const partsOf = ({ sumsOf }: CellNumbers) => {
    const [sums, counts] = [field.of.map(sumsOf), field.per.map(sumsOf)];
    return ({ cell }: CellValue): Part => ({ sum: sumAt(sums, cell), count: sumAt(counts, cell) });
  };
  const [parts, partsBefore] = [partsOf(now), partsOf(before)];
  if (field.times === 100) return (one, other) => ratesByChance(parts(one), partsBefore(other));
  if (squares === undefined) return NO_RULE;
  return (one, other) =>
    meansByChance(
      { ...parts(one), squares: now.sumsOf(squares)[one.cell] ?? 0 },
      { ...partsBefore(other), squares: before.sumsOf(squares)[other.cell] ?? 0 },
    );
}

const NORMAL_95 = 1.96; // standard deviations around the mean that have 95 % of a normal distribution

/** Counts: two standard deviations of what Poisson says of both. */
export const countsByChance = (now: number, before: number): boolean =>
  Math.abs(now - before) <= 2 * Math.sqrt(now + before);

interface Part {
  readonly sum: number;
  readonly count: number; // above 0
}

/** Rates: two proportions at 95 %, pooled. */
export function ratesByChance(now: Part, before: Part): boolean {
  const pooled = (now.sum + before.sum) / (now.count + before.count);
  const variance = Math.max(0, pooled * (1 - pooled)) * (1 / now.count + 1 / before.count);
  return Math.abs(now.sum / now.count - before.sum / before.count) <= NORMAL_95 * Math.sqrt(variance);
}

/** Means: their difference in standard errors of both samples (Welch) at 95 %; a single value says nothing. */
export function meansByChance(
  now: Part & { readonly squares: number },
  before: Part & { readonly squares: number },
): boolean {
  if (now.count < 2 || before.count < 2) return true;
  const error = ({ sum, count, squares }: typeof now): number =>
    Math.max(0, (squares - sum ** 2 / count) / (count - 1)) / count;
  return Math.abs(now.sum / now.count - before.sum / before.count) <= NORMAL_95 * Math.sqrt(error(now) + error(before));
}

/**
 * Percentiles: each lies within the middle 95 % of ranks of the other's sorted sample, by the binomial distribution. The
 * smallest and the largest value have no such ranks.
 */
export function percentilesByChance(percent: Percent, now: Float64Array, before: Float64Array): boolean | null {
  if (percent === 0 || percent === 100) return null;
  return (
    isAmongRanks(percent, now, percentile(before, percent)) || isAmongRanks(percent, before, percentile(now, percent))
  );
}

/** Whether a value lies between the ranks that hold a percentile of the population in 95 of 100 samples like this one. */
function isAmongRanks(percent: number, sorted: Float64Array, value: number): boolean {
  const count = sorted.length;
  const lower = sorted[rankBelow(count, percent / 100) - 1]; // none: even the smallest value is too likely above it
  const upper = sorted[count - rankBelow(count, 1 - percent / 100)];
  return (lower === undefined || value >= lower) && (upper === undefined || value <= upper);
}

const TAIL = 0.025;
const MANY = 500; // values from which on the normal distribution stands for the binomial

/** The largest rank below which the share of a population lies with a probability of 2.5 % at most; 0 for none. */
function rankBelow(count: number, share: number): number {
  if (count > MANY) return Math.max(0, Math.floor(count * share - NORMAL_95 * Math.sqrt(count * share * (1 - share))));
  let log = count * Math.log(1 - share); // of the probability of `rank` values below; the number itself may be too small
  let below = 0;
  for (let rank = 0; rank < count; rank += 1) {
    below += Math.exp(log);
    if (below > TAIL) return rank;
    log += Math.log(((count - rank) / (rank + 1)) * (share / (1 - share)));
  }
  return count;
}

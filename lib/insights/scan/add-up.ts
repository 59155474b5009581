import { DURATIONS, type DurationName } from '../definitions/durations.ts';
import type { CountedMeasure, Counts, Facts } from '../definitions/measure.ts';
import { definitionOf, type Measure } from '../definitions/measures.ts';
import { totalCell } from './cells.ts';
import type { Hits } from './hits.ts';
import { addSample, addToCase, roomForSamples, type Samples } from './samples.ts';
import type { Tally } from './tally.ts';
import { type LocatedHits, locatedIn, type SegmentView } from './view.ts';

/** Measures and samples of the same facts, which are located once for all of them. */
export interface FactGroup {
  readonly name: string;
  readonly facts: Facts;
  readonly sums: Readonly<Record<Counts, readonly (readonly [Measure, CountedMeasure])[]>>;
  readonly samples: Readonly<Record<Counts, readonly (readonly [DurationName, CountedMeasure])[]>>;
}

const isCounted = (measure: Measure): boolean => 'facts' in definitionOf(measure);

const countedAs = (measure: Measure): CountedMeasure => {
  const definition = definitionOf(measure);
  if ('own' in definition) throw new Error(`${measure} has a walk of its own`);
  return definition;
};

const nameOf = (facts: Facts): string =>
  'late' in facts ? `late ${facts.late}` : [...facts.kinds, facts.only?.name].join(' ');

/** Groups what a report adds up by the facts that it is added up from. */
export function factGroups(measures: ReadonlySet<Measure>, durations: ReadonlySet<DurationName>): FactGroup[] {
  const counted = [...measures].filter(isCounted).map((measure) => [measure, countedAs(measure)] as const);
  // The sample of a duration has its seconds once for all that its count counts.
  const kept = [...durations].map((name) => {
    const { seconds, count } = DURATIONS[name];
    return [name, { ...countedAs(seconds), counts: countedAs(count).counts }] as const;
  });
  const facts = new Map([...counted, ...kept].map(([, measure]) => [nameOf(measure.facts), measure.facts]));
  const byCounts = <T>(list: readonly (readonly [T, CountedMeasure])[], name: string) => {
    const of = (counts: Counts) => list.filter(([, one]) => one.counts === counts && nameOf(one.facts) === name);
    return { each: of('each'), last: of('last'), once: of('once') };
  };
  return [...facts].map(([name, facts]) => ({
    name,
    facts,
    sums: byCounts(counted, name),
    samples: byCounts(kept, name),
  }));
}

/** The number of groups of which a tally must remember the last case in each cell. */
export const remembering = (groups: readonly FactGroup[]): string[] =>
  groups
    .filter(({ sums, samples }) => sums.once.length + sums.last.length + samples.last.length > 0)
    .map(({ name }) => name);

/** Adds the facts of a segment to the sums and samples of a group. */
export function addGroup(view: SegmentView, { name, facts, sums, samples }: FactGroup, tally: Tally): void {
  for (const kinds of locatedIn(view, facts)) {
    for (const located of kinds) {
      addAll(view, located, { hits: located.hits, sums: sums.each, samples: samples.each }, tally);
      if (sums.last.length + samples.last.length > 0) {
        for (const hits of withTotals(view, located.hits)) {
          const deciding = lastOfCases(view, hits, tally.lastCase(name));
          addAll(view, located, { hits: deciding, sums: sums.last, samples: samples.last }, tally);
        }
      }
      for (const [duration, { adds }] of samples.once) {
        const valueAt = adds === 1 ? one : adds(view, located);
        for (const hits of withTotals(view, located.hits)) keepByCase(view, hits, valueAt, tally.samples(duration));
      }
    }
    for (const [measure] of sums.once) {
      const own = kinds.map(({ hits }) => hits);
      for (const hits of view.context.cells.total ? [own, own.map((each) => inTotal(view, each))] : [own]) {
        countOnce(view.caseNumber, hits, tally.lastCase(name), tally.sums(measure));
      }
    }
  }
}

/** Located facts that count, with the measures and samples that they are added to. */
interface Addition {
  readonly hits: CountedHits;
  readonly sums: FactGroup['sums'][Counts];
  readonly samples: FactGroup['samples'][Counts];
}

type CountedHits = Pick<Hits, 'cells' | 'items' | 'entries' | 'count'>;

function addAll(view: SegmentView, located: LocatedHits, { hits, sums, samples }: Addition, tally: Tally): void {
  if (hits.count === 0) return;
  for (const [measure, { adds }] of sums) {
    if (adds === 1) countEach(hits, tally.sums(measure));
    else addEach(hits, adds(view, located), tally.sums(measure));
  }
  for (const [duration, { adds }] of samples) {
    keepEach(hits, adds === 1 ? one : adds(view, located), tally.samples(duration));
  }
}

const one = (): number => 1;

function countEach({ cells, count }: CountedHits, sums: Float64Array): void {
  for (let k = 0; k < count; k += 1) sums[cells[k]!]! += 1;
}

type ValueAt = (fact: number, entry: number) => number;

function addEach({ cells, items, entries, count }: CountedHits, valueAt: ValueAt, sums: Float64Array): void {
  for (let k = 0; k < count; k += 1) {
    const value = valueAt(items[k]!, entries[k]!);
    if (value > 0) sums[cells[k]!]! += value;
  }
}

function keepEach({ cells, items, entries, count }: CountedHits, valueAt: ValueAt, samples: Samples): void {
  roomForSamples(samples, count);
  for (let k = 0; k < count; k += 1) {
    const value = valueAt(items[k]!, entries[k]!);
    if (value >= 0) addSample(samples, cells[k]!, value);
  }
}

/** Keeps one value for each case in each cell: the sum of its facts there. */
function keepByCase({ caseNumber }: SegmentView, hits: Hits, valueAt: ValueAt, samples: Samples): void {
  const { cells, items, entries, rows, count } = hits;
  roomForSamples(samples, count);
  for (let k = 0; k < count; k += 1) {
    const item = items[k]!;
    addToCase(samples, cells[k]!, caseNumber + rows[item]!, valueAt(item, entries[k]!));
  }
}

/**
 * Counts each case once in each cell in which it has facts of any of several kinds. `last` has, by cell, the number of
 * the case counted last; the kinds are walked together, row by row, so that cases come one after another.
 */
function countOnce(caseNumber: number, kinds: readonly Hits[], last: Int32Array, sums: Float64Array): void {
  const at = kinds.map(() => 0);
  for (;;) {
    let row = NO_ROW;
    for (let kind = 0; kind < kinds.length; kind += 1) row = Math.min(row, rowAt(kinds[kind]!, at[kind]!));
    if (row === NO_ROW) return;
    const number = caseNumber + row;
    for (let kind = 0; kind < kinds.length; kind += 1) {
      const hits = kinds[kind]!;
      const { cells } = hits;
      let k = at[kind]!;
      for (; rowAt(hits, k) === row; k += 1) {
        const cell = cells[k]!;
        sums[cell]! += last[cell] === number ? 0 : 1;
        last[cell] = number;
      }
      at[kind] = k;
    }
  }
}

const NO_ROW = 2 ** 31 - 1;

const rowAt = ({ rows, items, count }: Hits, k: number): number => (k < count ? rows[items[k]!]! : NO_ROW);

/** Returns the hits of the last fact of each case in each cell, found by walking from the end. */
export function lastOfCases({ caseNumber, byMacro }: SegmentView, hits: Hits, last: Int32Array): CountedHits {
  const { cells, items, entries, rows, count } = hits;
  const found = {
    count: 0,
    cells: new Int32Array(count),
    items: new Int32Array(count),
    entries: byMacro ? new Int32Array(count) : entries,
  };
  let at = 0;
  for (let k = count - 1; k >= 0; k -= 1) {
    const cell = cells[k]!;
    const item = items[k]!;
    const number = caseNumber + rows[item]!;
    found.cells[at] = cell;
    found.items[at] = item;
    if (byMacro) found.entries[at] = entries[k]!;
    at += last[cell] === number ? 0 : 1;
    last[cell] = number;
  }
  found.count = at;
  return found;
}

/**
 * Returns the hits, and in a report with totals the same hits again in the cells for the total of all windows, where a
 * case also counts once.
 */
const withTotals = (view: SegmentView, hits: Hits): readonly Hits[] =>
  view.context.cells.total ? [hits, inTotal(view, hits)] : [hits];

function inTotal({ context: { cells } }: SegmentView, hits: Hits): Hits {
  const totals = new Int32Array(hits.count);
  for (let k = 0; k < totals.length; k += 1) totals[k] = totalCell(cells, hits.cells[k]!);
  return { ...hits, cells: totals };
}

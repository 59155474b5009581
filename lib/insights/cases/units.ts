import { type CountedMeasure, NOT_COUNTED } from '../definitions/measure.ts';
import { definitionOf, type Measure } from '../definitions/measures.ts';
import { lastOfCases } from '../scan/add-up.ts';
import { eachOpen } from '../scan/backlog.ts';
import { locatedIn, locateRows, type SegmentView } from '../scan/view.ts';

/**
 * Receives a unit of a measure: its row, its second since the segment's start, what it adds, and the index of its fact
 * (of the last one, if it has several) in the table of the fact's kind; −1 for a unit without a fact.
 */
type TakeUnit = (row: number, second: number, value: number, fact: number) => void;

/** Passes the units of a measure in a segment to `take`, one by one. */
export type Units = (view: SegmentView, take: TakeUnit) => void;

/**
 * Returns how to find the units of a measure in a cell: what a report adds up there, by the same definition. Units that
 * add nothing are included, because they are in the denominators of rates and means. Undefined for time online, which
 * has no cases.
 */
export function unitsOf(measure: Measure): Units | undefined {
  const definition = definitionOf(measure);
  if ('own' in definition) return definition.own === 'open' ? openCases : undefined;
  const found: Units = (view, take) => countedUnits(definition, view, take);
  return definition.counts === 'once' ? ones(byCase([found])) : found;
}

/** The same units, each of which adds 1. */
const ones =
  (units: Units): Units =>
  (view, take) =>
    units(view, (row, second, _, fact) => take(row, second, 1, fact));

function countedUnits({ facts, counts, adds }: CountedMeasure, view: SegmentView, take: TakeUnit): void {
  for (const kinds of locatedIn(view, facts)) {
    for (const located of kinds) {
      const valueAt = adds === 1 ? () => 1 : adds(view, located);
      const marks = new Int32Array(view.context.cells.size);
      const { items, entries, count } = counts === 'last' ? lastOfCases(view, located.hits, marks) : located.hits;
      const seconds = located.seconds();
      for (let k = 0; k < count; k += 1) {
        const item = items[k]!;
        const value = valueAt(item, entries[k]!);
        if (value === NOT_COUNTED) continue;
        take(located.rows[item]!, seconds[item]!, value, located.facts === undefined ? item : located.facts[item]!);
      }
    }
  }
}

/** Merges the units of each case into one: the sum of what they add, at the last of them. */
export function byCase(all: readonly Units[]): Units {
  return (view, take) => {
    const { rows } = view.segment.head;
    const sums = new Float64Array(rows);
    const seconds = new Float64Array(rows);
    const facts = new Int32Array(rows);
    for (const units of all) {
      units(view, (row, second, value, fact) => {
        sums[row]! += value;
        if (second < seconds[row]!) return;
        seconds[row] = second;
        facts[row] = fact;
      });
    }
    for (let row = 0; row < rows; row += 1) if (sums[row]! > 0) take(row, seconds[row]!, sums[row]!, facts[row]!);
  };
}

/** Takes the cases that are open at the end of the window, at that instant. */
function openCases(view: SegmentView, take: TakeUnit): void {
  const { backlog } = view.context;
  const [instant] = backlog.instants;
  if (instant === undefined) return;
  const open: number[] = [];
  eachOpen(view, (row, first) => {
    if (first === 0) open.push(row);
  });
  const at = instant - view.segment.head.start;
  const { items, count } = locateRows(view, Int32Array.from(open));
  for (let k = 0; k < count; k += 1) take(open[items[k]!]!, at, 1, -1);
}

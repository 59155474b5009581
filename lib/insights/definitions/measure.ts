import type { FactKind } from '../../history/cases/case-row.ts';
import type { Column } from '../../history/segments/byte-planes.ts';
import type { Segment } from '../../history/segments/segment.ts';
import type { Telling } from '../../vocabulary.ts';
import type { SlaMetric } from '../promises/sla-policies.ts';
import type { Reference } from '../reference.ts';
import type { VerdictKind, Verdicts } from './verdicts.ts';

/** A measure: what counts, and what it adds to its cell. Reports and the list of cases run this same definition. */
export type MeasureDefinition = CountedMeasure | OwnMeasure;

/** A measure that adds up facts one by one. */
export interface CountedMeasure {
  readonly facts: Facts;
  readonly counts: Counts;
  readonly adds: Adds | 1;
  readonly sql: MeasureSql;
  readonly squared?: true; // what `sql` says is squared
  readonly verdict?: VerdictKind; // the kind of its rows in the warehouse, which are verdicts on its facts
  readonly rows?: number; // the ROW_VERSION it needs; default 1
  readonly needs?: readonly Telling[]; // what the history must tell, beside the facts
}

/**
 * What a row of the warehouse's `facts` of the measure's kinds adds, in the words that DuckDB and Trino share: 1, or a
 * whole number that is null where the row does not count. It is what `adds` says, for engines that scan files.
 */
export type MeasureSql = 1 | ((row: RowInSql) => string);

/** What a definition sees of a row of `facts`. Columns are computed by `adds` when the files are written. */
export interface RowInSql {
  column(name: string): string; // of a measure: what the fact adds to it
  elapsed(name: string): string; // such a column of seconds, measured as the report measures durations
  readonly length: string; // the seconds of a piece of an interval
  readonly positive: number | string; // the lowest positive score
  readonly macro: string | undefined; // by macro: the `n` of the first resolve after the cell's macro was applied
}

/** A measure that has a walk of its own, because it counts a state that lasts and not facts. */
interface OwnMeasure {
  readonly own: 'open' | 'online'; // cases open at an instant (`scan/backlog.ts`), agents online (`scan/online.ts`)
  readonly rows?: number;
  readonly needs?: readonly Telling[];
}

/** The facts that can count: those of some kinds, at most one of them a case, or the instants of broken promises. */
export type Facts = { readonly kinds: readonly FactKind[]; readonly only?: OneOfCase } | { readonly late: SlaMetric };

/** By row, the index of the one fact of the case that can count; below 0 if it has none. */
export type OneOfCase = (segment: Segment) => Int32Array;

/** Which facts of a case in a cell count: each of them, the last one, or all of them together once. */
export type Counts = 'each' | 'last' | 'once';

/**
 * Returns what a located fact adds, a whole number; `NOT_COUNTED` if it does not count, not even in a denominator.
 * `entry` is the list entry of the macro whose cell the fact is counted in, in reports by macro.
 */
export type Adds = (seen: MeasuredSegment, facts: LocatedFacts) => (fact: number, entry: number) => number;

export const NOT_COUNTED = -1;

/** What a definition sees of a segment. */
export interface MeasuredSegment {
  readonly segment: Segment;
  readonly reference: Reference;
  readonly elapsed: Elapsed;
  readonly byMacro: boolean; // the report has the dimension `macro`
  /** Judges the promises of a metric to the selected cases, once a segment. */
  verdicts(metric: SlaMetric): Verdicts;
}

/** What a definition sees of the facts that count somewhere; they are numbered by kind, pieces of intervals by batch. */
export interface LocatedFacts {
  readonly rows: Column; // by fact
  readonly lengths: Float64Array; // by piece of an interval: its seconds; empty for other facts
}

/** The seconds in [from, to), both since the segment's start, for a row: by the clock, or those its calendar works. */
export type Elapsed = (row: number, from: number, to: number) => number;

import { keysOf } from '../../typed-object.ts';
import type { CaseKey } from './event.ts';

/**
 * The kinds of fact that reports count, and what a fact's `value` holds in each. A segment keeps one table for each
 * kind, so that a report reads only the kinds it needs.
 */
export const FACT_KINDS = {
  created: 'number', // the direction of the first interaction: one of OPENINGS; at most one such fact per case
  inbound: 'none',
  outbound: 'none', // never an automated one
  resolve: 'number', // 2 × outbound interactions up to its second + 1 if quiet for the 14 days after it
  reopen: 'none',
  view: 'none', // only views that count (docs/rules.md 19)
  handle: 'number', // length of the interval in s, above 0; `second` is its start
  macro: 'macro', // id of the applied macro
  label: 'label', // id of the applied label
  delete: 'none',
  rating: 'number', // the score
  wait: 'number', // one of WAIT_CODES; no such facts if `guessClocks` is right
  presence: 'number', // 1: the case is open from then on, 0: it is not; no such facts if `guessPresence` is right
} as const;

export type FactKind = keyof typeof FACT_KINDS;

export const ALL_FACT_KINDS = keysOf(FACT_KINDS);

/** The first row version that stores a kind of fact or an attribute; 1 for all that are not listed. */
const SINCE: Readonly<Partial<Record<FactKind | keyof Attributes, number>>> = {
  rating: 2,
  wait: 2,
  presence: 2,
  status: 2,
};

/** The version of rows that this program makes. Segments with older rows are rebuilt. */
export const ROW_VERSION = Math.max(...Object.values(SINCE));

/** The first row version that stores an attribute. */
export const rowVersionOf = (attribute: keyof Attributes): number => SINCE[attribute] ?? 1;

/**
 * For each older row version, the kinds of fact that it stores. Such a row is ordered by its first fact of these kinds.
 */
export const OLDER_KINDS: readonly (readonly FactKind[])[] = Array.from({ length: ROW_VERSION - 1 }, (_, index) =>
  ALL_FACT_KINDS.filter((kind) => (SINCE[kind] ?? 1) <= index + 1),
);

/** The direction of a case's first interaction: the `value` of its `created` fact. */
export const OPENINGS = { none: 0, inbound: 1, outbound: 2 } as const;

/** Something that happened to a case, ready to be counted. */
export interface Fact {
  readonly second: number; // s since 1970
  readonly agent: number | null; // who acted; null: unknown
  readonly group: number | null; // the group in which the agent acted
  readonly value: number; // its meaning depends on the kind, see FACT_KINDS; 0 if the kind has none
}

/** A macro that was applied to the case at least once. */
interface AppliedMacro {
  readonly macro: number;
  readonly resolve: number; // index of the first resolve not before its first application; if none, the number of resolves
}

export interface CustomValue {
  readonly field: number;
  readonly value: string;
}

/** The state of a case after its last stored event (docs/rules.md 21). */
export interface Attributes {
  readonly channel: number | null;
  readonly agent: number | null; // assigned
  readonly group: number | null; // assigned
  readonly priority: number | null;
  readonly company: number | null;
  readonly score: number | null; // the last rating
  readonly status: number; // index in CASE_STATUSES
  readonly labels: readonly number[]; // rising
  readonly macros: readonly AppliedMacro[]; // by rising macro
  readonly customValues: readonly CustomValue[]; // by rising field
}

/** All that reports need to know of one case. */
export interface CaseRow {
  readonly key: CaseKey;
  readonly start: number; // s, smallest second of its facts; of its events if it has no facts
  readonly end: number; // s, largest second that a fact covers, not below `start`
  readonly attributes: Attributes;
  readonly facts: Readonly<Record<FactKind, readonly Fact[]>>; // each kind rising in time
}

/** Returns an empty list for each kind of fact. */
export function noFacts<F extends Fact>(): Record<FactKind, F[]> {
  return {
    created: [],
    inbound: [],
    outbound: [],
    resolve: [],
    reopen: [],
    view: [],
    handle: [],
    macro: [],
    label: [],
    delete: [],
    rating: [],
    wait: [],
    presence: [],
  };
}

/**
 * Returns the smallest and the largest second that facts of these kinds cover; `otherwise` for both if there are none.
 */
export function extentOf(
  facts: CaseRow['facts'],
  otherwise: number,
  kinds = ALL_FACT_KINDS,
): { start: number; end: number } {
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const kind of kinds) {
    for (const { second, value } of facts[kind]) {
      start = Math.min(start, second);
      end = Math.max(end, kind === 'handle' ? second + value - 1 : second);
    }
  }
  return start > end ? { start: otherwise, end: otherwise } : { start, end };
}

/** The time online of one agent. */
export interface SessionRow {
  readonly agent: number;
  readonly sessions: readonly Session[]; // disjoint, not touching, rising
}

export interface Session {
  readonly from: number; // s, inclusive
  readonly to: number; // s, exclusive, above `from`
}

import type { HistoryCut, LiveSegment, SettledSegment } from '../history/read.ts';

/** A part of a history whose files are written alone. */
export interface HistoryPart {
  readonly name: string; // begins the names of its files
  readonly states: readonly string[]; // of what it is made of: equal for equal rows
  readonly segments: () => AsyncIterable<readonly LiveSegment[]>;
}

/** The most facts of a part of several segments. */
const MOST_FACTS = 8_000_000;

/** The seconds that the canonical cut halves: up to the year 2242. */
const ALL = 2 ** 33;

/**
 * Cuts a history: its settled segments by halving time until no part has more than `most` facts, and what lies in no
 * settled segment as the last part. What a part is follows from the cut alone, so that equal histories have equal parts,
 * and a segment more changes the part in which it lies.
 */
export function historyParts({ settled, fresh, some }: HistoryCut, most = MOST_FACTS): readonly HistoryPart[] {
  const parts = halved(settled, 0, ALL, most).map(({ from, length, segments }) => ({
    name: `${from}-${length}`,
    states: segments.map(({ state }) => state).sort(),
    segments: () => some(segments),
  }));
  return fresh.length === 0
    ? parts
    : [...parts, { name: 'fresh', states: [...fresh].sort(), segments: () => some('fresh') }];
}

interface SettledPart {
  readonly from: number; // s
  readonly length: number; // s
  readonly segments: readonly SettledSegment[];
}

function halved(segments: readonly SettledSegment[], from: number, length: number, most: number): SettledPart[] {
  if (segments.length === 0) return [];
  const facts = segments.reduce((sum, segment) => sum + segment.facts, 0);
  if (facts <= most || segments.length === 1 || length === 1) return [{ from, length, segments }];
  const [half, middle] = [length / 2, from + length / 2];
  const isBefore = ({ second }: SettledSegment): boolean => second < middle;
  return [
    ...halved(segments.filter(isBefore), from, half, most),
    ...halved(
      segments.filter((segment) => !isBefore(segment)),
      middle,
      half,
      most,
    ),
  ];
}

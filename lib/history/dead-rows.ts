import { openRows, type RowName } from './history-row.ts';
import type { SegmentKind, SegmentRef } from './manifest.ts';
import type { Subject } from './subject.ts';

/** A row that a newer segment replaces: its subject's rows born before `born` are dead. */
export interface Replacement extends RowName {
  readonly born: number; // of the newer segment
}

/** Those of the replacements that may concern a segment, by what the manifest says of it. */
export function replacementsOf({ born, low, high }: SegmentRef, all: readonly Replacement[]): Replacement[] {
  return all.filter((each) => each.born > born && each.second >= low.second && each.second <= high.second);
}

/** The rows of a segment that are replaced, rising; whose rows it holds is asked only where that can matter. */
export function deadRows(ref: SegmentRef, replacements: readonly Replacement[], find: FindRows): number[] {
  const newer = replacementsOf(ref, replacements);
  return newer.length === 0 ? [] : find([...new Set(newer.map(({ subject }) => subject))]).sort((a, b) => a - b);
}

/** The places of those of some subjects that have a row in a segment, in any order. */
export type FindRows = (subjects: readonly Subject[]) => number[];

/** Finds rows in the list of a segment's subjects. */
export function findIn(subjects: readonly Subject[]): FindRows {
  return (wanted) => {
    const rows = new Set(wanted);
    return subjects.flatMap((subject, row) => (rows.has(subject) ? [row] : []));
  };
}

/**
 * A finder that remembers what it found in which segment: reports ask for nearly the same subjects each time, and to
 * open the subjects of a segment takes some milliseconds.
 */
export function createRowFinder(): (kind: SegmentKind, columns: Uint8Array) => FindRows {
  const known = new WeakMap<Uint8Array, Map<Subject, number>>(); // row, −1 where it has none
  return (kind, columns) => (wanted) => {
    const rows = known.get(columns) ?? new Map<Subject, number>();
    known.set(columns, rows);
    if (wanted.some((subject) => !rows.has(subject))) {
      for (const subject of wanted) rows.set(subject, -1);
      for (const [row, subject] of openRows(kind, columns).subjects.entries()) {
        if (rows.has(subject)) rows.set(subject, row);
      }
    }
    return wanted.map((subject) => rows.get(subject)!).filter((row) => row >= 0);
  };
}

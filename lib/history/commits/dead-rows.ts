import { certain } from '../../certain.ts';
import type { Subject } from '../cases/subject.ts';
import { openRows, type RowName } from '../segments/history-row.ts';
import type { SegmentKind, SegmentRef } from './manifest.ts';

/** What one newer segment replaces: rows of these subjects born before `born` are dead. */
export interface Replacing {
  readonly born: number; // of the newer segment
  readonly names: readonly RowName[]; // by rising second
}

/** All the rows that newer segments replace, to be asked segment by segment: there may be as many names as cases. */
export interface Replacements {
  /** How many names may concern a segment, by what the manifest says of it. */
  countIn(ref: SegmentRef): number;
  /** Their subjects. */
  within(ref: SegmentRef): Subject[];
  /** Which of all the subjects of a segment, in its order, are replaced; rising. */
  among(ref: SegmentRef, subjects: readonly Subject[]): number[];
}

export function gatherReplacements(all: readonly Replacing[]): Replacements {
  let newest: Map<Subject, number> | undefined; // birth of what replaces a subject last

  const rangesOf = ({ born, low, high }: SegmentRef) =>
    all.flatMap((each) => {
      if (each.born <= born) return [];
      const [from, to] = [firstFrom(each.names, low.second), firstFrom(each.names, high.second + 1)];
      return from < to ? [{ names: each.names, from, to }] : [];
    });

  return {
    countIn: (ref) => rangesOf(ref).reduce((sum, { from, to }) => sum + to - from, 0),
    within: (ref) =>
      rangesOf(ref).flatMap(({ names, from, to }) => names.slice(from, to).map(({ subject }) => subject)),
    among({ born }, subjects) {
      newest ??= newestOf(all);
      const rows: number[] = [];
      for (const [row, subject] of subjects.entries()) if ((newest.get(subject) ?? 0) > born) rows.push(row);
      return rows;
    },
  };
}

/** The place of the first name at or after a second. */
function firstFrom(names: readonly RowName[], second: number): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (certain(names[middle]).second < second) low = middle + 1;
    else high = middle;
  }
  return low;
}

function newestOf(all: readonly Replacing[]): Map<Subject, number> {
  const newest = new Map<Subject, number>();
  for (const { born, names } of [...all].sort((a, b) => a.born - b.born)) {
    for (const { subject } of names) newest.set(subject, born);
  }
  return newest;
}

/** The rows of a segment that are replaced, rising; whose rows it holds is asked only where that can matter. */
export function deadRows(ref: SegmentRef, replacements: Replacements, rows: RowFinder): number[] {
  const names = replacements.countIn(ref);
  if (names === 0) return [];
  if (names > ref.rows) return replacements.among(ref, rows.subjects());
  return rows.find([...new Set(replacements.within(ref))]).sort((a, b) => a - b);
}

/** Finds rows of a segment. */
export interface RowFinder {
  subjects(): readonly Subject[]; // of all rows, in their order
  /** The places of those of some subjects that have a row, in any order. */
  find(wanted: readonly Subject[]): number[];
}

/**
 * A finder that remembers what it found in which segment: reports ask for nearly the same subjects each time, and to
 * open the subjects of a segment takes some milliseconds.
 */
export function createRowFinder(): (kind: SegmentKind, columns: Uint8Array) => RowFinder {
  const known = new WeakMap<Uint8Array, Map<Subject, number>>(); // row, −1 where it has none
  return (kind, columns) => {
    const subjects = (): readonly Subject[] => openRows(kind, columns).subjects();
    return {
      subjects,
      find(wanted) {
        const rows = known.get(columns) ?? new Map<Subject, number>();
        known.set(columns, rows);
        if (wanted.some((subject) => !rows.has(subject))) {
          for (const subject of wanted) rows.set(subject, -1);
          for (const [row, subject] of subjects().entries()) if (rows.has(subject)) rows.set(subject, row);
        }
        return wanted.map((subject) => rows.get(subject) ?? -1).filter((row) => row >= 0);
      },
    };
  };
}

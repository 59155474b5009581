import { certain } from '../../certain.ts';
import type { Subject } from '../cases/subject.ts';
import { openRows, type RowName } from '../segments/history-row.ts';
import type { SegmentKind } from '../segments/row-position.ts';
import type { SegmentRef } from './manifest.ts';

/** The rows that one newer segment replaces: rows of these subjects in segments born before `born` are dead. */
export interface SegmentReplacements {
  readonly born: number; // of the newer segment
  readonly names: readonly RowName[]; // by rising second
}

/** All rows that newer segments replace; there may be as many as cases. */
export interface Replacements {
  /** Returns how many replaced rows may lie in a segment, judged by its first and last second alone. */
  countIn(ref: SegmentRef): number;
  /** Returns the subjects of these rows. */
  within(ref: SegmentRef): Subject[];
  /** Returns these subjects, each with the newest commit that replaces a row of it, of commits after a version alone. */
  since(ref: SegmentRef, version: number): Map<Subject, number>;
  /** Returns the rising indexes of replaced rows, given the subjects of all rows of the segment in their order. */
  among(ref: SegmentRef, subjects: readonly Subject[]): number[];
}

export function gatherReplacements(all: readonly SegmentReplacements[]): Replacements {
  let newest: Map<Subject, number> | undefined; // largest `born` of the segments that replace a subject's rows

  const rangesOf = ({ born, low, high }: SegmentRef) =>
    all.flatMap((each) => {
      if (each.born <= born) return [];
      const [from, to] = [firstFrom(each.names, low.second), firstFrom(each.names, high.second + 1)];
      return from < to ? [{ born: each.born, names: each.names, from, to }] : [];
    });

  return {
    countIn: (ref) => rangesOf(ref).reduce((sum, { from, to }) => sum + to - from, 0),
    within: (ref) =>
      rangesOf(ref).flatMap(({ names, from, to }) => names.slice(from, to).map(({ subject }) => subject)),
    since: (ref, version) =>
      newestOf(
        rangesOf(ref).flatMap(({ born, names, from, to }) =>
          born > version ? [{ born, names: names.slice(from, to) }] : [],
        ),
      ),
    among({ born }, subjects) {
      newest ??= newestOf(all);
      const rows: number[] = [];
      for (const [row, subject] of subjects.entries()) if ((newest.get(subject) ?? 0) > born) rows.push(row);
      return rows;
    },
  };
}

/** Returns the index of the first name at or after a second. */
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

function newestOf(all: readonly SegmentReplacements[]): Map<Subject, number> {
  const newest = new Map<Subject, number>();
  for (const { born, names } of [...all].sort((a, b) => a.born - b.born)) {
    for (const { subject } of names) newest.set(subject, born);
  }
  return newest;
}

/** Returns the rising indexes of a segment's dead rows; its subjects are read only if some row may be dead. */
export function deadRows(ref: SegmentRef, replacements: Replacements, rows: RowFinder): number[] {
  const names = replacements.countIn(ref);
  if (names === 0) return [];
  if (names > ref.rows) return replacements.among(ref, rows.subjects());
  return rows.find([...new Set(replacements.within(ref))]).sort((a, b) => a - b);
}

/** Finds rows of a segment. */
export interface RowFinder {
  subjects(): readonly Subject[]; // of all rows, in their order
  /** Returns the row indexes of those wanted subjects that have a row, in any order. */
  find(wanted: readonly Subject[]): number[];
}

/**
 * Makes a finder that caches its results by segment: each report asks for nearly the same subjects, and to decode the
 * subjects of a segment takes some milliseconds.
 */
export function createRowFinder(): (kind: SegmentKind, columns: Uint8Array) => RowFinder {
  const rowsBySegment = new WeakMap<Uint8Array, Map<Subject, number>>(); // index of the subject's row; −1: it has none
  return (kind, columns) => {
    const subjects = (): readonly Subject[] => openRows(kind, columns).subjects();
    return {
      subjects,
      find(wanted) {
        const rows = rowsBySegment.get(columns) ?? new Map<Subject, number>();
        rowsBySegment.set(columns, rows);
        if (wanted.some((subject) => !rows.has(subject))) {
          for (const subject of wanted) rows.set(subject, -1);
          for (const [row, subject] of subjects().entries()) if (rows.has(subject)) rows.set(subject, row);
        }
        return wanted.map((subject) => rows.get(subject) ?? -1).filter((row) => row >= 0);
      },
    };
  };
}

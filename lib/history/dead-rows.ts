import type { RowName } from './history-row.ts';
import type { SegmentRef } from './manifest.ts';
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
export function deadRows(
  ref: SegmentRef,
  replacements: readonly Replacement[],
  subjectsIn: () => readonly Subject[],
): number[] {
  const newer = replacementsOf(ref, replacements);
  if (newer.length === 0) return [];
  const replaced = new Set(newer.map(({ subject }) => subject));
  return subjectsIn().flatMap((subject, row) => (replaced.has(subject) ? [row] : []));
}

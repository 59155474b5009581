import type { FateCounts } from '../history/merge.ts';
import type { Group } from './event-groups.ts';

/** What came of the groups that were merged so far. */
export interface MergedCounts {
  readonly fates: FateCounts;
  readonly removed: number; // events that newer versions took away
  readonly erased: number; // events that were not taken, as their case was erased
}

/** A load that is cut into steps, each of which reads the whole file and merges a part of its groups. */
export interface LoadSteps {
  readonly before: MergedCounts; // of the steps before
  /** What a step before made of a group: nothing is left to do, or its conflicts are to be told again; undefined: it is new. */
  readonly earlier: (group: Group) => 'whole' | 'conflicts' | undefined;
  /** Hears of each group that this step has merged, with all counts so far; may throw to end the step. */
  readonly onMerged: (group: Group, counts: MergedCounts, hasConflicts: boolean) => Promise<void>;
}

import type { CaseCounts, FateCounts } from '../history/merge.ts';
import type { Group } from './event-groups.ts';

/** The counts of all groups merged so far. */
interface MergedCounts {
  readonly cases: CaseCounts;
  readonly fates: FateCounts;
  readonly removed: number; // stored events that newer versions removed
  readonly erased: number; // events that were not stored, because they were erased
}

/** A load in several steps. Each step reads the whole file and merges some of its groups. */
export interface LoadSteps {
  readonly before: MergedCounts; // counts of the earlier steps
  /**
   * Whether an earlier step merged a group: `whole`, nothing is left to do; `conflicts`, it is merged once more to
   * report its conflicts again; undefined, it was not merged yet.
   */
  readonly earlier: (group: Group) => 'whole' | 'conflicts' | undefined;
  /** Called after each group that this step has merged, with all counts so far; may throw to end the step. */
  readonly onMerged: (group: Group, counts: MergedCounts, hasConflicts: boolean) => Promise<void>;
}

import { createHash } from 'node:crypto';
import type { Group } from '../import/event-groups.ts';
import { ImportFault } from '../import/formats/import-fault.ts';
import type { LoadSteps } from '../import/load-steps.ts';
import { memoize } from '../memo.ts';
import type { MergedSoFar } from './shapes.ts';
import type { Upload } from './upload.ts';

/** The time limit of a step of a work. */
export interface StepLimit {
  /** Whether the step must end after the current group is merged. */
  readonly isOver: () => boolean;
  /** Whether the step must end at once. */
  readonly isLate: () => boolean;
}

/** The step ends; another one continues. */
export class StepOver extends Error {}

/** A step of a check or a load. */
export interface Step {
  readonly steps: LoadSteps;
  /** Call between batches of the file. Throws `StepOver` if time is up, `ImportFault` if nothing was merged by then. */
  readonly watch: () => void;
}

const NOTHING: MergedSoFar = { groups: [], cases: { added: 0, changed: 0 }, fates: {}, removed: 0, erased: 0 };
const WITH_CONFLICTS = '!'; // suffix of the digest of a group that is merged again to report its conflicts

/** Starts a step after an import's earlier ones; `note` saves what is merged after each group. */
export function beginStep(
  { merged, name }: Pick<Upload, 'merged' | 'name'>,
  { isOver, isLate }: StepLimit,
  note: (merged: MergedSoFar) => Promise<void>,
): Step {
  const before = merged ?? NOTHING;
  const known = new Set(before.groups);
  const merges: string[] = [];
  const nameOf = memoize(digestOf, new WeakMap());
  const steps: LoadSteps = {
    before,
    earlier: (group) => {
      const digest = nameOf(group);
      if (known.has(digest)) return 'whole';
      return known.has(digest + WITH_CONFLICTS) ? 'conflicts' : undefined;
    },
    onMerged: async (group, { cases, fates, removed, erased }, hasConflicts) => {
      merges.push(hasConflicts ? nameOf(group) + WITH_CONFLICTS : nameOf(group));
      await note({ groups: [...before.groups, ...merges], cases: { ...cases }, fates: { ...fates }, removed, erased });
      if (isOver()) throw new StepOver();
    },
  };
  const watch = (): void => {
    if (!isLate()) return;
    if (merges.length > 0) throw new StepOver();
    throw new ImportFault(`${name} is too large to be read in the time that a function has: ${ELSEWHERE}.`);
  };
  return { steps, watch };
}

const ELSEWHERE = 'import it by the command line (docs/deploy.md), or in parts that hold whole cases';

/** A digest of a group that no other group of the file has: of its subjects and the lines of their events. */
function digestOf(group: Group): string {
  const hash = createHash('sha256');
  for (const [subject, list] of group) hash.update(`${subject}\n${list.map(({ line }) => line).join(',')}\n`);
  return hash.digest('base64url').slice(0, 12); // 72 bits
}

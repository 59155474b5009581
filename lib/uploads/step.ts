import { createHash } from 'node:crypto';
import type { Group } from '../import/event-groups.ts';
import { ImportFault } from '../import/formats/import-fault.ts';
import type { LoadSteps } from '../import/load-steps.ts';
import type { MergedSoFar, Upload } from './upload.ts';

/** How long a step of a work may take, where something limits it. */
export interface StepLimit {
  /** Whether it has worked long enough: it ends once the group at hand is merged. */
  readonly isOver: () => boolean;
  /** Whether so little time is left that it ends where it is. */
  readonly isLate: () => boolean;
}

/** The step ends, and another one goes on. */
export class StepOver extends Error {}

/** A step of a check or a load. */
export interface Step {
  readonly steps: LoadSteps;
  /** To be called between batches of the file. Throws `StepOver` when it is late, `ImportFault` where nothing was merged by then. */
  readonly watch: () => void;
}

const NOTHING: MergedSoFar = { groups: [], fates: {}, removed: 0, erased: 0 };
const WITH_CONFLICTS = '!'; // behind the digest of a group that is merged again, so that its conflicts are told

/** Begins a step after those that an import has behind it; `note` writes down what is merged, group by group. */
export function beginStep(
  { merged, name }: Pick<Upload, 'merged' | 'name'>,
  { isOver, isLate }: StepLimit,
  note: (merged: MergedSoFar) => Promise<void>,
): Step {
  const before = merged ?? NOTHING;
  const known = new Set(before.groups);
  const mine: string[] = [];
  const digests = new WeakMap<Group, string>();
  const nameOf = (group: Group): string => {
    const name = digests.get(group) ?? digestOf(group);
    digests.set(group, name);
    return name;
  };
  const steps: LoadSteps = {
    before,
    earlier: (group) => {
      const digest = nameOf(group);
      if (known.has(digest)) return 'whole';
      return known.has(digest + WITH_CONFLICTS) ? 'conflicts' : undefined;
    },
    onMerged: async (group, { fates, removed, erased }, hasConflicts) => {
      mine.push(hasConflicts ? nameOf(group) + WITH_CONFLICTS : nameOf(group));
      await note({ groups: [...before.groups, ...mine], fates: { ...fates }, removed, erased });
      if (isOver()) throw new StepOver();
    },
  };
  const watch = (): void => {
    if (!isLate()) return;
    if (mine.length > 0) throw new StepOver();
    throw new ImportFault(`${name} is too large to be read in the time that a function has: ${ELSEWHERE}.`);
  };
  return { steps, watch };
}

const ELSEWHERE = 'import it by the command line (docs/deploy.md), or in parts that hold whole cases';

/** What tells one group of a file from every other: its subjects, and the lines that their events stand in. */
function digestOf(group: Group): string {
  const hash = createHash('sha256');
  for (const [subject, list] of group) hash.update(`${subject}\n${list.map(({ line }) => line).join(',')}\n`);
  return hash.digest('base64url').slice(0, 12); // 72 bits
}

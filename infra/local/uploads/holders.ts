import type { Holders } from '../../../lib/uploads/turn.ts';
import { markIn, mayRun, ownMark } from '../table/processes.ts';

/** Tells the processes of this machine from each other. */
export const holders: Holders = {
  own: ownMark,
  isGone: async (holder) => {
    const mark = markIn(holder);
    return mark !== undefined && !(await mayRun(mark));
  },
};

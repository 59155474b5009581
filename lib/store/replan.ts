import { ConditionFailed, unavailable } from './faults.ts';
import { pause } from './pause.ts';

const PLANS = 30; // how often a write that others overtake is planned again: 20 functions writing at once need over 10

/** Does work that plans and writes; again, from fresh state, when another write overtook it. `attempt` counts from 1. */
export async function replan<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (attempt === PLANS) throw unavailable(error);
      await pause(attempt);
    }
  }
}

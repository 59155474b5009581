import { ConditionFailed, unavailable } from './faults.ts';
import { pause } from './pause.ts';

const PLANS = 30; // attempts of a write that others keep overtaking: 20 functions writing at once need over 10

/**
 * Does work that plans and writes; if another write came first, repeats it from fresh state. `attempt` counts from 1.
 * Throws `unavailable` after too many attempts.
 */
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

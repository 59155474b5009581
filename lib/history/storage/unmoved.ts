import { unavailable } from '../../store/faults.ts';
import { pause } from '../../store/pause.ts';

/** What was read of a history does not fit together, because of a commit between the reads. */
export class HistoryMoved extends Error {}

const TRIES = 8;

/** Reads again where a commit came between; `attempt` counts from 1. Throws `unavailable` after too many attempts. */
export async function unmoved<T>(read: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    try {
      return await read(attempt);
    } catch (error) {
      if (!(error instanceof HistoryMoved)) throw error;
    }
    await pause(attempt);
  }
  throw unavailable(new Error('the history changes faster than it can be read'));
}

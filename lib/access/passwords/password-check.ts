import { hash, randomBytes } from 'node:crypto';
import { Failure } from '../../errors.ts';
import { putLast } from '../../put-last.ts';
import { type PasswordHash, verifyPassword } from './passwords.ts';

export const AT_ONCE = 4; // running checks
export const WAITING = 64; // checks in the queue
const REMEMBERED_FOR = 30 * 60_000; // ms
const REMEMBERED = 10_000; // credentials in one process

/** A password given for a login, and the stored hash it must match; undefined if the login has no user. */
export interface Attempt {
  readonly login: string; // as it is stored
  readonly password: string;
  readonly stored: PasswordHash | undefined;
}

/** Checks passwords, and remembers the right ones for half an hour. */
export interface PasswordCheck {
  /**
   * Returns the time (epoch ms, exclusive) until which this attempt is known to be right; 0 if it is not remembered.
   */
  rememberedUntil(attempt: Attempt): number;
  /** Whether an equal attempt is being checked now: this one would share its result. */
  isRunning(attempt: Attempt): boolean;
  /**
   * Checks an attempt once those before it in the queue are done. Throws `unavailable` if the queue is full, or if
   * `ending` aborts the wait.
   */
  check(attempt: Attempt, now: number, ending: AbortSignal): Promise<boolean>;
}

/**
 * Right attempts are remembered under a keyed hash of login, password and stored hash, so that a changed password has
 * another key. Equal concurrent attempts share one check, also if the login has no user: otherwise their time would
 * tell.
 */
export function createPasswordCheck(verify = verifyPassword): PasswordCheck {
  const key = randomBytes(32).toString('base64');
  const right = new Map<string, number>(); // keyed hash → epoch ms at which it expires
  const running = new Map<string, Promise<boolean>>();
  const queue = createQueue();

  const nameOf = ({ login, password, stored }: Attempt): string =>
    hash('sha256', JSON.stringify([key, login, stored?.salt, stored?.hash, password]), 'base64');

  return {
    rememberedUntil: (attempt) => right.get(nameOf(attempt)) ?? 0,
    isRunning: (attempt) => running.has(nameOf(attempt)),
    async check(attempt, now, ending) {
      const name = nameOf(attempt);
      if ((right.get(name) ?? 0) > now) return true;
      right.delete(name);
      const shared = running.get(name);
      const check = shared ?? queue(() => verify(attempt.password, attempt.stored), ending);
      running.set(name, check);
      try {
        if (!(await check)) return false;
      } catch (error) {
        if (shared === undefined || ending.aborted) throw error;
        return this.check(attempt, now, ending); // whoever asked for it has left the queue, and this request goes on
      } finally {
        if (running.get(name) === check) running.delete(name);
      }
      putLast(right, name, now + REMEMBERED_FOR, REMEMBERED);
      return true;
    },
  };
}

/** A queue that runs `AT_ONCE` tasks at a time and lets `WAITING` more wait, first come first served. */
function createQueue(): <T>(work: () => Promise<T>, ending: AbortSignal) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  function wait(ending: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        ending.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new Failure('unavailable', { headers: { 'Retry-After': '1' } }));
      };
      waiting.push(begin);
      ending.addEventListener('abort', leave, { once: true });
    });
  }

  return async (work, ending) => {
    if (ending.aborted || waiting.length >= WAITING)
      throw new Failure('unavailable', { headers: { 'Retry-After': '2' } });
    if (running >= AT_ONCE) await wait(ending);
    else running += 1; // a task that waited takes the slot of the one that ended, so the count stays
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

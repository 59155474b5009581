import { hash, randomBytes } from 'node:crypto';
import { Failure } from '../errors.ts';
import { putLast } from '../put-last.ts';
import { type PasswordHash, verifyPassword } from './passwords.ts';

const AT_ONCE = 4; // checks under way
const WAITING = 64; // checks that wait for one of these to end
const REMEMBERED_FOR = 60_000; // ms
const REMEMBERED = 10_000; // credentials a process keeps

/** A password somebody gave for a login, and the hash it must fit; none where nobody has that login. */
export interface Attempt {
  readonly login: string; // as it is stored
  readonly password: string;
  readonly known: PasswordHash | undefined;
}

/** Checks passwords, and remembers for a minute which were right. */
export interface PasswordCheck {
  /** Until when (epoch ms, exclusive) no check of this attempt is needed, because it was right; 0 where it is not remembered. */
  rememberedUntil(attempt: Attempt): number;
  /** Whether an equal attempt is being checked: this one would share its outcome. */
  isRunning(attempt: Attempt): boolean;
  /** Checks an attempt in its turn. Throws `unavailable` where too many wait, and leaves the queue once `ending` says so. */
  check(attempt: Attempt, now: number, ending: AbortSignal): Promise<boolean>;
}

/**
 * Remembers what was right under a keyed hash of login, password and stored hash: a changed password is another key.
 * Equal attempts under way at once are one, of a login that nobody has as of any other.
 */
export function createPasswordCheck(verify = verifyPassword): PasswordCheck {
  const key = randomBytes(32).toString('base64');
  const right = new Map<string, number>(); // keyed hash → epoch ms it is forgotten at
  const running = new Map<string, Promise<boolean>>();
  const queue = createQueue();

  const nameOf = ({ login, password, known }: Attempt): string =>
    hash('sha256', JSON.stringify([key, login, known?.salt, known?.hash, password]), 'base64');

  return {
    rememberedUntil: (attempt) => right.get(nameOf(attempt)) ?? 0,
    isRunning: (attempt) => running.has(nameOf(attempt)),
    async check(attempt, now, ending) {
      const name = nameOf(attempt);
      if ((right.get(name) ?? 0) > now) return true;
      right.delete(name);
      const check = running.get(name) ?? queue(() => verify(attempt.password, attempt.known), ending);
      running.set(name, check);
      try {
        if (!(await check)) return false;
      } finally {
        running.delete(name);
      }
      putLast(right, name, now + REMEMBERED_FOR, REMEMBERED);
      return true;
    },
  };
}

/** Lets at most some pieces of work run at a time and some more wait, first come first served. */
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
    else running += 1; // who waited takes over the place of who let it in
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

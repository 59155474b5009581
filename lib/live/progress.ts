import * as z from 'zod';
import { keys } from '../store/keys.ts';
import { FIRST_COME, type Lease } from '../store/lease.ts';
import type { Item, Table } from '../store/table.ts';
import type { DeskConnection } from './connection.ts';
import { TROUBLES } from './trouble.ts';

export { FIRST_COME };

export const REFUSED_STEP = 600_000; // ms between two tries with credentials that are refused

const DAY = 86_400_000; // ms
/** Days that each window of a backfill reaches back from its beginning; the last one reaches to `since`. */
const WINDOWS = [7, 35, 147, 595];

const stored = z.object({
  cursor: z.string().nullable(), // of the changes since the connection; null: none were listed yet
  began: z.number(), // epoch ms: later changes are those of `cursor`, earlier ones of the backfill
  asOf: z.number().nullable(), // epoch ms
  next: z.number(), // epoch ms from which a pull is due
  membersAt: z.number(), // epoch ms of the last look at all members
  backfill: z.object({
    window: z.int(), // how many are complete
    cursor: z.string().nullable(), // in the present window
    cases: z.int(),
    work: z.number(), // ms of pulls so far, for the estimate
    since: z.number().nullable(), // epoch ms: the first window ends at `began`, and all before this one is not fetched
    done: z.boolean(),
  }),
  lastPull: z
    .object({
      started: z.number(),
      ended: z.number().nullable(),
      cases: z.int(),
      added: z.int(),
      unchanged: z.int(),
      requests: z.int(),
    })
    .nullable(),
  error: z
    .object({
      code: z.enum(TROUBLES),
      message: z.string(),
      since: z.number(),
      next: z.number(), // epoch ms before which nothing is tried
      times: z.int(), // in a row
      isHeld: z.boolean(), // nothing at all may be sent before `next`
    })
    .nullable(),
  waiting: z.array(z.object({ id: z.string(), changed: z.number(), why: z.string() })), // cases that fail alone
  gone: z.array(z.object({ id: z.string(), at: z.number() })), // cases that were not there at the last look; epoch ms
  seen: z.array(z.tuple([z.string(), z.number()])), // cases read lately, and the change up to which they were read
});

/** How far a connection's pulls are. Only who holds its lease writes it. */
export type PullProgress = Readonly<z.infer<typeof stored>>;

/** The progress of a connection that never pulled. */
export const newProgress = (now: number, since: number | null): PullProgress => ({
  cursor: null,
  began: now,
  asOf: null,
  next: now,
  membersAt: 0,
  lastPull: null,
  error: null,
  backfill: { window: 0, cursor: null, cases: 0, work: 0, since, done: since !== null && since >= now },
  waiting: [],
  gone: [],
  seen: [],
});

export const progressIn = (item: Item): PullProgress => stored.parse(item);

export const progressItem = (site: string, progress: PullProgress): Item => ({
  ...keys.connection(site, 'progress'),
  ...progress,
});

/** Where a window of a backfill begins and ends, in epoch ms; undefined if there is no such window. */
export function windowAt({ began, backfill }: PullProgress, index = backfill.window) {
  const first = backfill.since ?? 0;
  const startOf = (nth: number): number => {
    const days = WINDOWS[nth];
    return days === undefined ? first : Math.max(first, began - days * DAY);
  };
  const to = index === 0 ? began : startOf(index - 1);
  return index > WINDOWS.length || to <= first ? undefined : { from: startOf(index), to };
}

/** Since when all cases that changed are in, in epoch ms; null if no window is complete. */
export function completeSince(progress: PullProgress): number | null {
  const { window, since, done } = progress.backfill;
  if (done) return since ?? 0;
  return window === 0 ? null : (windowAt(progress, window - 1)?.from ?? null);
}

export const LENGTH = 60_000; // ms

/** The lease of a connection's pulls. */
export const pullLease = (
  { table, clock, newId }: { readonly table: Table; readonly clock: () => number; readonly newId: () => string },
  site: string,
): Lease => ({ table, key: keys.connection(site, 'lease'), owner: newId(), now: clock, length: LENGTH });

/** Whether something is to be done for a connection now. */
export function isDue(
  { paused, interval }: Pick<DeskConnection, 'paused' | 'interval'>,
  progress: PullProgress | undefined,
  { now, isAsked }: { readonly now: number; readonly isAsked: boolean },
): boolean {
  if (paused) return false;
  if (progress === undefined) return true;
  const { error, next, backfill } = progress;
  const isJumped = next > now + interval * 1000; // the clock was wrong
  if (error !== null && now < error.next && error.next <= now + 2 * REFUSED_STEP + (error.isHeld ? 3_600_000 : 0))
    return isAsked && !error.isHeld;
  return isAsked || isJumped || now >= next || !backfill.done;
}

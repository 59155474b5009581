import * as z from 'zod';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item, Table, Write } from '../store/table.ts';

/** The turn of an import: only one import of a site works at a time. */
export interface UploadTurn {
  readonly site: string;
  readonly id: number; // the import's id
  readonly owner: string; // a unique token
}

const schema = z.object({
  owner: z.string(), // empty: no one holds the turn
  id: z.int(), // id of the import that holds the turn or held it last
  last: z.int(), // the largest id ever assigned to an import
  until: z.number(), // epoch ms; the turn expires then unless it is renewed
  handed: z.boolean().optional(), // handed over to the process of the import's next step, which has not begun
});
type TurnItem = z.infer<typeof schema>;

/** A turn expires after this time without renewal, in ms: its process has died. */
export const TURN_MS = 20_000;
const RENEW_MS = 4_000;
/** A turn that was handed over expires after this time, in ms: other messages may be first in the queue. */
export const HANDED_MS = 30 * 60_000;

/** The table and the clock that turns need. */
export interface TurnContext {
  readonly table: Table;
  readonly clock: () => number; // epoch ms
}

export const turnIn = (item: Item | undefined): TurnItem | undefined => item && schema.parse(item);

/** Whether a turn is held at a time (epoch ms). */
export const isTaken = (turn: TurnItem | undefined, now: number): boolean =>
  turn !== undefined && turn.owner !== '' && turn.until > now;

/** A request for the turn: for the import `id`, or for a new import without one. */
export interface TurnWish {
  readonly site: string;
  readonly owner: string; // a unique token
  readonly id?: number;
  readonly isHanded?: boolean; // also takes a turn that was handed over to this import
}

/** Takes the turn for an import; undefined if another process holds it. */
export async function takeTurn(
  { table, clock }: TurnContext,
  { site, owner, id, isHanded = false }: TurnWish,
): Promise<UploadTurn | undefined> {
  const key = keys.uploadTurn(site);
  const before = turnIn(await table.get(key));
  const now = clock();
  const isMeant = isHanded && before?.handed === true && before.id === id;
  if (isTaken(before, now) && !isMeant) return undefined;
  const last = before?.last ?? 0;
  const turn = { site, id: id ?? last + 1, owner };
  const item: TurnItem = { owner, id: turn.id, last: Math.max(last, turn.id), until: now + TURN_MS };
  const when = before === undefined ? { absent: true as const } : { attribute: 'owner', equals: before.owner };
  try {
    await table.put({ ...key, ...item }, when);
    return turn;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/** The check in a transaction that this turn is still held. */
export const checkTurn = ({ site, owner }: UploadTurn): Write => ({
  check: keys.uploadTurn(site),
  when: { attribute: 'owner', equals: owner },
});

const FREE = { owner: '', until: 0 };

/** The write in a transaction that releases a turn; undefined if the turn is lost. */
export const releaseTurn = async (table: Table, turn: UploadTurn): Promise<Write | undefined> =>
  changed(table, turn, FREE);

/** Releases the turn; does nothing if it is lost. */
export async function endTurn({ table }: TurnContext, turn: UploadTurn): Promise<void> {
  await change(table, turn, FREE);
}

/** Hands the turn over to the process of the import's next step. False if the turn is lost. */
export const handOver = ({ table, clock }: TurnContext, turn: UploadTurn): Promise<boolean> =>
  change(table, turn, { handed: true, until: clock() + HANDED_MS });

/** Renews a turn until the returned function is called. Calls `lost` if another process has taken the turn. */
export function keepTurn({ table, clock }: TurnContext, turn: UploadTurn, lost: () => void): () => void {
  const timer = setInterval(() => {
    change(table, turn, { until: clock() + TURN_MS }).then(
      (isMine) => isMine || lost(),
      () => undefined, // the next renewal may succeed; if none does, the turn expires
    );
  }, RENEW_MS);
  return () => clearInterval(timer);
}

/** Changes a turn; false if it is lost. */
async function change(table: Table, turn: UploadTurn, to: Partial<TurnItem>): Promise<boolean> {
  const write = await changed(table, turn, to);
  if (write === undefined) return false;
  try {
    await table.put(write.put, write.when);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** The write that changes a turn while it is held; undefined if it is lost. */
async function changed(table: Table, turn: UploadTurn, to: Partial<TurnItem>) {
  const key = keys.uploadTurn(turn.site);
  const before = turnIn(await table.get(key));
  if (before?.owner !== turn.owner) return undefined;
  return { put: { ...key, ...before, ...to }, when: { attribute: 'owner', equals: turn.owner } };
}

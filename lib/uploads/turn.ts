import * as z from 'zod';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item, Table, Write } from '../store/table.ts';

/** One import of a site is at work at a time: it has the turn. */
export interface UploadTurn {
  readonly site: string;
  readonly id: number; // of the import
  readonly owner: string; // a token nobody else has
}

const schema = z.object({
  owner: z.string(), // empty: nobody
  id: z.int(), // of the import that has the turn, or had it last
  last: z.int(), // the largest id that was given out
  until: z.number(), // epoch ms: over then, unless it is renewed
  handed: z.boolean().optional(), // nobody works yet: it waits for whoever takes the import's next step
});
type TurnItem = z.infer<typeof schema>;

/** How long a turn holds without being renewed, in ms: then whoever had it has died. */
export const TURN_MS = 20_000;
const RENEW_MS = 4_000;
/** How long a turn waits for whoever takes the next step, in ms: a queue may have others before it. */
export const HANDED_MS = 30 * 60_000;

/** Who takes a turn, and when. */
export interface TurnContext {
  readonly table: Table;
  readonly clock: () => number; // epoch ms
}

export const turnIn = (item: Item | undefined): TurnItem | undefined => item && schema.parse(item);

/** Whether a turn is somebody's at a moment (epoch ms). */
export const isTaken = (turn: TurnItem | undefined, now: number): boolean =>
  turn !== undefined && turn.owner !== '' && turn.until > now;

/** Who wants the turn: an import, or a new one where no id is given. */
export interface TurnWish {
  readonly site: string;
  readonly owner: string; // a token nobody else has
  readonly id?: number;
  readonly isHanded?: boolean; // takes one that was handed over to this import, too
}

/** Takes the turn for an import; undefined where another has it. */
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

/** The part of a transaction that holds only while the turn is this one. */
export const whileMine = ({ site, owner }: UploadTurn): Write => ({
  check: keys.uploadTurn(site),
  when: { attribute: 'owner', equals: owner },
});

const NOBODYS = { owner: '', until: 0 };

/** The part of a transaction that releases a turn; undefined where it is somebody else's by now. */
export const turnBack = async (table: Table, turn: UploadTurn): Promise<Write | undefined> =>
  changed(table, turn, NOBODYS);

/** Releases the turn, unless somebody else has it by now. */
export async function endTurn({ table }: TurnContext, turn: UploadTurn): Promise<void> {
  await change(table, turn, NOBODYS);
}

/** Hands the turn over to whoever takes the import's next step. Whether it was still ours. */
export const handOver = ({ table, clock }: TurnContext, turn: UploadTurn): Promise<boolean> =>
  change(table, turn, { handed: true, until: clock() + HANDED_MS });

/** Renews a turn until its end is called. `lost` hears once that it is somebody else's. */
export function keepTurn({ table, clock }: TurnContext, turn: UploadTurn, lost: () => void): () => void {
  const timer = setInterval(() => {
    change(table, turn, { until: clock() + TURN_MS }).then(
      (isMine) => isMine || lost(),
      () => undefined, // the next attempt may do; if none does, the turn runs out
    );
  }, RENEW_MS);
  return () => clearInterval(timer);
}

/** Whether the turn was still ours to change. */
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

/** The write that changes a turn while it is ours; undefined where it is somebody else's. */
async function changed(table: Table, turn: UploadTurn, to: Partial<TurnItem>) {
  const key = keys.uploadTurn(turn.site);
  const before = turnIn(await table.get(key));
  if (before?.owner !== turn.owner) return undefined;
  return { put: { ...key, ...before, ...to }, when: { attribute: 'owner', equals: turn.owner } };
}

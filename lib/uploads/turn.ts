import * as z from 'zod';
import { keys } from '../store/keys.ts';
import {
  checkLease,
  isLeaseOver,
  keepLease,
  type Lease,
  type LeaseRule,
  type LeaseState,
  type LeaseWork,
  type RenewedLease,
  readLease,
  releaseLease,
  releaseWrite,
  renewLease,
  takeLease,
} from '../store/lease.ts';
import type { Item, Table, Write } from '../store/table.ts';

/** The turn of an import: only one import of a site works at a time. */
export interface UploadTurn {
  readonly site: string;
  readonly id: number; // the import's id
  readonly owner: string; // a unique token
}

const schema = z.object({
  id: z.int().default(0), // id of the import that holds the turn or held it last; 0: none yet
  last: z.int().default(0), // the largest id ever assigned to an import
  holder: z.string().optional(), // the process that holds it; absent: its death cannot be seen
  handed: z.boolean().optional(), // handed over to the process of the import's next step, which has not begun
});
type TurnRecord = Readonly<z.infer<typeof schema>>;
export type TurnState = LeaseState<TurnRecord>;

/** A turn expires after this time without renewal, in ms: its process has died. */
export const TURN_MS = 20_000;
/** A turn that was handed over expires after this time, in ms: other messages may be first in the queue. */
export const HANDED_MS = 30 * 60_000;

/** Tells processes from each other, where the death of one can be seen: its turn is over then, without a wait. */
export interface Holders {
  /** A text that names this process. */
  readonly own: () => Promise<string>;
  /** Whether a process is known to be dead. */
  readonly isGone: (holder: string) => Promise<boolean>;
}

/** The table and the clock that turns need. */
export interface TurnContext {
  readonly table: Table;
  readonly clock: () => number; // epoch ms
  readonly holders?: Holders | undefined; // absent: a dead holder's turn runs out
}

/** A request for the turn: for the import `id`, or for a new import without one. */
export interface TurnWish {
  readonly site: string;
  readonly owner: string; // a unique token
  readonly id?: number | undefined;
  readonly isHanded?: boolean; // also takes a turn that was handed over to this import
}

/** What is known of processes: this one, and the owner of a turn whose process is dead. */
interface TurnProcesses {
  readonly holder?: string | undefined;
  readonly dead?: string | undefined;
}

const ruleOf = (
  { id, isHanded = false }: Pick<TurnWish, 'id' | 'isHanded'> = {},
  { holder, dead }: TurnProcesses = {},
): LeaseRule<TurnRecord> => ({
  kept: schema,
  mayTake: ({ owner, kept }, _now, isOver) =>
    isOver || (isHanded && kept.handed === true && kept.id === id) || (dead !== undefined && owner === dead),
  taken: ({ last }) => ({ id: id ?? last + 1, last: Math.max(last, id ?? last + 1), holder }),
  released: ({ id, last }) => ({ id, last }),
});
const RULE = ruleOf();

const leaseOf = ({ table, clock }: TurnContext, { site, owner }: Pick<UploadTurn, 'site' | 'owner'>): Lease => ({
  table,
  key: keys.uploadTurn(site),
  owner,
  now: clock,
  length: TURN_MS,
  longest: HANDED_MS,
});

export const turnIn = (item: Item | undefined): TurnState => readLease(RULE, item);

/** Reads a site's turn; that of a process that is known to be dead is over. */
export async function readTurn({ table, holders }: Omit<TurnContext, 'clock'>, site: string): Promise<TurnState> {
  const state = turnIn(await table.get(keys.uploadTurn(site)));
  return (await isDead(holders, state)) ? { ...state, owner: undefined, expiresAt: 0 } : state;
}

async function isDead(holders: Holders | undefined, { owner, kept: { holder } }: TurnState): Promise<boolean> {
  if (owner === undefined || holder === undefined) return false;
  return (await holders?.isGone(holder)) ?? false;
}

/** Whether an import holds its site's turn at a time (epoch ms). */
export const hasTurn = ({ kept, expiresAt }: TurnState, id: number, now: number): boolean =>
  kept.id === id && !isLeaseOver(expiresAt, now, HANDED_MS);

/** Takes the turn for an import; undefined if another process holds it. */
export async function takeTurn(context: TurnContext, wish: TurnWish): Promise<UploadTurn | undefined> {
  const { site, owner } = wish;
  const { table, holders } = context;
  const item = holders && (await table.get(keys.uploadTurn(site)));
  const state = turnIn(item);
  const dead = (await isDead(holders, state)) ? state.owner : undefined;
  const outcome = await takeLease(leaseOf(context, wish), ruleOf(wish, { holder: await holders?.own(), dead }), item);
  return 'held' in outcome ? { site, id: outcome.held.kept.id, owner } : undefined;
}

/** The check in a transaction that this turn is still held. */
export const checkTurn = ({ site, owner }: UploadTurn): Write => checkLease({ key: keys.uploadTurn(site), owner });

/** The write in a transaction that releases a turn; undefined if the turn is lost. */
export const releaseTurn = (context: TurnContext, turn: UploadTurn): Promise<Write | undefined> =>
  releaseWrite(leaseOf(context, turn), RULE);

/** Releases the turn; does nothing if it is lost. */
export const endTurn = (context: TurnContext, turn: UploadTurn): Promise<void> =>
  releaseLease(leaseOf(context, turn), RULE);

/** Hands the turn over to the process of the import's next step. False if the turn is lost. */
export const handOver = (context: TurnContext, turn: UploadTurn): Promise<boolean> =>
  renewLease(leaseOf(context, turn), RULE, HANDED_MS, { handed: true });

/** Makes this process the holder of a turn that another one took for it. False if the turn is lost. */
export const moveTurn = async (context: TurnContext, turn: UploadTurn): Promise<boolean> =>
  renewLease(leaseOf(context, turn), RULE, TURN_MS, { holder: await context.holders?.own(), handed: undefined });

/** Renews a turn while its work makes progress. */
export const keepTurn = (context: TurnContext, turn: UploadTurn, work: LeaseWork): RenewedLease =>
  keepLease(leaseOf(context, turn), RULE, work);

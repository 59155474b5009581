import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Context } from '../../context.ts';
import { Failure, oneFault, tooManyRequests } from '../../errors.ts';
import type { Condition } from '../../store/condition.ts';
import { ConditionFailed } from '../../store/faults.ts';
import { keys } from '../../store/keys.ts';
import { EngineBusy, type QueryEngine, type QueryState } from '../../store/query-engine.ts';

const KEPT = 10 * 60_000; // ms after its beginning in which a query answers the same request
const SPARE = 2_000; // ms before the deadline of a request for its reply
const QUEUED = 10_000; // ms that a query may wait for its beginning
const AGAIN = 12_000; // ms that must be left for a second try
const DAY = 86_400_000; // ms
const LATER = 10; // s after which a client tries again
const LOOKS = { first: 100, longest: 1_000 }; // ms between two looks at a query

const schema = z.object({
  digest: z.string(), // of what was asked
  token: z.string(), // of files, moment and statement
  tries: z.int(), // that failed before
  now: z.int(), // s: the moment as of which it counts
  time: z.string(), // JSON of the range of the request as of that moment
  state: z.string(), // of the files
  min: z.number(), // s: a range with all facts of the files
  max: z.number(),
  began: z.int(), // epoch ms
  until: z.int(), // epoch ms: until then its asker waits for it
  asker: z.string(), // of the last write
  yields: z.boolean().optional(), // its asker is no person: another report of one need not wait for it
  id: z.string().optional(), // that the engine gave it
});

/** The query of a site that an engine may be running. */
export type Running = Readonly<z.infer<typeof schema>>;

/** What a query is begun by. */
export type Query = Omit<Running, 'began' | 'until' | 'asker' | 'id' | 'yields'> & { readonly sql: string };

/** Reads what query of the site may be running. */
export async function readRunning({ table, site }: Context): Promise<Running | undefined> {
  const item = await table.get(keys.engineQuery(site.name));
  return item && schema.parse(item);
}

/** Whether a query answers what has the digest. */
export const isFor = ({ digest, began }: Running, asked: string, now: number): boolean =>
  digest === asked && began + KEPT > now;

/** The 503 of what the engine has no answer to yet; the cause goes to the log alone. */
export function later(cause?: unknown, seconds = LATER): Failure {
  const failure = new Failure('unavailable', { headers: { 'Retry-After': String(seconds) } });
  failure.cause = cause;
  return failure;
}

/** Begins a query, or finds it again as `before`, and waits for its end. Throws the 503 of one that is late or fails, and 429 while the site has another one. */
export async function waitFor(
  context: Context,
  queries: QueryEngine,
  query: Query,
  before: Running | undefined,
): Promise<{ readonly end: QueryState; readonly done: () => Promise<unknown> }> {
  const mine = await begin(context, queries, query, before);
  const drop = () => write(context, mine);
  const end = await endOf(context, queries, mine);
  if (end.state === 'SUCCEEDED') return { end, done: drop };
  await noteEnd(context, end);
  const { reason = end.state } = end;
  await drop();
  if (/bytes scanned limit/i.test(reason)) throw oneFault('too_large', ['time'], TOO_MANY_BYTES);
  const left = context.deadline - context.clock();
  if (end.state !== 'FAILED' || !end.isRetryable || query.tries > 0 || left < AGAIN) throw later(new Error(reason));
  return waitFor(context, queries, again(query), undefined);
}

export const TOO_MANY_BYTES =
  'The report would read more than a query may. It would fit with a shorter time, fewer fields or one dimension less.';

/** The second try of a query: Athena knows the token of the first one. */
const again = (query: Query): Query => ({
  ...query,
  tries: query.tries + 1,
  token: `${query.token}-${query.tries + 1}`,
});

/** Logs a query that has ended, and adds what it has read to its day. */
export async function noteEnd({ log, site, clock, table }: Context, { state, bytes, ms }: QueryState): Promise<void> {
  log('info', 'engine', { site: site.name, engine: 'warehouse', state, query_ms: ms, scanned_bytes: bytes });
  const now = clock();
  await table.add(keys.engineDay(dayOf(now)), { bytes }, Math.ceil((now + 7 * DAY) / 1000));
}

/** Throws the 503 that ends at midnight UTC, once queries of all sites have read what they may in a day. */
export async function checkDay({ table, clock }: Context, most: number): Promise<void> {
  const now = clock();
  const item = await table.get(keys.engineDay(dayOf(now)));
  if (Number(item?.bytes ?? 0) < most) return;
  throw later(new Error(`queries have read ${most} bytes today`), Math.ceil((DAY - (now % DAY)) / 1000));
}

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** The 503 of a call that the engine did not answer. */
function failed({ log, site }: Context, error: unknown): Failure {
  if (error instanceof EngineBusy) log('info', 'engine', { site: site.name, engine: 'warehouse', state: 'THROTTLED' });
  return later(error);
}

async function begin(
  context: Context,
  queries: QueryEngine,
  { sql, ...query }: Query,
  before: Running | undefined,
): Promise<Running> {
  const same = before?.token === query.token ? before : undefined;
  if (before !== undefined && same === undefined) await stop(context, queries, before);
  const { clock, deadline, newId, actor } = context;
  const yields = actor === 'service' || undefined;
  const mine = { ...query, began: same?.began ?? clock(), until: deadline, asker: newId(), yields, id: same?.id };
  const condition: Condition = before ? { attribute: 'asker', equals: before.asker } : { absent: true };
  const isMine =
    (await write(context, mine, mine, condition)) ||
    (before !== undefined && (await write(context, mine, mine, { absent: true }))); // whose query was stopped forgets it
  if (!isMine) throw busy(1);
  if (mine.id !== undefined) return mine;
  try {
    const begun = { ...mine, id: await queries.start(sql, query.token) };
    await write(context, mine, begun); // who has found it again meanwhile gets the same id
    return begun;
  } catch (error) {
    // It may have begun without an answer. What has not is forgotten: its moment would be past when it begins.
    await write(context, mine, error instanceof EngineBusy ? undefined : { ...mine, until: 0 });
    throw failed(context, error);
  }
}

/** Ends a query that answers nobody any more, as it would not be asked for in the same way now. */
export async function forget(context: Context, queries: QueryEngine, running: Running): Promise<void> {
  await stop(context, queries, running);
  await write(context, running);
}

/** Ends a query that nobody waits for; a mail waits behind people. */
async function stop(context: Context, queries: QueryEngine, { id, until, yields }: Running): Promise<void> {
  const left = yields && context.actor !== 'service' ? 0 : until - context.clock();
  if (left > 0) throw busy(Math.ceil(left / 1000));
  if (id === undefined) return;
  try {
    await queries.stop(id);
    await noteEnd(context, await queries.find(id));
  } catch (error) {
    throw failed(context, error);
  }
}

const busy = (seconds: number): Failure => tooManyRequests('Another report of the site is being computed.', seconds);

async function endOf(context: Context, queries: QueryEngine, mine: Running): Promise<QueryState> {
  const { clock, deadline, log, site } = context;
  for (let wait = LOOKS.first; ; wait = Math.min(LOOKS.longest, 1.5 * wait)) {
    const found = await queries.find(mine.id ?? '').catch(async (error: unknown) => {
      await write(context, mine, { ...mine, until: 0 });
      throw failed(context, error);
    });
    if (found.state !== 'QUEUED' && found.state !== 'RUNNING') return found;
    const isStuck = found.state === 'QUEUED' && clock() - mine.began > QUEUED;
    if (isStuck || clock() + wait > deadline - SPARE) {
      await write(context, mine, { ...mine, until: 0 });
      log('info', 'engine', { site: site.name, engine: 'warehouse', state: isStuck ? 'QUEUED' : 'LATE' });
      throw later();
    }
    await sleep(wait);
  }
}

/** Replaces the item of a query by another or, without one, by none; false if another process has replaced it. */
async function write(
  context: Context,
  { asker }: Running,
  next?: Running,
  when: Condition = { attribute: 'asker', equals: asker },
): Promise<boolean> {
  const { table, site } = context;
  const key = keys.engineQuery(site.name);
  try {
    await (next ? table.put({ ...key, ...next }, when) : table.delete(key, when));
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const now = await readRunning(context);
    return next !== undefined && now?.asker === next.asker; // the write was done, and its answer lost
  }
}

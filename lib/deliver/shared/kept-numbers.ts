import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import type { Site } from '../../access/site-fields.ts';
import type { User } from '../../access/users.ts';
import { Failure } from '../../errors.ts';
import { etagOf } from '../../http/reply.ts';
import type { DoTask } from '../../http/task.ts';
import { putLast } from '../../put-last.ts';
import { unavailable } from '../../store/faults.ts';
import { keys } from '../../store/keys.ts';
import { FIRST_COME, withLease } from '../../store/lease.ts';
import type { Table } from '../../store/table.ts';

export const SAME_NUMBERS = 5 * 60_000; // ms for which all viewers of a board share its numbers
const AGAIN = 30_000; // ms between two tries to compute numbers that cannot be computed
const REMEMBERED = 200; // boards in one process
const LARGEST_STORED = 350_000; // bytes; larger numbers are shared within a process alone
const KEPT = 3_600; // s for which the table keeps numbers that nobody asks for

/** The route by which numbers are computed; no request reaches it. */
export const NUMBERS_ROUTE = 'computeSharedBoard';

/** What the numbers are computed with. */
export interface NumbersTools {
  readonly table: Table;
  readonly clock: () => number; // epoch ms
  readonly newId: () => string;
  readonly doTask: DoTask;
  readonly answerWithin: number; // ms that computing may take
  readonly lease: number; // ms; longer than `answerWithin`
}

/** A board whose numbers are asked for. */
export interface WantedNumbers {
  readonly site: Site;
  readonly maker: User; // of the link
  readonly board: number;
  readonly of: string; // what the board and its reports ask for
  readonly origin: string;
}

/** The numbers of a board at a moment. */
export interface Numbers {
  readonly of: string;
  readonly at: number; // epoch ms
  readonly body: string; // JSON
  readonly etag: string;
}

const stored = z.object({ of: z.string(), at: z.number(), packed: z.instanceof(Uint8Array) });

/** What the board and its reports ask for, as a short text: with another one its numbers are computed anew. */
export const askedBy = (...parts: readonly unknown[]): string => hash('sha256', JSON.stringify(parts), 'hex');

/**
 * Returns a function that answers with the numbers of a board, at most five minutes old. However many ask, they are
 * computed once: for all of a process by one promise, for all processes by a lease and the table. It takes no turn of the
 * site's reports. Throws `unavailable` while another process computes, and for a while after a failure.
 */
export function createNumbersCache(tools: NumbersTools): (wanted: WantedNumbers) => Promise<Numbers> {
  const { table, clock, newId } = tools;
  const cached = new Map<string, Numbers>();
  const running = new Map<string, Promise<Numbers>>();
  const failed = new Map<string, number>(); // epoch ms of the last failure

  const isGood = (numbers: Pick<Numbers, 'of' | 'at'> | undefined, { of }: WantedNumbers): boolean => {
    const age = numbers === undefined ? SAME_NUMBERS : clock() - numbers.at;
    return numbers?.of === of && age >= 0 && age < SAME_NUMBERS;
  };

  async function compute(wanted: WantedNumbers, once: string): Promise<Numbers> {
    const { site, board, of } = wanted;
    const key = keys.sharedBoard(site.name, board);
    const item = await table.get(key);
    const earlier = item && stored.parse(item);
    if (earlier !== undefined && isGood(earlier, wanted)) return fromTable(earlier);
    const lease = { table, key: keys.sharedTurn(site.name, board), owner: newId(), now: clock, length: tools.lease };
    const outcome = await withLease(lease, FIRST_COME, async () => {
      const at = clock();
      const body = await computed(tools, wanted, at).catch((error: unknown) => {
        putLast(failed, once, clock(), REMEMBERED);
        throw error;
      });
      const packed = deflateRawSync(body);
      if (packed.length <= LARGEST_STORED)
        await table.put({ ...key, of, at, packed, ttl: Math.ceil(at / 1000) + KEPT });
      return { of, at, body, etag: etagOf(body) };
    });
    if ('wait' in outcome) throw unavailable();
    return outcome.done;
  }

  return async (wanted) => {
    const name = `${wanted.site.name}\n${wanted.site.added}\n${wanted.board}`;
    const numbers = cached.get(name);
    if (numbers !== undefined && isGood(numbers, wanted)) return numbers;
    const once = `${name}\n${wanted.of}`;
    if (clock() - (failed.get(once) ?? -AGAIN) < AGAIN) throw unavailable();
    let work = running.get(once);
    if (work === undefined) {
      work = compute(wanted, once).finally(() => running.delete(once));
      running.set(once, work);
    }
    const fresh = await work;
    putLast(cached, name, fresh, REMEMBERED);
    return fresh;
  };
}

function fromTable({ of, at, packed }: z.infer<typeof stored>): Numbers {
  const body = inflateRawSync(packed).toString();
  return { of, at, body, etag: etagOf(body) };
}

/** Computes the numbers as who made the link would, beside the site's reports. */
async function computed(
  { doTask, clock, answerWithin }: NumbersTools,
  { site, maker: { password: _, ...user }, board, origin }: WantedNumbers,
  now: number,
): Promise<string> {
  const outcome = await doTask({
    site,
    user,
    actor: 'service' as const,
    now,
    deadline: clock() + answerWithin,
    origin,
    route: NUMBERS_ROUTE,
    params: { board_id: String(board) },
    query: new Map(),
    pairs: [],
    headers: {},
    body: new Uint8Array(),
  });
  if ('reply' in outcome) return outcome.reply.body ?? '';
  if ('failure' in outcome) throw new Failure(outcome.failure.kind, outcome.failure);
  throw new Error(outcome.error);
}

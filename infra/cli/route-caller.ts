import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import * as z from 'zod';
import { doorOf } from '../../lib/access/authority.ts';
import type { Site } from '../../lib/access/site-fields.ts';
import type { Context } from '../../lib/context.ts';
import { dispatch } from '../../lib/http/dispatch.ts';
import type { Reply } from '../../lib/http/reply.ts';
import type { Route } from '../../lib/http/route.ts';
import { newShared } from '../../lib/memo.ts';
import { routes } from '../../lib/routes.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { keys } from '../../lib/store/keys.ts';
import { readItems } from '../../lib/store/read-items.ts';
import { replan } from '../../lib/store/replan.ts';
import { openCollection } from '../../lib/store/site-table.ts';
import type { Table } from '../../lib/store/table.ts';
import type { CommandEntry } from './audited.ts';

const PATIENCE = 3_600_000; // ms: a command has no client that stops waiting

/** The parts of a request. */
interface RouteCall {
  readonly body?: Buffer;
  readonly query?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>; // parameters of the path
}

/** Calls routes of a site as HTTP does, for a caller with access to the table. */
export interface RouteCaller {
  /** The reply of a route, which is named or, if it works with tools of its own, given; throws a `Failure`. */
  reply(named: string | Route, asked?: RouteCall): Promise<Reply>;
  /** The reply's body. */
  text(name: string, asked?: RouteCall): Promise<string>;
  /** The reply's body, parsed. */
  json(name: string, asked?: RouteCall): Promise<unknown>;
  /** The entries of all pages of a list, read by their shape. */
  entries<T>(name: string, shape: z.ZodType<T>): Promise<readonly T[]>;
  /**
   * Does what no endpoint does by the functions that endpoints call: again if another write came first. What it commits
   * has this entry of the audit.
   */
  change<T>(entry: CommandEntry, work: (context: OperatorContext) => Promise<T>): Promise<T>;
}

/** What of a request's context a change by the operator has. */
type OperatorContext = Pick<Context, 'site' | 'table' | 'collections' | 'actor' | 'now' | 'open' | 'commit'>;

/** A caller of the routes of a site; it keeps collections in memory between requests. `clock` in epoch ms. */
export function createRouteCaller(table: Table, site: Site, clock: () => number = Date.now): RouteCaller {
  const collections = createCollections();
  const shared = newShared();
  async function reply(
    named: string | Route,
    { body = Buffer.alloc(0), query = {}, params = {} }: RouteCall = {},
  ): Promise<Reply> {
    const route = typeof named === 'string' ? routeOf(named) : named;
    const heads = await readItems(table, route.reads(site.name, params).map(keys.head));
    const request = {
      query: new Map(Object.entries(query)),
      pairs: [],
      headers: {},
      readStream: () => Readable.from([body]),
    };
    const now = clock();
    const context = {
      site,
      user: { login: 'command line', role: 'Administrator', deleted: false } as const,
      actor: 'operator' as const,
      table,
      collections,
      shared,
      now,
      deadline: now + PATIENCE,
      clock,
      newId: randomUUID,
      log: () => undefined,
      origin: '',
      checkPassword: async () => false, // a command has no sign-in
    };
    return dispatch({ route, request, params, body }, context, heads);
  }
  const text: RouteCaller['text'] = async (name, asked) => (await reply(name, asked)).body ?? '';
  const json: RouteCaller['json'] = async (name, asked) => JSON.parse((await text(name, asked)) || 'null');
  const entries = async <T>(name: string, shape: z.ZodType<T>): Promise<readonly T[]> => {
    const read: T[] = [];
    const page = z.object({ total_entries: z.int().optional(), _embedded: z.object({ entries: z.array(shape) }) });
    for (let number = 1; ; number += 1) {
      const { total_entries, _embedded } = page.parse(await json(name, { query: { page: String(number) } }));
      read.push(..._embedded.entries);
      if (read.length >= (total_entries ?? 0) || _embedded.entries.length === 0) return read;
    }
  };
  const change: RouteCaller['change'] = (entry, work) => {
    const id = randomUUID(); // one for all attempts: it proves that the change is made
    return replan(() => {
      const now = clock();
      const opening = { table, collections, site: site.name, now };
      const { actor, commit } = doorOf(opening, 'operator', { fields: [], ...entry, id, at: now });
      return work({
        site,
        table,
        collections,
        actor,
        now,
        open: (partition) => openCollection(opening, partition),
        commit: (changes, answer, writes = []) => commit(changes, answer, writes),
      });
    });
  };
  return { reply, text, json, entries, change };
}

function routeOf(name: string): Route {
  const route = routes.find((one) => one.name === name);
  if (route === undefined) throw new Error(`there is no route ${name}`);
  return route;
}

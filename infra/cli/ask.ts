import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Site } from '../../lib/access/sites.ts';
import { dispatch } from '../../lib/http/dispatch.ts';
import type { Reply } from '../../lib/http/reply.ts';
import type { Route } from '../../lib/http/route.ts';
import { newShared } from '../../lib/memo.ts';
import { routes } from '../../lib/routes.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { findItems } from '../../lib/store/found.ts';
import { keys } from '../../lib/store/keys.ts';
import type { Table } from '../../lib/store/table.ts';

const PATIENCE = 3_600_000; // ms: a command has no client that stops waiting

/** The parts of a request. */
interface RouteCall {
  readonly body?: Buffer;
  readonly query?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>; // parameters of the path
}

/** Calls routes of a site as HTTP does, for a caller with access to the table. */
export interface RouteCaller {
  /** The reply of a route; throws a `Failure`. */
  reply(name: string, asked?: RouteCall): Promise<Reply>;
  /** The reply's body. */
  text(name: string, asked?: RouteCall): Promise<string>;
  /** The reply's body, parsed. */
  json(name: string, asked?: RouteCall): Promise<unknown>;
}

/** An asker of a site; it keeps collections in memory between requests. `clock` in epoch ms. */
export function createRouteCaller(table: Table, site: Site, clock: () => number = Date.now): RouteCaller {
  const collections = createCollections();
  const shared = newShared();
  async function reply(
    name: string,
    { body = Buffer.alloc(0), query = {}, params = {} }: RouteCall = {},
  ): Promise<Reply> {
    const route = routeOf(name);
    const heads = await findItems(table, route.reads(site.name, params).map(keys.head));
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
  return { reply, text, json: async (name, asked) => JSON.parse((await text(name, asked)) || 'null') };
}

function routeOf(name: string): Route {
  const route = routes.find((one) => one.name === name);
  if (route === undefined) throw new Error(`there is no route ${name}`);
  return route;
}

import { randomUUID } from 'node:crypto';
import type { Site } from '../../lib/access/sites.ts';
import { dispatch } from '../../lib/http/dispatch.ts';
import type { Route } from '../../lib/http/route.ts';
import { routes } from '../../lib/routes.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { keys } from '../../lib/store/keys.ts';
import type { Table } from '../../lib/store/table.ts';

const PATIENCE = 3_600_000; // ms: nobody hangs up on a command

/** Asks a route as `askText` does; returns the JSON of its reply. */
export const ask = async (table: Table, site: Site, name: string, body: Buffer): Promise<unknown> =>
  JSON.parse((await askText(table, site, name, { body })) || 'null');

/** What a request says beside its path. */
interface Asked {
  readonly body: Buffer;
  readonly query?: Readonly<Record<string, string>>;
}

/** Asks a route without parameters as HTTP would, for whoever has the table in hand; returns its reply. Throws a `Failure`. */
export async function askText(table: Table, site: Site, name: string, { body, query = {} }: Asked): Promise<string> {
  const route = routeOf(name);
  const partitions = route.reads(site.name, {});
  const items = await table.batchGet(partitions.map(keys.head));
  const request = { query: new Map(Object.entries(query)), headers: {} };
  const now = Date.now();
  const context = {
    site,
    user: { login: 'command line', role: 'Administrator', deleted: false } as const,
    table,
    collections: createCollections(),
    now,
    deadline: now + PATIENCE,
    clock: Date.now,
    newId: randomUUID,
    log: () => undefined,
    origin: '',
    shared: <T>(make: () => T): T => make(),
  };
  const heads = new Map(partitions.map(({ pk }, place) => [pk, items[place]]));
  const reply = await dispatch({ route, request, params: {}, body }, context, heads);
  return reply.body ?? '';
}

function routeOf(name: string): Route {
  const route = routes.find((one) => one.name === name);
  if (route === undefined) throw new Error(`there is no route ${name}`);
  return route;
}

import * as z from 'zod';
import { type OAuthKeyStore, someKeys } from '../access/oauth/oauth-keys.ts';
import { openText, sealedShape, sealText } from '../access/oauth/oauth-secrets.ts';
import { parsedJson } from '../json.ts';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item, Table, Write } from '../store/table.ts';
import { CASE_STATUSES } from '../vocabulary.ts';
import { SYSTEMS } from './desk.ts';
import { dropRings } from './rings.ts';

/** What a connection reads of its help desk's cases, as clients send it. */
export const DESK_OPTIONS = z.object(
  {
    automated: z.array(z.int('invalid'), 'invalid').max(1_000, 'too_long').optional(),
    statuses: z.record(z.string(), z.enum(CASE_STATUSES, 'invalid'), 'invalid').optional(),
    merged: z.enum(['keep', 'skip'], 'invalid').optional(),
    time_field: z.string('invalid').min(1, 'invalid').max(255, 'too_long').optional(),
  },
  'invalid',
);

const stored = z.object({
  id: z.int(),
  system: z.enum(SYSTEMS),
  url: z.string(), // without a slash at its end
  account: z.int().nullable(), // Chatwoot's
  name: z.string(),
  source: z.string(), // of the facts
  since: z.number().nullable(), // epoch ms; cases that last changed before are not fetched
  interval: z.int(), // s between pulls
  paused: z.boolean(),
  options: DESK_OPTIONS,
  login: z.string().nullable(),
  sealed: sealedShape, // token and webhook secret
  hasSecret: z.boolean(), // of doorbells
  doorbell: z.string(), // 32 hex digits of its address
  isShared: z.boolean(), // the source had events before the connection
  removing: z.boolean(), // it is being disconnected with its facts
  set_at: z.number(), // epoch ms of the credentials
  created_at: z.number(),
  updated_at: z.number(),
  change: z.string(), // another text after every write
});

/** A connection of a site to its help desk, as stored. */
export type DeskConnection = Readonly<z.infer<typeof stored>>;

const secrets = z.object({ token: z.string(), webhook: z.string().nullable() });
/** What of a connection is secret. */
export type ConnectionSecrets = Readonly<z.infer<typeof secrets>>;

export const connectionIn = (item: Item | undefined): DeskConnection | undefined =>
  item === undefined ? undefined : stored.parse(item);

export const connectionItem = (site: string, connection: DeskConnection): Item => ({
  ...keys.connection(site, 'settings'),
  ...connection,
});

/** Reads the connection of a site; undefined if it has none. */
export const readConnection = async (table: Table, site: string): Promise<DeskConnection | undefined> =>
  connectionIn(await table.get(keys.connection(site, 'settings')));

const placeOf = (site: string, id: number): string => `connection of ${site}: ${id}`;

/** Encrypts the secrets of a connection; a key is made if there is none. */
export async function sealConnection(
  store: OAuthKeyStore,
  site: string,
  id: number,
  plain: ConnectionSecrets,
): Promise<DeskConnection['sealed']> {
  const [key] = await someKeys(store);
  if (key === undefined) throw new Error('a store of keys without a key');
  return sealText(key, JSON.stringify(plain), placeOf(site, id));
}

/** Decrypts them; undefined without the key, as of a table that was moved without it. */
export async function openConnection(
  store: OAuthKeyStore,
  site: string,
  { id, sealed }: Pick<DeskConnection, 'id' | 'sealed'>,
): Promise<ConnectionSecrets | undefined> {
  for (const fresh of [false, true]) {
    const text = openText(await store.read(fresh), sealed, placeOf(site, id));
    if (text !== undefined) return secrets.safeParse(parsedJson(text)).data;
  }
  return undefined;
}

/** The writes that end a connection: its pulls cannot store anything after them. */
export const endWrites = (site: string, { change }: DeskConnection): readonly Write[] => [
  { delete: keys.connection(site, 'settings'), when: { attribute: 'change', equals: change } },
  ...(['progress', 'lease', 'wish', 'doorbell', 'rung', 'check'] as const).map((part) => ({
    delete: keys.connection(site, part),
  })),
];

/** Ends a connection; does nothing if it changed meanwhile. */
export async function forgetConnection(table: Table, site: string, connection: DeskConnection): Promise<void> {
  await table.transact(endWrites(site, connection)).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
  await dropRings(table, site);
}

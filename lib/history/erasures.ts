import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import type { ErasedKind, Erasures } from './cases/erasing.ts';
import type { HistoryContext } from './storage/history-context.ts';

/** The item of an erasure. It has a keyed hash of the erased id or name, which itself must not be stored. */
const noteSchema = z.object({ hash: z.string(), standIn: z.number().optional() });
const headSchema = z.object({ secret: z.string(), version: z.int().optional() });

/** Something to erase. */
export interface ErasedName {
  readonly kind: ErasedKind;
  readonly name: string; // id, login, or the result of `valueName`
  readonly standIn?: number; // only for an agent or company: the id that replaces its own
}

const HASH = 32; // hexadecimal digits
const ALIAS = 12; // hexadecimal digits
const AT_ONCE = 90; // items in a transaction

const hashOf = (secret: string, kind: ErasedKind, name: string): string =>
  createHmac('sha256', secret).update(`${kind} ${name}`).digest('hex').slice(0, HASH);

/** Reads what was erased from a site; undefined if nothing was. */
export async function readErasures({ table, site }: HistoryContext): Promise<Erasures | undefined> {
  const items = await table.query(keys.history(site.name).pk, { prefix: keys.erasures(site.name).sk });
  const head = items.find(({ sk }) => sk === keys.erasures(site.name).sk);
  return head && erasuresOf(headSchema.parse(head).secret, items);
}

function erasuresOf(secret: string, items: readonly Item[]): Erasures {
  const notes = new Map(
    items.flatMap((item) => {
      const { success, data } = noteSchema.safeParse(item);
      return success ? [[data.hash, data] as const] : [];
    }),
  );
  const known = new Map<string, number | undefined>(); // cache: events name the same members again and again
  return {
    isErased: (kind, name) => notes.has(hashOf(secret, kind, name)),
    standIn(kind, id) {
      const asked = `${kind} ${id}`;
      if (!known.has(asked)) known.set(asked, notes.get(hashOf(secret, kind, String(id)))?.standIn);
      return known.get(asked);
    },
  };
}

/** The version of the history with which the last erasure was done; 0: none was. */
export async function readErasedVersion({ table, site }: HistoryContext): Promise<number> {
  const item = await table.get(keys.erasures(site.name));
  return (item && headSchema.parse(item).version) ?? 0;
}

/** Notes that an erasure is done with a version of the history: what was written of older ones may have what was erased. */
export async function noteErased({ table, site }: HistoryContext, version: number): Promise<void> {
  const item = await table.get(keys.erasures(site.name));
  if (item !== undefined) await table.put({ ...item, version });
}

/**
 * Returns the alias of an erased login for the audit. Only with the site's secret can it be computed from the login.
 */
export async function aliasOf({ table, site }: HistoryContext, login: string): Promise<string> {
  const { secret } = headSchema.parse(await table.get(keys.erasures(site.name)));
  return `erased-${hashOf(secret, 'login', login).slice(0, ALIAS)}`;
}

/**
 * Records names as erased; those recorded before keep their stand-ins. Returns all that was ever erased from the site.
 */
export async function recordErased(context: HistoryContext, names: readonly ErasedName[]): Promise<Erasures> {
  const { table, site, newId } = context;
  const head = keys.erasures(site.name);
  try {
    const secret = createHmac('sha256', newId()).update(newId()).digest('hex');
    await table.put({ ...head, secret }, { absent: true });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error; // something was erased before
  }
  const { secret } = headSchema.parse(await table.get(head));
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const puts = names.slice(at, at + AT_ONCE).map(({ kind, name, standIn }) => {
      const hash = hashOf(secret, kind, name);
      return { ...keys.erased(site.name, hash), hash, standIn };
    });
    const before = await table.batchGet(puts);
    const fresh = puts.filter((_, index) => before[index] === undefined);
    if (fresh.length > 0) await table.transact(fresh.map((put) => ({ put })));
  }
  const erasures = await readErasures(context);
  if (erasures === undefined) throw new Error('the erasures just stored are missing');
  return erasures;
}

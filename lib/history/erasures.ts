import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import type { ErasedKind, Erasures } from './cases/erasing.ts';
import type { HistoryContext } from './commits/history-context.ts';

/** The note of an erasure: a keyed hash of what was erased, because the erased id or name itself must not be stored. */
const noteSchema = z.object({ hash: z.string(), standIn: z.number().optional() });
const headSchema = z.object({ secret: z.string() });

/** Something to be erased, by the name it is known under. */
export interface ErasedName {
  readonly kind: ErasedKind;
  readonly name: string;
  readonly standIn?: number; // of an agent or company: the id under which its counts go on
}

const HASH = 32; // hexadecimal digits
const ALIAS = 12; // hexadecimal digits
const AT_ONCE = 90; // notes in a transaction

const hashOf = (secret: string, kind: ErasedKind, name: string): string =>
  createHmac('sha256', secret).update(`${kind} ${name}`).digest('hex').slice(0, HASH);

/** What was erased from a site; undefined: nothing. */
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
  const known = new Map<string, number | undefined>(); // stand-ins that were asked for: the same members come again and again
  return {
    isErased: (kind, name) => notes.has(hashOf(secret, kind, name)),
    standIn(kind, id) {
      const asked = `${kind} ${id}`;
      if (!known.has(asked)) known.set(asked, notes.get(hashOf(secret, kind, String(id)))?.standIn);
      return known.get(asked);
    },
  };
}

/** What an erased login is called where the site notes who did what: nobody can tell it without the site's secret. */
export async function aliasOf({ table, site }: HistoryContext, login: string): Promise<string> {
  const { secret } = headSchema.parse(await table.get(keys.erasures(site.name)));
  return `erased-${hashOf(secret, 'login', login).slice(0, ALIAS)}`;
}

/** Notes what is erased from now on; what was noted before keeps its stand-in. Returns all that is erased. */
export async function noteErased(context: HistoryContext, names: readonly ErasedName[]): Promise<Erasures> {
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
      return { ...keys.erased(site.name, hash), hash, ...(standIn === undefined ? {} : { standIn }) };
    });
    const before = await table.batchGet(puts);
    const fresh = puts.filter((_, place) => before[place] === undefined);
    if (fresh.length > 0) await table.transact(fresh.map((put) => ({ put })));
  }
  const erasures = await readErasures(context);
  if (erasures === undefined) throw new Error('what was noted as erased is not there');
  return erasures;
}

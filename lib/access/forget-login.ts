import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { normalizeLogin } from './users.ts';

const AT_ONCE = 500; // entries a step, so that other requests can use the table in between

/**
 * Replaces a person's login by an alias in the site's audit and in its uploads. The entries stay, and one person's
 * entries keep one name. Safe to run again after a crash.
 */
export async function forgetLogin(table: Table, site: string, login: string, alias: string): Promise<void> {
  const { pk } = keys.audit(site);
  for (let from: string | undefined; ; ) {
    const items = await table.query(pk, { limit: AT_ONCE, ...(from === undefined ? {} : { from }) });
    const changed = items.flatMap((item) => renamed(item, login, alias) ?? []);
    await table.batchWrite(changed.map((put) => ({ put })));
    if (items.length < AT_ONCE) break;
    from = items.at(-1)?.sk;
  }
  for (const { sk } of await table.query(keys.uploads(site).pk, { prefix: 'upload#', attributes: ['login'] }))
    await renameUploader(table, { pk: keys.uploads(site).pk, sk }, login, alias);
}

const isOf = (text: unknown, login: string): boolean => typeof text === 'string' && normalizeLogin(text) === login;

/** The item of an entry with the alias; undefined if the entry does not name the person. */
function renamed(item: Item, login: string, alias: string): Item | undefined {
  const [kind, named, ...rest] = String(item.resource).split('/');
  const isAbout = (kind === 'users' || kind === 'tokens') && isOf(named, login);
  if (!isOf(item.user, login) && !isAbout) return undefined;
  return {
    ...item,
    ...(isOf(item.user, login) ? { user: alias } : {}),
    ...(isAbout ? { resource: [kind, alias, ...rest].join('/') } : {}),
  };
}

/** Reads the upload again and retries if another process writes it at the same time. */
async function renameUploader(
  table: Table,
  key: { readonly pk: string; readonly sk: string },
  login: string,
  alias: string,
): Promise<void> {
  for (;;) {
    const item = await table.get(key);
    if (item === undefined || !isOf(item.login, login)) return;
    try {
      return await table.put({ ...item, login: alias }, { attribute: 'updated_at', equals: Number(item.updated_at) });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}

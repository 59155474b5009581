import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { normalizeLogin } from './users.ts';

const AT_ONCE = 500; // entries looked at before others may have the table

/**
 * Names a person by an alias wherever the site notes who did what: in the audit, and as who brought a file. What was done stays
 * told, and one person's deeds stay together. May be run again after a crash.
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
    await renameBringer(table, { pk: keys.uploads(site).pk, sk }, login, alias);
}

const isOf = (text: unknown, login: string): boolean => typeof text === 'string' && normalizeLogin(text) === login;

/** The item of an entry with the alias; undefined where the person is not in it. */
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

/** Another may write the import at the same time: it is read again then. */
async function renameBringer(
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

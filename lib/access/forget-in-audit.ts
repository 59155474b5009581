import { keys } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { listUsers, normalizeLogin } from './users.ts';

const AT_ONCE = 500; // entries a step, so that other requests can use the table in between
const ERASED = 'erased';

/** Erased people, as rooms need it to erase them from what they store. */
export interface Forgotten {
  readonly aliases: ReadonlyMap<string, string>; // what stands in the place of each login
  readonly words: RegExp | undefined; // finds names and logins, such as those in names of files; global
}

/**
 * Replaces logins by aliases in a site's audit, and names by "erased". The entries stay, and one person's entries keep
 * one name. Safe to run again after a crash.
 */
export async function forgetInAudit(table: Table, site: string, { aliases, words }: Forgotten): Promise<void> {
  const { pk } = keys.audit(site);
  const logins = (await listUsers(table, site)).map(({ login }) => normalizeLogin(login));
  const about = [...aliases].map(([login, alias]) => ({
    login,
    alias,
    longer: logins.filter((other) => other.startsWith(`${login}/`)), // of other people
  }));
  const renamed = (resource: string): string => {
    const [kind = '', ...rest] = resource.split('/');
    const named = normalizeLogin(rest.join('/'));
    const whose = about.find(({ login, longer }) => {
      if (kind === 'users') return named === login;
      return kind === 'tokens' && named.startsWith(`${login}/`) && !longer.some((one) => named.startsWith(`${one}/`));
    });
    // A token's name is what its user wrote, so it goes too.
    if (whose !== undefined) return `${kind}/${whose.alias}`;
    const isFree = kind === 'imports' || kind === 'sources'; // named by people
    return words && isFree ? `${kind}/${rest.join('/').replace(words, ERASED)}` : resource;
  };
  const forgotten = (item: Item): Item => ({
    ...item,
    ...(typeof item.user === 'string' && { user: aliases.get(normalizeLogin(item.user)) ?? item.user }),
    ...(typeof item.resource === 'string' && { resource: renamed(item.resource) }),
  });
  for (let from: string | undefined; ; ) {
    const items = await table.query(pk, { limit: AT_ONCE, from });
    const changed = items.flatMap((item) => {
      const put = forgotten(item);
      return put.user === item.user && put.resource === item.resource ? [] : [{ put }];
    });
    await table.batchWrite(changed);
    if (items.length < AT_ONCE) break;
    from = items.at(-1)?.sk;
  }
}

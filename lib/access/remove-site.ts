import { keys } from '../store/keys.ts';
import type { Item, Table, Write } from '../store/table.ts';
import type { Site } from './sites.ts';

/**
 * Removes a site with all it holds. What shows the site goes first, its settings last: a removal that broke off shows nothing
 * and can be run again. Returns how many items went.
 */
export async function removeSite(table: Table, { name, hosts }: Site): Promise<number> {
  const chosen = (await table.get(keys.defaultSite()))?.site === name;
  const hides: Write[] = [
    ...hosts.map((host) => ({ delete: keys.host(host) })),
    { delete: keys.siteEntry(name) },
    ...(chosen ? [{ delete: keys.defaultSite() }] : []),
  ];
  await table.transact(hides);
  const settings = keys.site(name);
  let removed = hides.length + 1;
  for await (const page of table.scan()) {
    const mine = page.filter(({ pk }) => pk.startsWith(`site#${name}#`) && pk !== settings.pk);
    await table.batchWrite(mine.map(({ pk, sk }: Item) => ({ delete: { pk, sk } })));
    removed += mine.length;
  }
  await table.delete(settings);
  return removed;
}

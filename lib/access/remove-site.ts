import { keys } from '../store/keys.ts';
import type { Item, Table, Write } from '../store/table.ts';
import type { Site } from './sites.ts';

/**
 * Removes a site with all its data. First the entries by which requests find the site, last its settings: after a crash
 * no request sees the site, and the removal can be run again. Returns the number of items removed.
 */
export async function removeSite(table: Table, { name, hosts }: Site): Promise<number> {
  const chosen = (await table.get(keys.defaultSite()))?.site === name;
  const entries: Write[] = [
    ...hosts.map((host) => ({ delete: keys.host(host) })),
    { delete: keys.siteEntry(name) },
    ...(chosen ? [{ delete: keys.defaultSite() }] : []),
  ];
  await table.transact(entries);
  const settings = keys.site(name);
  let removed = entries.length + 1;
  for await (const page of table.scan()) {
    const own = page.filter(({ pk }) => pk.startsWith(`site#${name}#`) && pk !== settings.pk);
    await table.batchWrite(own.map(({ pk, sk }: Item) => ({ delete: { pk, sk } })));
    removed += own.length;
  }
  await table.delete(settings);
  return removed;
}

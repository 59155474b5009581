import { keys } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { planAuthority } from './authority.ts';
import type { Site } from './site-fields.ts';

/**
 * Removes a site with all its data, for the operator. First the entries by which requests find the site, last its
 * settings: after a crash no request sees the site, and the removal can be run again. Returns the number of items
 * removed. Throws `ConditionFailed` if the site has changed since it was read; then nothing is removed.
 */
export async function removeSite(table: Table, before: Site): Promise<number> {
  const isDefault = (await table.get(keys.defaultSite()))?.site === before.name;
  const operator = { table, site: before, now: 0, actor: 'operator' } as const;
  const entries = await planAuthority(operator, { site: { before, after: undefined, isDefault } });
  await table.transact(entries);
  const settings = keys.site(before.name);
  let removed = entries.length; // one of them checks the settings, which go last
  for await (const page of table.scan()) {
    const own = page.filter(({ pk }) => pk.startsWith(`site#${before.name}#`) && pk !== settings.pk);
    await table.batchWrite(own.map(({ pk, sk }: Item) => ({ delete: { pk, sk } })));
    removed += own.length;
  }
  await table.delete(settings);
  return removed;
}

import { keys } from '../../../lib/store/keys.ts';
import type { Item, Table } from '../../../lib/store/table.ts';

/** Removes the sites of a run from a table, with all their items, in one scan: their names begin with `run` and a dash. */
export async function removeOwnSites(table: Table, run: string): Promise<void> {
  const entry = keys.siteEntry(`${run}-`);
  const data = `site#${run}-`;
  const isOwn = ({ pk, sk, site }: Item): boolean =>
    pk.startsWith(data) ||
    (pk === entry.pk && sk.startsWith(entry.sk)) ||
    (pk.startsWith(keys.host('').pk) && String(site).startsWith(`${run}-`));
  for await (const page of table.scan())
    await table.batchWrite(page.filter(isOwn).map(({ pk, sk }) => ({ delete: { pk, sk } })));
}

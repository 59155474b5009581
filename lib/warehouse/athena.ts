import { addTo } from '../group-by.ts';
import type { SiteManifest } from './manifest.ts';
import { TABLE_NAMES, TABLES, type WarehouseTable } from './tables.ts';

/** The folder of a warehouse with what Athena's tables read. */
export const ATHENA = 'athena';

/**
 * The folder of a table's list for a site, or for a site and month: Athena derives it from the conditions of a query, so
 * that no crawler must find it.
 */
export const listFolder = (table: WarehouseTable, site: string, month: string): string =>
  `${siteLists(table, site)}${TABLES[table].byMonth ? `/month=${month}` : ''}`;

/** The folder of all lists of a table for a site. */
export const siteLists = (table: WarehouseTable, site: string): string => `${ATHENA}/${table}/site=${site}`;

/**
 * The lists of a site's files, as path and text: each names the files of a month, of all parts. Athena reads lists, not
 * folders, so that it never sees a file before it counts, or together with its successor.
 */
export function athenaLists(address: string, { site, files }: SiteManifest): ReadonlyMap<string, string> {
  const lists = new Map<string, string[]>();
  for (const [name, { path }] of Object.entries(files)) {
    const [folder, month = ''] = name.split('/');
    const table = TABLE_NAMES.find((known) => known === folder);
    if (table !== undefined) addTo(lists, `${listFolder(table, site, month)}/symlink.txt`, `${address}/${path}\n`);
  }
  return new Map([...lists].map(([path, lines]) => [path, lines.sort().join('')]));
}

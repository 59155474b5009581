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
 * The lists of a site's files, as path and text: each names one file. Athena reads lists, not folders, so that it never
 * sees a file before it counts, or together with its successor.
 */
export function athenaLists(address: string, { site, files }: SiteManifest): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(files).flatMap(([name, { path }]) => {
      const [folder, part = ''] = name.split('/');
      const table = TABLE_NAMES.find((known) => known === folder);
      return table === undefined ? [] : [[`${listFolder(table, site, part)}/symlink.txt`, `${address}/${path}\n`]];
    }),
  );
}

import { mapInChunks } from '../store/batches.ts';
import { athenaLists, siteLists } from './athena.ts';
import { listedPath, type SiteManifest } from './manifest.ts';
import type { WarehousePlace } from './place.ts';
import { TABLE_NAMES } from './tables.ts';
import { reportsFile } from './views.ts';

/** The folder with the tables and reports of each site alone. */
export const SITE_VIEWS = 'views';

/** The views of a site alone. */
export const siteViews = (site: string): string => `${SITE_VIEWS}/${site}.sql`;

/** Writes the views of a site, and its lists in a bucket, which name its whole files; months without files have none. */
export async function publishSite(place: WarehousePlace, manifest: SiteManifest): Promise<void> {
  await replace(place, siteViews(manifest.site), reportsFile(place.address, manifest));
  if (!place.isBucket) return;
  const lists = athenaLists(place.address, manifest);
  await mapInChunks([...lists], CALLS_AT_ONCE, ([path, text]) => replace(place, path, text));
  for (const table of TABLE_NAMES)
    for (const path of await place.list(siteLists(table, manifest.site)))
      if (!lists.has(path)) await place.remove(path);
  await replace(place, listedPath(manifest.site), JSON.stringify(manifest.covered)); // last: a query may begin
}

/** Writes a text, unless it stands there. */
export async function replace(place: WarehousePlace, path: string, text: string): Promise<void> {
  if ((await place.read(path)) !== text) await place.write(path, text);
}

export const CALLS_AT_ONCE = 16; // requests to a bucket

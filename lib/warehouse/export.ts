import { keys } from '../store/keys.ts';
import { FIRST_COME, keepLease, type LeaseRefused, withLease } from '../store/lease.ts';
import { ATHENA, athenaLists, siteOfList } from './athena.ts';
import { type ExportContext, exportSiteFiles, type SiteExport } from './export-site.ts';
import { MANIFESTS, parseManifest, type SiteManifest } from './manifest.ts';
import type { WarehousePlace } from './place.ts';
import { TABLE_NAMES } from './tables.ts';
import { viewsFile } from './views.ts';

/** The file with the views for DuckDB. */
export const VIEWS = 'views.sql';

const LEASE_MS = 10 * 60_000; // of an export that was killed, until the next may begin

/** What an export did. */
export interface WarehouseExport {
  readonly sites: readonly SiteExport[];
  readonly removed: readonly string[]; // sites that are no more
}

/**
 * Exports sites, one after the other, and takes out of the warehouse what no manifest names: files that were replaced,
 * what an export left that was killed, and sites not among `all`. Refuses while another export runs. Closes the place in any case.
 */
export async function exportWarehouse(
  contexts: readonly ExportContext[],
  place: WarehousePlace,
  { table, clock, newId, all }: Pick<ExportContext, 'table' | 'clock' | 'newId'> & { readonly all: readonly string[] },
): Promise<{ readonly done: WarehouseExport } | LeaseRefused> {
  const lease = { table, key: keys.warehouse(), owner: newId(), now: clock, length: LEASE_MS };
  const outcome = withLease(lease, FIRST_COME, async () => {
    let lost = false;
    const { stop, still, ...kept } = keepLease(lease, FIRST_COME, {
      onTaken: () => {
        lost = true;
      },
    });
    try {
      const scratch = await place.scratch();
      const sites: SiteExport[] = [];
      for (const context of contexts) {
        sites.push(await Promise.race([exportSiteFiles({ ...context, ...kept }, place, scratch), still]));
        if (lost) throw new Error('another export has taken the turn of this one');
      }
      const exported = contexts.map(({ site }) => site.name);
      return { sites, removed: await publish(place, exported, all) };
    } finally {
      stop();
    }
  });
  return outcome.finally(() => place.close());
}

/**
 * Writes the views over what the manifests name, then removes everything else of sites that were exported or are no more. Returns
 * the latter. Other sites keep what an export left that was killed, as their lists may name it.
 */
async function publish(
  place: WarehousePlace,
  exported: readonly string[],
  all: readonly string[],
): Promise<readonly string[]> {
  const manifests: SiteManifest[] = [];
  const removed: string[] = [];
  for (const path of await place.list(MANIFESTS)) {
    if (!path.endsWith('.json')) continue;
    const site = path.slice(MANIFESTS.length + 1, -'.json'.length);
    const manifest = parseManifest(await place.read(path));
    if (!all.includes(site)) removed.push(site);
    else if (manifest !== undefined) manifests.push(manifest);
  }
  manifests.sort((a, b) => (a.site < b.site ? -1 : 1));
  await replace(place, VIEWS, viewsFile(place.address, manifests));
  const mine = manifests.filter(({ site }) => exported.includes(site));
  const isMine = (site: string | undefined): boolean =>
    site !== undefined && (exported.includes(site) || !all.includes(site));
  const lists = new Map(place.isBucket ? mine.flatMap((each) => [...athenaLists(place.address, each)]) : []);
  await atOnce([...lists], ([path, text]) => replace(place, path, text));
  for (const path of place.isBucket ? await place.list(ATHENA) : [])
    if (isMine(siteOfList(path)) && !lists.has(path)) await place.remove(path);
  for (const site of removed) await place.remove(`${MANIFESTS}/${site}.json`);
  const named = new Set(manifests.flatMap(({ files }) => Object.values(files).map(({ path }) => path)));
  for (const table of TABLE_NAMES)
    for (const path of await place.list(table))
      if (!named.has(path) && path.endsWith('.parquet') && isMine(path.split('/')[1])) await place.remove(path);
  return removed;
}

async function replace(place: WarehousePlace, path: string, text: string): Promise<void> {
  if ((await place.read(path)) !== text) await place.write(path, text);
}

const AT_ONCE = 16; // requests to a bucket

/** Does something for all elements, some at once. */
async function atOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) await Promise.all(all.slice(from, from + AT_ONCE).map(work));
}

import { mapInChunks } from '../store/batches.ts';
import { keys } from '../store/keys.ts';
import { FIRST_COME, keepLease, type Lease, type LeaseRefused, withLease } from '../store/lease.ts';
import type { Table } from '../store/table.ts';
import { siteLists } from './athena.ts';
import { type ExportContext, exportSiteFiles, type SiteExport } from './export-site.ts';
import { begunPath, listedPath, MANIFESTS, manifestPath, parseManifest, type SiteManifest } from './manifest.ts';
import type { WarehousePlace } from './place.ts';
import { CALLS_AT_ONCE, replace, siteViews } from './publish.ts';
import { TABLE_NAMES } from './tables.ts';
import { tablesFile } from './views.ts';

/** The file with the tables for DuckDB, over all sites. */
export const VIEWS = 'views.sql';

export const LEASE_MS = 10 * 60_000; // of an export that was killed, until the next may begin

/** What an export did. */
export interface WarehouseExport {
  readonly sites: readonly SiteExport[];
  readonly removed: readonly string[]; // sites that are no more
}

/** What exports of a table need, whatever they export. */
type ExportTools = Pick<ExportContext, 'table' | 'clock' | 'newId'>;

const wholeLease = ({ table, newId, clock }: ExportTools, site?: string): Lease => ({
  table,
  key: keys.warehouse(site),
  owner: newId(),
  now: clock,
  length: LEASE_MS,
});

/** Does work while holding a lease, which it renews. `guarded` ends with the work if the lease is lost or stands still. */
async function holding<T>(
  lease: Lease,
  work: (kept: { readonly table: Table; guarded<R>(part: Promise<R>): Promise<R> }) => Promise<T>,
): Promise<{ readonly done: T } | LeaseRefused> {
  return withLease(lease, FIRST_COME, async () => {
    let lost = false;
    const { stop, still, table } = keepLease(lease, FIRST_COME, {
      onTaken: () => {
        lost = true;
      },
    });
    const guarded = async <R>(part: Promise<R>): Promise<R> => {
      const result = await Promise.race([part, still]);
      if (lost) throw new Error('another export has taken the turn of this one');
      return result;
    };
    try {
      return await work({ table, guarded });
    } finally {
      stop();
    }
  });
}

/**
 * Exports one site, beside exports of others: its files, its manifest, its views and lists. Then removes what its manifest does not
 * name. Where the time of the call was over before (`isWhole`), a further call goes on. Reads nothing of other sites. Refuses while another export of the site runs. Closes the place in any case.
 */
export async function exportSiteInTurn(
  context: ExportContext,
  place: WarehousePlace,
): Promise<{ readonly done: SiteExport } | LeaseRefused> {
  const { name } = context.site;
  const outcome = holding(wholeLease(context, name), async ({ table, guarded }) => {
    const scratch = await place.scratch();
    const done = await guarded(exportSiteFiles({ ...context, table }, place, scratch));
    if (!done.isWhole) return done;
    const manifest = parseManifest(await place.read(manifestPath(name)));
    if (manifest !== undefined) await tidySite(place, manifest);
    return done;
  });
  return outcome.finally(() => place.close());
}

/**
 * Exports sites, one after the other, writes the views over what all manifests name, and takes out of the warehouse what no
 * manifest names: files that were replaced, what an export left that was killed, and sites not among `all`. Refuses while another
 * such export runs, or an export of one of the sites. Closes the place in any case.
 */
export async function exportWarehouse(
  contexts: readonly ExportContext[],
  place: WarehousePlace,
  tools: ExportTools & { readonly all: readonly string[] },
): Promise<{ readonly done: WarehouseExport } | LeaseRefused> {
  const outcome = await holding(
    wholeLease(tools),
    async ({ table, guarded }): Promise<WarehouseExport | LeaseRefused> => {
      const scratch = await place.scratch();
      const sites: SiteExport[] = [];
      for (const context of contexts) {
        const { name } = context.site;
        const exported = await guarded(
          holding(wholeLease({ ...tools, table }, name), (turn) =>
            turn.guarded(exportSiteFiles({ ...context, table: turn.table }, place, scratch)),
          ),
        );
        if ('wait' in exported) return exported; // another export of the site is running
        sites.push(exported.done);
      }
      const { removed, named } = await publishAll(place, tools.all);
      for (const { site } of named.filter(({ site }) => contexts.some((context) => context.site.name === site)))
        await holding(wholeLease({ ...tools, table }, site), async () => {
          const manifest = parseManifest(await place.read(manifestPath(site))); // another export may have written it since
          if (manifest !== undefined) await tidySite(place, manifest);
        });
      return { sites, removed };
    },
  ).finally(() => place.close());
  if ('wait' in outcome) return outcome;
  return 'wait' in outcome.done ? outcome.done : { done: outcome.done };
}

/** Removes files of a site that its manifest neither names nor keeps for queries. */
async function tidySite(place: WarehousePlace, { site, files, removed }: SiteManifest): Promise<void> {
  const named = new Set([...Object.values(files).map(({ path }) => path), ...Object.keys(removed)]);
  for (const table of TABLE_NAMES)
    for (const path of await place.list(`${table}/${site}`))
      if (!named.has(path) && path.endsWith('.parquet')) await place.remove(path);
}

/** Writes the views over all manifests, and removes the sites that are not among `all`. */
async function publishAll(
  place: WarehousePlace,
  all: readonly string[],
): Promise<{ readonly removed: readonly string[]; readonly named: readonly SiteManifest[] }> {
  const paths = (await place.list(MANIFESTS)).filter((path) => path.endsWith('.json'));
  const siteOf = (path: string): string => path.slice(MANIFESTS.length + 1, -'.json'.length);
  const there = new Set(all);
  const removed = paths.map(siteOf).filter((site) => !there.has(site));
  const manifests = await mapInChunks(
    paths.filter((path) => there.has(siteOf(path))),
    CALLS_AT_ONCE,
    async (path) => parseManifest(await place.read(path)),
  );
  const named = manifests.filter((manifest) => manifest !== undefined);
  named.sort((a, b) => (a.site < b.site ? -1 : 1));
  await replace(place, VIEWS, tablesFile(place.address, named));
  for (const site of removed) {
    const folders = TABLE_NAMES.flatMap((table) => [
      `${table}/${site}`,
      ...(place.isBucket ? [siteLists(table, site)] : []),
    ]);
    for (const folder of folders) for (const path of await place.list(folder)) await place.remove(path);
    await place.remove(siteViews(site));
    await place.remove(begunPath(site));
    await place.remove(listedPath(site));
    await place.remove(manifestPath(site)); // last, so that a run that dies is repeated
  }
  return { removed, named };
}

import * as z from 'zod';
import { listSites, readSite } from '../access/sites.ts';
import { exportSiteInTurn, exportWarehouse } from './export.ts';
import { type ExportContext, exportContext, type SiteExport } from './export-site.ts';
import type { WarehousePlace } from './place.ts';

/** A message of the queue: an export of a site, or what is due of all sites. */
export interface DueExport {
  readonly site?: string | undefined; // absent: of every site
  readonly list?: boolean | undefined; // only the list of all sites, made once a night, after the exports
  readonly reports?: boolean | undefined; // only what reports read: one of them waits for it
  readonly because: string; // tells apart messages that may not be taken for one another: an import, or an instant
}

const due = z.object({
  site: z.string().optional(),
  list: z.boolean().optional(),
  reports: z.boolean().optional(),
  because: z.string(),
});

/** Reads a message of the queue; throws if it is malformed. */
export const parseDueExport = (body: string): DueExport => due.parse(JSON.parse(body));

/** After so long a call begins no further part; a part of 8 million facts takes 2 minutes. */
const CALL_MS = 3 * 60_000;

/** The message group of what is due of all sites. */
export const EXPORT_GROUP = 'exports';

/** The message group of a message: those of one site follow one another, those of different sites do not. */
export const exportGroup = ({ site }: DueExport): string => (site === undefined ? EXPORT_GROUP : `site/${site}`);

/** What an export needs; the place is opened only if one runs. */
export interface DueTools extends Pick<ExportContext, 'table' | 'clock' | 'newId'> {
  readonly place: () => Promise<WarehousePlace>;
  readonly send: (due: readonly DueExport[]) => Promise<void>;
}

/**
 * Does what a message asks for. Every site gets a message of its own, so that a call exports one site and reads nothing of
 * others. Returns what was exported or removed, undefined if messages were sent. Throws if another export runs: the queue delivers
 * the message again.
 */
export async function doDueExport(
  tools: DueTools,
  { site: name, list = false, reports: reportsOnly = false, because }: DueExport,
): Promise<SiteExport | { readonly removed: readonly string[] } | undefined> {
  if (name !== undefined) {
    const site = await readSite(tools.table, name);
    if (site === undefined) return { removed: [] }; // the list of the night takes it out
    const until = tools.clock() + CALL_MS;
    const context = { ...exportContext(tools, site), reportsOnly, isOver: () => tools.clock() >= until };
    const done = doneOf(await exportSiteInTurn(context, await tools.place()));
    const rest = { site: name, reports: reportsOnly, because: `${because}, on from ${until}` };
    if (!done.isWhole) await tools.send([rest]);
    return done;
  }
  const all = (await listSites(tools.table)).map(({ site }) => site.name);
  if (!list) return tools.send(all.map((site) => ({ site, because }))).then(() => undefined);
  const { removed } = doneOf(await exportWarehouse([], await tools.place(), { ...tools, all }));
  return { removed };
}

function doneOf<T>(outcome: { readonly done: T } | { readonly wait: number }): T {
  if ('done' in outcome) return outcome.done;
  throw new Error(`another export is running; it may take ${outcome.wait} s`);
}

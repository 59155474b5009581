import * as z from 'zod';
import { listSites } from '../access/sites.ts';
import { exportWarehouse, type WarehouseExport } from './export.ts';
import { type ExportContext, exportContext } from './export-site.ts';
import type { WarehousePlace } from './place.ts';

/** A message of the queue: an export of a site, or of every site. */
export interface DueExport {
  readonly site?: string | undefined;
  readonly because: string; // tells apart messages that may not be taken for one another: an import, or an instant
}

const due = z.object({ site: z.string().optional(), because: z.string() });

/** Reads a message of the queue; throws if it is malformed. */
export const parseDueExport = (body: string): DueExport => due.parse(JSON.parse(body));

/** The message group of all exports, which therefore run one after the other. */
export const EXPORT_GROUP = 'exports';

/** What an export needs; the place is opened only if one runs. */
export interface DueTools extends Pick<ExportContext, 'table' | 'clock' | 'newId'> {
  readonly place: () => Promise<WarehousePlace>;
  readonly send: (due: DueExport) => Promise<void>;
}

/**
 * Does what a message asks for. Every site gets a message of its own, so that a call exports one site. Returns what was
 * exported, undefined if messages were sent. Throws if another export runs: the queue delivers the message again.
 */
export async function doDueExport(tools: DueTools, { site, because }: DueExport): Promise<WarehouseExport | undefined> {
  const sites = (await listSites(tools.table)).map((found) => found.site);
  if (site === undefined && sites.length > 0) {
    for (const { name } of sites) await tools.send({ site: name, because });
    return undefined;
  }
  const contexts = sites.filter(({ name }) => name === site).map((found) => exportContext(tools, found));
  const outcome = await exportWarehouse(contexts, await tools.place(), {
    ...tools,
    all: sites.map(({ name }) => name),
  });
  if ('done' in outcome) return outcome.done;
  throw new Error(`another export is running; it may take ${outcome.wait} s`);
}

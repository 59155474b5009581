import type { Context } from '../context.ts';
import { Failure } from '../errors.ts';
import type { HistoryReader } from '../history/read.ts';
import { SEGMENT_KINDS } from '../history/segments/row-position.ts';
import type { FreshFiles } from '../insights/engine/engine.ts';
import { ALL_TIME } from '../insights/windows.ts';
import { exportSiteInTurn } from './export.ts';
import { exportContext, isCurrent } from './export-site.ts';
import { manifestPath, parseManifest, type SiteManifest, type WarehouseFile } from './manifest.ts';
import { monthFinder, monthName } from './months.ts';
import type { WarehousePlace } from './place.ts';
import { TABLES } from './tables.ts';

/** What fresh files are made with. */
export interface FreshTools {
  readonly place: () => Promise<WarehousePlace>;
  readonly reader: HistoryReader;
  /** Has a site exported soon by somebody who may write all of its files; absent: the export runs here. */
  readonly sendExport?: ((site: string) => Promise<void>) | undefined;
}

const MOST = 400_000; // facts that an export before a query may read
const LATER = 60; // s

/**
 * The files of a site as of now: those of its last export, if nothing has changed since, or of an export that runs first.
 * Throws the 503 `unavailable` while they lack more than can be written before a query.
 */
export async function freshFiles(
  context: Context,
  { place: open, reader, sendExport }: FreshTools,
): Promise<FreshFiles> {
  const exported = exportContext(context, context.site);
  const place = await open();
  try {
    const before = parseManifest(await place.read(manifestPath(context.site.name)));
    if (before !== undefined && (await isCurrent(exported, before, reader))) return filesOf(before);
    const all = { from: ALL_TIME.min, to: ALL_TIME.max, kinds: SEGMENT_KINDS };
    const { facts } = await reader.sizeOf(context, all);
    context.log('info', 'engine', { site: context.site.name, parts_behind: facts });
    if (facts > MOST || sendExport !== undefined) {
      await sendExport?.(context.site.name);
      throw notFresh();
    }
    if ('wait' in (await exportSiteInTurn(exported, place))) throw notFresh();
    const after = parseManifest(await place.read(manifestPath(context.site.name)));
    if (after === undefined) throw notFresh();
    return filesOf(after);
  } finally {
    await place.close();
  }
}

const notFresh = (): Failure =>
  new Failure('unavailable', {
    message: 'The newest events are being written to the warehouse, which counts this report.',
    headers: { 'Retry-After': String(LATER) },
  });

const FACT_COLUMNS = TABLES.facts.columns.map(({ name }) => name);

function filesOf({ state, files }: SiteManifest): FreshFiles {
  const monthOf = monthFinder();
  const nameOf = (second: number): string =>
    monthName(monthOf(Math.min(Math.max(second, ALL_TIME.min), ALL_TIME.max - 1)));
  return {
    state,
    bytes: ({ range, columns, times }) => {
      const [first, last] = [nameOf(range.min), nameOf(range.max - 1)];
      const asked = new Set(columns);
      const read = Object.entries(files).flatMap(([name, file]) => {
        const [table, month = ''] = name.split('/');
        return table === 'facts' && month >= first && month <= last ? [file] : [];
      });
      const bytesOf = ({ bytes, columns: sizes }: WarehouseFile): number =>
        sizes?.reduce((sum, size, place) => sum + (asked.has(FACT_COLUMNS[place] ?? '') ? size : 0), 0) ?? bytes;
      return times * read.reduce((sum, file) => sum + bytesOf(file), 0);
    },
  };
}

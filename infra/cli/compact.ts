import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { listSites } from '../../lib/access/sites.ts';
import { compact } from '../../lib/history/compact.ts';
import { sweep } from '../../lib/history/compaction/sweep.ts';
import { readManifest } from '../../lib/history/storage/commit.ts';
import { settleTraces } from '../../lib/import/unnamed.ts';
import { createCollections } from '../../lib/store/collection.ts';
import type { Place } from '../local/table/place.ts';
import { line, type OptionsOf, type Outcome, tableCommand, toggle } from './command.ts';
import { shrink } from './delete-now.ts';
import { requireSite } from './site.ts';

const OPTIONS = {
  site: line('<name>', 'only this site (default: every site)'),
  rebuild: toggle('write all rows that reports read again, from the stored events'),
  now: toggle('also delete replaced data at once, and shrink the file of a data folder'),
};

/** `compact`: folds histories now. The service folds them by itself when it is worthwhile. */
export const compactCommand = (): Command =>
  tableCommand(
    [
      'compact',
      'fold the small segments of histories into large ones now; the service does so by itself',
      '--site acme',
    ],
    OPTIONS,
    doCompact,
  );

async function doCompact(place: Place, options: OptionsOf<typeof OPTIONS>): Promise<Outcome> {
  const { table } = place;
  const all = options.site === undefined ? (await listSites(table)).map(({ site }) => site) : [];
  const sites = options.site === undefined ? all : [await requireSite(table, options.site)];
  const done: { site: string; folded: boolean; segments: number }[] = [];
  for (const site of sites) {
    const context = { table, site, clock: Date.now, newId: randomUUID };
    const folded = await compact(context, { rebuild: options.rebuild === true });
    if (folded)
      await settleTraces({ table, site: site.name, collections: createCollections(), now: Date.now() }, context);
    if (options.now) await sweep(context, { graceMs: 0 });
    const { segments } = await readManifest(table, site.name);
    done.push({ site: site.name, folded, segments: segments.length });
  }
  const line = ({ site, folded, segments }: (typeof done)[number]) =>
    folded
      ? `${site}: ${segments} segments.`
      : `${site}: another process folds it just now. If one was killed while it did, try again in ten minutes.`;
  const lines = done.map(line);
  if (options.now) lines.push(await shrink(place));
  return { text: lines.join('\n').trimEnd(), json: done };
}

import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { listSites } from '../lib/access/sites.ts';
import { compact, compactIfNeeded, maxFreshSegments } from '../lib/history/compact.ts';
import { readManifest } from '../lib/history/storage/commit.ts';
import { settleTraces } from '../lib/import/unnamed.ts';
import { describeError } from '../lib/log.ts';
import { createCollections } from '../lib/store/collection.ts';
import { table } from './table.ts';
import { log, logMetrics } from './wiring.ts';

const ENOUGH = 3 * 60_000; // ms that must be left to start with another site

/** Folds each site's history if it is worthwhile; with `force` (by hand, docs/operations.md) always. */
export async function handler({ force = false }: { readonly force?: boolean }, lambda: Context): Promise<void> {
  const sites = (await listSites(table)).map(({ site }) => site);
  let failed = 0;
  const first = Math.floor(Math.random() * sites.length); // a random start, so that no site is always the last
  for (const site of [...sites.slice(first), ...sites.slice(0, first)]) {
    if (lambda.getRemainingTimeInMillis() < ENOUGH) break;
    const context = { table, site, clock: Date.now, newId: randomUUID };
    try {
      const folded = await (force ? compact(context) : compactIfNeeded(context));
      if (folded)
        await settleTraces({ table, site: site.name, collections: createCollections(), now: Date.now() }, context);
      const manifest = await readManifest(table, site.name);
      const { segments } = manifest;
      const fresh = segments.filter(({ settled }) => !settled).length;
      const measured = {
        segments: segments.length,
        segmentsOverBound: Math.max(0, fresh - maxFreshSegments(manifest)),
      };
      logMetrics(
        'history',
        { segments: 'Count', segmentsOverBound: 'Count' },
        { site: site.name, folded, ...measured },
      );
    } catch (error) {
      log('error', 'compaction failed', { site: site.name, ...describeError(error) });
      failed += 1;
    }
  }
  if (failed > 0) throw new Error(`the history of ${failed} sites could not be folded`);
}

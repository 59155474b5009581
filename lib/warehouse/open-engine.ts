import { setTimeout as sleep } from 'node:timers/promises';
import { createEngine } from '../insights/engine/engine.ts';
import type { ReportEngine } from '../insights/report-engine.ts';
import { describeError } from '../log.ts';
import type { Settings } from '../settings.ts';
import { openBucket } from './bucket.ts';
import { exportSiteInTurn } from './export.ts';
import { exportContext } from './export-site.ts';
import { readFieldValues } from './field-values.ts';
import { type FreshTools, freshFiles } from './fresh.ts';
import type { WarehousePlace } from './place.ts';

type EngineSettings = Pick<
  Settings,
  'WAREHOUSE_BUCKET' | 'ATHENA_DATABASE' | 'ATHENA_WORKGROUP' | 'ENGINE_FACTS' | 'ENGINE_DAY_BYTES' | 'AWS_ENDPOINT_URL'
>;

/** Opens the engine that the settings name; undefined if they name none. Nothing of AWS is loaded then. */
export async function openEngine(
  settings: EngineSettings,
  startExport?: FreshTools['startExport'],
): Promise<ReportEngine | undefined> {
  const { WAREHOUSE_BUCKET: bucket, ATHENA_DATABASE, ATHENA_WORKGROUP, AWS_ENDPOINT_URL } = settings;
  if (bucket === undefined || ATHENA_DATABASE === undefined || ATHENA_WORKGROUP === undefined) return undefined;
  const { openAthena } = await import('../store/athena.ts');
  const { openObjects } = await import('../store/objects.ts');
  const results = openObjects({ bucket, isEmulated: AWS_ENDPOINT_URL !== undefined });
  const place = () => openBucket(results, bucket, '');
  return createEngine({
    ...{ queries: openAthena(ATHENA_DATABASE, ATHENA_WORKGROUP), results },
    ...{ facts: settings.ENGINE_FACTS, dayBytes: settings.ENGINE_DAY_BYTES },
    fieldValues: (context, fields) => readFieldValues(place, context.site.name, fields),
    freshFiles: (context, areJudged) =>
      freshFiles(context, areJudged, { place, startExport: startExport ?? exportHere(place) }),
  });
}

const ENDING = 250; // ms in which an export before may end

/** Exports beside the request that asks for it, which may have ended before, after the export that runs. */
export function exportHere(place: () => Promise<WarehousePlace>): FreshTools['startExport'] {
  return async (context) => {
    const exporting = async () => {
      const exported = { ...exportContext(context, context.site), reportsOnly: true };
      while ('wait' in (await exportSiteInTurn(exported, await place())) && context.clock() < context.deadline)
        await sleep(ENDING);
    };
    void exporting().catch((error: unknown) => context.log('error', 'export failed', describeError(error)));
  };
}

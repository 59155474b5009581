import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Service } from '../../../lib/http/service.ts';
import { createReader } from '../../../lib/insights/compute.ts';
import { createEngine, type EngineTools } from '../../../lib/insights/engine/engine.ts';
import { createInsightsRoutes } from '../../../lib/insights/routes.ts';
import { openAthena } from '../../../lib/store/athena.ts';
import { openBucket } from '../../../lib/warehouse/bucket.ts';
import { readFieldValues } from '../../../lib/warehouse/field-values.ts';
import { freshFiles } from '../../../lib/warehouse/fresh.ts';
import { exportHere } from '../../../lib/warehouse/open-engine.ts';
import { startAthena } from './athena-server.ts';
import { folderObjects } from './folder-objects.ts';
import { startService } from './service.ts';

/**
 * A service that scans every report, and the same as another process that asks a stand-in of Athena for every one, where the
 * environment says.
 */
export async function startEngineService(tools: Partial<EngineTools> = {}) {
  const bucket = folderObjects(await mkdtemp(join(tmpdir(), 'facts-')));
  const athena = await startAthena(bucket);
  // Athena's own address: the table of a deployment under test has another, and credentials of its own.
  const usual = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  const known = { ...usual, ...process.env, AWS_ENDPOINT_URL_ATHENA: athena.url };
  const names = [...Object.keys(usual), 'AWS_ENDPOINT_URL_ATHENA'];
  const before = names.map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, known);
  const scanning = await startService(createInsightsRoutes(createReader()));
  const newRoutes = (changed: Partial<EngineTools> = {}) => {
    const place = () => openBucket(bucket, 'facts', '');
    const engine = createEngine({
      ...{ queries: openAthena('facts', 'reports'), results: bucket, facts: 0, dayBytes: 1e12 },
      freshFiles: (context, areJudged) => freshFiles(context, areJudged, { place, startExport: exportHere(place) }),
      fieldValues: (context, fields) => readFieldValues(place, context.site.name, fields),
      ...tools,
      ...changed,
    });
    return createInsightsRoutes(createReader(engine));
  };
  return {
    ...{ scanning, athena, bucket },
    newRoutes,
    /** Another process, by default as the others. */
    newEngine: (changed?: Partial<EngineTools>, wiring: Partial<Service> = {}) =>
      scanning.again({ routes: newRoutes(changed), ...wiring }),
    async close() {
      await athena.close();
      for (const [name, value] of before)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    },
  };
}

import { createReader } from '../lib/insights/compute.ts';
import { openEngine } from '../lib/warehouse/open-engine.ts';
import { sendExports } from './exports.ts';
import * as wiring from './wiring.ts';

/** The reader of reports, with the engine that the deployment has for large ones. */
export const reader = createReader(
  await openEngine(wiring, ({ site }, state) =>
    sendExports([{ site: site.name, reports: true, because: `reports as of ${state}` }]),
  ),
);

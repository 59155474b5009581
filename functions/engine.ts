import { createReader } from '../lib/insights/compute.ts';
import { openEngine } from '../lib/warehouse/open-engine.ts';
import { sendExports } from './exports.ts';
import * as wiring from './wiring.ts';

const SOON = 10 * 60_000; // ms in which a site is exported once for its reports

/** The reader of reports, with the engine that the deployment has for large ones. */
export const reader = createReader(
  await openEngine(wiring, (site) =>
    sendExports([{ site, because: `reports at ${Math.floor(Date.now() / SOON) * SOON}` }]),
  ),
);

import { randomUUID } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { openObjects } from '../lib/store/objects.ts';
import { openBucket } from '../lib/warehouse/bucket.ts';
import { doDueExport, parseDueExport } from '../lib/warehouse/due.ts';
import { sendExports } from './exports.ts';
import { doEach } from './letters.ts';
import { table } from './table.ts';
import { AWS_ENDPOINT_URL, log, WAREHOUSE_BUCKET } from './wiring.ts';

const bucket = WAREHOUSE_BUCKET ?? '';
const objects = openObjects({ bucket, isEmulated: AWS_ENDPOINT_URL !== undefined });

/** Exports a site to the warehouse, sends a message for each site, or lists them all; the queue repeats what failed. */
export async function handler({ Records }: SQSEvent): Promise<void> {
  const tools = { table, clock: Date.now, newId: randomUUID, send: sendExports };
  await doEach(Records, async ({ body }) => {
    const due = parseDueExport(body);
    const begun = Date.now();
    const done = await doDueExport({ ...tools, place: () => openBucket(objects, bucket, '') }, due);
    log('info', 'export to the warehouse', { ...due, ...done, ms: Date.now() - begun });
  });
}

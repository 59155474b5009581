import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { readPack } from '../lib/import/open-pack.ts';
import { describeError } from '../lib/log.ts';
import { type DueStep, parseDue } from '../lib/uploads/bucket.ts';
import { bucketTools } from '../lib/uploads/bucket-tools.ts';
import { doNextStep } from '../lib/uploads/next-step.ts';
import { doRemoval } from '../lib/uploads/source-removal.ts';
import { sendExports } from './exports.ts';
import { objects } from './files.ts';
import { whileHidden } from './hidden.ts';
import { doEach } from './letters.ts';
import { sendStep } from './steps.ts';
import { table } from './table.ts';
import { log, STEP_SECONDS, STEP_URL } from './wiring.ts';

const PACKS = new URL('packs/', import.meta.url); // beside the function's code
const LATE = 60_000; // ms before the function's timeout, when the step must end

/**
 * Does one step of an import and sends a message for the next, or removes a source; the queue repeats work whose function
 * died.
 */
export async function handler({ Records }: SQSEvent, lambda: Context): Promise<void> {
  await doEach(Records, (record) => whileHidden(record, STEP_URL, () => doWork(record, lambda)));
}

async function doWork({ messageId, body }: SQSRecord, lambda: Context): Promise<void> {
  const due = parseDue(body);
  if ('id' in due) return doStep(due, messageId, lambda);
  await doRemoval({ table, clock: Date.now, newId: randomUUID }, due);
  await sendExports([{ site: due.site, because: `removal of ${due.source}, ${Date.now()}` }]);
}

async function doStep(due: DueStep, letter: string, lambda: Context): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  const begun = Date.now();
  const tools = bucketTools(due.site, {
    ...{ table, objects, folder, clock: Date.now, newId: randomUUID },
    findPack: (name, zone) => readPack(fileURLToPath(new URL(name, PACKS)), zone),
    limit: {
      isOver: () => Date.now() - begun >= STEP_SECONDS * 1000,
      isLate: () => lambda.getRemainingTimeInMillis() < LATE,
    },
    onError: (error) => log('error', 'import failed', { ...due, letter, ...describeError(error) }),
  });
  try {
    const goesOn = await doNextStep({ tools, pause: (ms) => pause(ms) }, due);
    log('info', 'step of an import', { ...due, goesOn, ms: Date.now() - begun });
    await (goesOn ? sendStep(due) : sendExports([{ site: due.site, because: `import ${due.id}, ${begun}` }]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

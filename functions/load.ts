import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { readPack } from '../lib/import/pack-source.ts';
import { describeError } from '../lib/log.ts';
import { parseDue } from '../lib/uploads/bucket.ts';
import { bucketTools } from '../lib/uploads/bucket-tools.ts';
import { doNextStep } from '../lib/uploads/next-step.ts';
import { objects, queues, tell } from './files.ts';
import { log, STEP_SECONDS, STEP_URL, table } from './wiring.ts';

const PACKS = new URL('packs/', import.meta.url); // beside the function's code
const LATE = 60_000; // ms before the function's end
const HIDDEN = 30; // s from the last sign of life until the queue brings the message to another
const SIGNS = 10_000; // ms

/** Does one step of an import; the next one is told to the queue, and a step that died comes again. */
export async function handler({ Records }: SQSEvent, lambda: Context): Promise<void> {
  for (const record of Records) await alive(record, () => doStep(record, lambda));
}

async function doStep({ body }: SQSRecord, lambda: Context): Promise<void> {
  const due = parseDue(body);
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  const begun = Date.now();
  const tools = bucketTools(due.site, {
    ...{ table, objects, folder, clock: Date.now, newId: randomUUID },
    findPack: (name, zone) => readPack(fileURLToPath(new URL(name, PACKS)), zone),
    limit: {
      isOver: () => Date.now() - begun >= STEP_SECONDS * 1000,
      isLate: () => lambda.getRemainingTimeInMillis() < LATE,
    },
    onError: (error) => log('error', 'import failed', { ...due, ...describeError(error) }),
  });
  try {
    const goesOn = await doNextStep({ tools, pause: (ms) => pause(ms) }, due);
    log('info', 'step of an import', { ...due, goesOn, ms: Date.now() - begun });
    if (goesOn) await tell(due);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Keeps a message to this function while it works on it, for short times: where it dies, another hears soon. */
async function alive(record: SQSRecord, work: () => Promise<void>): Promise<void> {
  const sign = (): void => {
    const { receiptHandle: ReceiptHandle } = record;
    queues
      .send(new ChangeMessageVisibilityCommand({ QueueUrl: STEP_URL, ReceiptHandle, VisibilityTimeout: HIDDEN }))
      .catch((error: unknown) => log('warn', 'no sign of life', describeError(error)));
  };
  sign();
  const timer = setInterval(sign, SIGNS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

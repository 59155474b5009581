import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { describeError } from '../lib/log.ts';
import { log } from './wiring.ts';

/** What a message of a queue of work may name. */
const names = z.object({ site: z.string(), id: z.int(), connection: z.int(), source: z.string() }).partial().catch({});

/** Site, and import, connection or source, of a message; empty of one that is malformed. */
function namedIn(body: string): z.infer<typeof names> {
  try {
    return names.parse(JSON.parse(body));
  } catch {
    return {};
  }
}

/**
 * Does the work of each message of a queue, one after the other, and throws if one fails. Of that a line names the site
 * and, as `letter`, the id that it bears among the dead letters (docs/operations.md#deadletters), too.
 */
export async function doEach(records: readonly SQSRecord[], work: (record: SQSRecord) => Promise<void>): Promise<void> {
  for (const record of records)
    await doNamed('message failed', { ...namedIn(record.body), letter: record.messageId }, () => work(record));
}

/** Does work; if it fails, a line with `details` says so, and it throws. */
export async function doNamed(failure: string, details: object, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log('error', failure, { ...details, ...describeError(error) });
    throw error;
  }
}

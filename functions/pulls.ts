import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context, ScheduledEvent, SQSEvent } from 'aws-lambda';
import { readSite } from '../lib/access/sites.ts';
import { type DuePull, lookAtConnections, parseDuePull } from '../lib/live/due.ts';
import { pullSite } from '../lib/live/pull.ts';
import { connectionKeys, own, sendPull } from './desk-calls.ts';
import { whileHidden } from './hidden.ts';
import { doEach } from './letters.ts';
import { table } from './table.ts';
import { log, logMetrics, PULL_URL } from './wiring.ts';

const LONGEST = 10 * 60_000; // ms of a pull; then the rest goes back to the queue
const LATE = 2 * 60_000; // ms before the function's timeout, when a pull ends between two cases
const LONGEST_PAUSE = 30_000; // ms that a pull waits for a help desk's limit; a longer wait ends it

/** Pulls what a message of the queue names; called by the schedule, sends a message for each connection with work. */
export async function handler(event: SQSEvent | ScheduledEvent, lambda: Context): Promise<void> {
  if (!('Records' in event)) return sendDue();
  await doEach(event.Records, (record) => whileHidden(record, PULL_URL, () => pull(parseDuePull(record.body), lambda)));
}

async function sendDue(): Promise<void> {
  const { pulls, health } = await lookAtConnections(table, Date.now());
  for (const due of pulls) await sendPull(due, randomUUID());
  const { connections, lag, failing, late } = health;
  if (connections === 0) return;
  const measured = { ConnectionLag: lag, ConnectionFailing: failing, ConnectionLate: late };
  logMetrics(
    'connections',
    { ConnectionLag: 'Seconds', ConnectionFailing: 'Count', ConnectionLate: 'Count' },
    { connections, due: pulls.length, ...measured },
  );
}

async function pull(due: DuePull, lambda: Context): Promise<void> {
  const begun = Date.now();
  if (due.from !== undefined) await pause(Math.min(Math.max(0, due.from - begun), LONGEST_PAUSE));
  const site = await readSite(table, due.site);
  if (site === undefined) return;
  const tools = {
    ...{ table, keyStore: connectionKeys, own, log, longestPause: LONGEST_PAUSE },
    ...{ clock: Date.now, newId: randomUUID, random: Math.random, pause: (ms: number) => pause(ms) },
    isEnding: () => lambda.getRemainingTimeInMillis() < LATE,
  };
  const end = await pullSite(tools, site, { until: begun + LONGEST });
  log('info', 'pull', { site: due.site, connection: due.connection, end, ms: Date.now() - begun });
  if (end === 'more') await sendPull({ site: due.site, connection: due.connection }, randomUUID());
}

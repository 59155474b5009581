import { randomUUID } from 'node:crypto';
import { createDoorbell } from '../lib/live/doorbell.ts';
import type { SendPull } from '../lib/live/due.ts';
import { createLiveRoutes } from '../lib/live/routes.ts';
import { sourcesRoute } from '../lib/live/sources.ts';
import { describeError } from '../lib/log.ts';
import { createRemovalRoute } from '../lib/uploads/source-removal.ts';
import { connectionKeys, own, sendPull } from './desk-calls.ts';
import { oauthKeys } from './oauth-keys.ts';
import { sendStep } from './steps.ts';
import { table } from './table.ts';
import { answer, log } from './wiring.ts';

/** Has a pull begin now. What cannot be sent is found by the schedule within a minute. */
const wake: SendPull = (due, once) =>
  sendPull(due, once).catch((error: unknown) => log('warn', 'pull not begun', { ...due, ...describeError(error) }));

const tools = { keyStore: connectionKeys, own, wake, startRemoval: sendStep };

/** Where history comes from: connections to help desks, their doorbells, and sources. */
export const handler = answer([sourcesRoute, createRemovalRoute(sendStep), ...createLiveRoutes(tools)], {
  table,
  oauthKeys,
  pages: createDoorbell({ table, keyStore: connectionKeys, clock: Date.now, newId: randomUUID, wake }),
});

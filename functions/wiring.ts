import { randomUUID } from 'node:crypto';
import type { Route } from '../lib/http/route.ts';
import { type Handler, serve } from '../lib/http/serve.ts';
import type { Service } from '../lib/http/service.ts';
import { createLog, type Log } from '../lib/log.ts';
import { type MetricUnit, metricsOf } from '../lib/metrics.ts';
import { LIMITS, readSettings } from '../lib/settings.ts';
import { connect } from '../lib/store/client.ts';
import { openTable } from '../lib/store/dynamodb.ts';
import type { Table } from '../lib/store/table.ts';

const settings = readSettings();
export const {
  DEAD_LETTER_URL,
  DYNAMODB_ENDPOINT,
  FILE_ORIGIN,
  STAGE: stage = 'dev',
  STEP_SECONDS,
  TABLE_NAME,
} = settings;
export const { AWS_ENDPOINT_URL, FILE_BUCKET, STEP_URL } = settings;

export const table: Table = openTable(connect({ endpoint: DYNAMODB_ENDPOINT }), TABLE_NAME ?? 'support-service');

/** Logs plain lines: Lambda adds a prefix to the output of `console`. */
export const log: Log = createLog(settings.LOG_LEVEL, (line) => process.stdout.write(`${line}\n`));

/** Logs a line in which the fields in `units` are metrics of the stage. */
export function logMetrics(
  message: string,
  units: Readonly<Record<string, MetricUnit>>,
  details: Record<string, unknown>,
) {
  log('info', message, { stage, ...details, ...metricsOf(units, ['stage'], Date.now()) });
}

const OF_REQUESTS = { ms: 'Milliseconds', trips: 'Count', readUnits: 'Count', writeUnits: 'Count' } as const;

/** The handler of a group of routes. It drops the body of a reply to HEAD, as the gateway would send it. */
export function answer(routes: readonly Route[], open: Service['open'] = {}, pages?: Service['pages']): Handler {
  const handle = serve({
    routes,
    open,
    ...(pages ? { pages } : {}),
    table,
    log: (level, message, details) => {
      if (message === 'request') logMetrics(message, OF_REQUESTS, { ...details });
      else log(level, message, details);
    },
    clock: Date.now,
    newId: randomUUID,
    ...LIMITS,
  });
  return async (event, context) => {
    const reply = await handle(event, context);
    return event.httpMethod === 'HEAD' ? { ...reply, body: '' } : reply;
  };
}

import { randomUUID } from 'node:crypto';
import { isRefusedSignIn } from '../lib/http/exchange.ts';
import type { Route } from '../lib/http/route.ts';
import { type Handler, serve } from '../lib/http/serve.ts';
import type { Service } from '../lib/http/service.ts';
import { ENGINE, engineMetrics } from '../lib/insights/engine/engine-metrics.ts';
import { createLog, type Log } from '../lib/log.ts';
import { type MetricUnit, metricsOf, REFUSED_SIGN_INS } from '../lib/metrics.ts';
import { LIMITS, readSettings } from '../lib/settings.ts';
import type { Table } from '../lib/store/table.ts';
import { placesIn } from './places.ts';

const settings = readSettings();
export const {
  DEAD_LETTER_URL,
  DYNAMODB_ENDPOINT,
  FILE_ORIGIN,
  SITES,
  STAGE: stage = 'dev',
  STEP_SECONDS,
  TABLE_NAME,
} = settings;
export const { MAIL_FROM, MAIL_URL, PUBLIC_URL } = settings;
export const { AWS_ENDPOINT_URL, EXPORT_URL, FILE_BUCKET, OAUTH_SECRET, STEP_URL, WAREHOUSE_BUCKET } = settings;
export const { ATHENA_DATABASE, ATHENA_WORKGROUP, ENGINE_DAY_BYTES, ENGINE_FACTS } = settings;
export const { CONNECT_LOOPBACK, CONNECTION_SECRET, PULL_URL } = settings;

const inSources = placesIn(new URL('index.mjs.map', import.meta.url));

/** Logs plain lines: Lambda adds a prefix to the output of `console`. Stack traces name places in the sources. */
export const log: Log = createLog(settings.LOG_LEVEL, (line) => process.stdout.write(`${inSources(line)}\n`));

/** Logs a line in which the fields in `units` are metrics of the stage. */
export function logMetrics(
  message: string,
  units: Readonly<Record<string, MetricUnit>>,
  details: Record<string, unknown>,
) {
  log('info', message, { stage, ...details, ...metricsOf(units, ['stage'], Date.now()) });
}

const OF_REQUESTS = { ms: 'Milliseconds', trips: 'Count', readUnits: 'Count', writeUnits: 'Count' } as const;

/** What a handler answers, beside routes, and by which table. */
type AnswerOptions = { readonly table: Table } & Partial<
  Pick<Service, 'hasEngine' | 'oauthKeys' | 'open' | 'pages' | 'renewsHashes'>
>;

/** The handler of a group of routes. It drops the body of a reply to HEAD, as the gateway would send it. */
export function answer(routes: readonly Route[], { open = {}, renewsHashes = false, ...rest }: AnswerOptions): Handler {
  const handle = serve({
    routes,
    open,
    renewsHashes,
    ...rest,
    log: (level, message, details) => {
      if (message === 'request' && isRefusedSignIn(details))
        logMetrics(message, { ...OF_REQUESTS, [REFUSED_SIGN_INS]: 'Count' }, { ...details, [REFUSED_SIGN_INS]: 1 });
      else if (message === 'request') logMetrics(message, OF_REQUESTS, { ...details });
      else if (message === ENGINE) logMetrics(message, ...engineMetrics(details));
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

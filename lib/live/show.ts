import * as z from 'zod';
import { idShape, linkShape, timestampShape } from '../http/shapes.ts';
import { keys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { timestamp, timestampOrNull } from '../text.ts';
import { connectionIn, type DeskConnection } from './connection.ts';
import { SYSTEMS } from './desk.ts';
import { completeSince, type PullProgress, progressIn, windowAt } from './progress.ts';
import { listRings } from './rings.ts';
import { TROUBLES } from './trouble.ts';

export const CONNECTIONS_PATH = '/api/v2/connections';
export const DOORBELLS = '/api/v2/doorbells';
export const STATES = ['backfilling', 'live', 'failing', 'paused', 'removing'] as const;

const moment = () => z.string().nullable().meta({ format: 'date-time' });
const count = () => z.int().nonnegative();

export const connectionShape = () =>
  z.object({
    id: idShape(),
    system: z.enum(SYSTEMS),
    url: z.string(),
    account: z.int().nullable(),
    name: z.string(),
    source: z.string(),
    since: moment(),
    interval: z.int(),
    paused: z.boolean(),
    supersedes: z.array(z.string()),
    options: z.record(z.string(), z.unknown()),
    state: z.enum(STATES).meta({ description: 'failing: it goes on trying' }),
    as_of: moment().meta({ description: 'All changes at the help desk up to this time are in' }),
    lag: z.int().nullable().meta({ description: 'Seconds since `as_of`' }),
    error: z
      .object({ code: z.enum(TROUBLES), message: z.string(), since: timestampShape(), next_try: timestampShape() })
      .nullable(),
    backfill: z.object({
      done: z.boolean(),
      complete_since: moment().meta({ description: 'All cases that changed since then are in' }),
      cases: count(),
      estimate_seconds: z.int().nullable(),
    }),
    last_pull: z
      .object({
        started_at: z.string().meta({ format: 'date-time' }),
        ended_at: moment(),
        cases: count(),
        added: count(),
        unchanged: count(),
        requests: count(),
      })
      .nullable(),
    doorbell: z.object({
      url: z.string(),
      has_secret: z.boolean(),
      last_at: moment(),
      rung: count(),
      refused: count(),
      waiting: count(),
    }),
    credentials: z.object({ login: z.string().nullable(), set_at: timestampShape() }),
    webhook_secret: z.string().optional().meta({ description: 'Shown once, where the service made it' }),
    created_at: timestampShape(),
    updated_at: timestampShape(),
    _links: z.object({ self: linkShape('connection') }),
  });

/** A connection and how far it is. */
export interface ConnectionView {
  readonly connection: DeskConnection;
  readonly progress: PullProgress | undefined;
  readonly bell: {
    readonly rung: number;
    readonly refused: number;
    readonly lastAt: number | null;
    readonly waiting: number;
  };
}

/** Reads a site's connection and how far it is; undefined if it has none. */
export async function readView(table: Table, site: string): Promise<ConnectionView | undefined> {
  const parts = ['settings', 'progress', 'doorbell', 'rung'] as const;
  const [settings, progress, bell, rung] = await table.batchGet(parts.map((part) => keys.connection(site, part)));
  const connection = connectionIn(settings);
  if (connection === undefined) return undefined;
  if (connection.removing && (await table.get(keys.source(site, connection.source))) === undefined) return undefined;
  return {
    connection,
    progress: progress && progressIn(progress),
    bell: {
      rung: Number(bell?.rung ?? 0),
      refused: Number(bell?.refused ?? 0),
      lastAt: typeof rung?.at === 'number' ? rung.at : null,
      waiting: (await listRings(table, site)).length,
    },
  };
}

/** The state of a connection in a word. */
export function connectionState({
  connection: { removing, paused },
  progress,
}: ConnectionView): (typeof STATES)[number] {
  if (removing) return 'removing';
  if (paused) return 'paused';
  if (progress?.error) return 'failing';
  return progress?.backfill.done ? 'live' : 'backfilling';
}

/** Seconds since all changes were in; null before that. */
export const lagOf = ({ progress }: Pick<ConnectionView, 'progress'>, now: number): number | null =>
  progress?.asOf == null ? null : Math.max(0, Math.floor((now - progress.asOf) / 1000));

const millis = (at: number): string => new Date(at).toISOString();

/** A connection as replies show it. */
export function showConnection(
  view: ConnectionView,
  { now, origin }: { readonly now: number; readonly origin: string },
): z.input<ReturnType<typeof connectionShape>> {
  const { connection, progress, bell } = view;
  const { id, system, url, account, name, source, since, interval, paused, options } = connection;
  const { error = null, lastPull = null } = progress ?? {};
  return {
    id,
    system,
    url,
    account,
    name,
    source,
    since: timestampOrNull(since),
    interval,
    paused,
    supersedes: [],
    options,
    state: connectionState(view),
    as_of: timestampOrNull(progress?.asOf),
    lag: lagOf(view, now),
    error: error && {
      code: error.code,
      message: error.message,
      since: timestamp(error.since),
      next_try: timestamp(error.next),
    },
    backfill: {
      done: progress?.backfill.done ?? false,
      complete_since: progress === undefined ? null : timestampOrNull(completeSince(progress)),
      cases: progress?.backfill.cases ?? 0,
      estimate_seconds: progress === undefined ? null : estimateOf(progress),
    },
    last_pull: lastPull && {
      started_at: millis(lastPull.started),
      ended_at: lastPull.ended === null ? null : millis(lastPull.ended),
      cases: lastPull.cases,
      added: lastPull.added,
      unchanged: lastPull.unchanged,
      requests: lastPull.requests,
    },
    doorbell: {
      url: `${origin}${DOORBELLS}/${connection.doorbell}`,
      has_secret: connection.hasSecret,
      last_at: timestampOrNull(bell.lastAt),
      rung: bell.rung,
      refused: bell.refused,
      waiting: bell.waiting,
    },
    credentials: { login: connection.login, set_at: timestamp(connection.set_at) },
    created_at: timestamp(connection.created_at),
    updated_at: timestamp(connection.updated_at),
    _links: { self: { href: `${CONNECTIONS_PATH}/${id}`, class: 'connection' } },
  };
}

const ENOUGH = 100; // cases before there is an estimate

/** Seconds that the rest of a backfill takes, if earlier days have as many cases; null before that can be said. */
function estimateOf(progress: PullProgress): number | null {
  const { began, backfill } = progress;
  if (backfill.done) return 0;
  const window = windowAt(progress);
  const complete = completeSince(progress);
  if (backfill.cases < ENOUGH || window === undefined || complete === null || complete >= began) return null;
  const first = backfill.since ?? window.from;
  if (first === 0) return null; // nobody knows when the help desk began
  return Math.ceil(((complete - first) / (began - complete)) * (backfill.work / 1000));
}

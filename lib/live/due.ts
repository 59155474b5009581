import * as z from 'zod';
import { listSites } from '../access/sites.ts';
import { keys } from '../store/keys.ts';
import { FIRST_COME, isLeaseOver, readLease } from '../store/lease.ts';
import type { Table } from '../store/table.ts';
import { checkIn, isChecking } from './check/check-state.ts';
import { connectionIn, type DeskConnection } from './connection.ts';
import { isDue, LENGTH, type PullProgress, progressIn } from './progress.ts';
import { listRings } from './rings.ts';

const SLOT = 2_000; // ms; the rings of a slot are fetched together
const LATE = 900; // s of lag that worry nobody
const INTERVALS = 4; // as many intervals of lag neither

/** A message of the queue of pulls: the connection that has something to do. */
export interface DuePull {
  readonly site: string;
  readonly connection: number;
  readonly from?: number | undefined; // epoch ms; nothing is done before it
}

const due = z.object({ site: z.string(), connection: z.int(), from: z.number().optional() });

/** Reads a message of the queue; throws if it is malformed. */
export const parseDuePull = (body: string): DuePull => due.parse(JSON.parse(body));

/** The message group of a connection: its pulls follow one another. */
export const pullGroup = ({ site, connection }: DuePull): string => `site/${site}/${connection}`;

/** Has what is due of a connection done soon. Messages of a connection with the same `once` within minutes are one. */
export type SendPull = (due: DuePull, once: string) => Promise<void>;

/**
 * The message of a ring. All rings of two seconds share one, and it is worked on after these seconds: so no ring is
 * noted too late for it.
 */
export function ringMessage(site: string, connection: number, now: number): readonly [due: DuePull, once: string] {
  const from = (Math.floor(now / SLOT) + 1) * SLOT;
  return [{ site, connection, from }, `ring-${from}`];
}

/** How the connections of a deployment are, for its metrics. */
export interface ConnectionHealth {
  readonly connections: number;
  readonly lag: number; // s; the largest
  readonly failing: number; // connections
  readonly late: number; // connections whose lag is above four intervals and 15 minutes
}

/** The connections of all sites that have something to do and nobody at work, and how all of them are. */
export async function lookAtConnections(
  table: Table,
  now: number, // epoch ms
): Promise<{ readonly pulls: readonly DuePull[]; readonly health: ConnectionHealth }> {
  const names = (await listSites(table)).map(({ site }) => site.name);
  const items = await table.batchGet(names.map((name) => keys.connection(name, 'settings')));
  const pulls: DuePull[] = [];
  let health: ConnectionHealth = { connections: 0, lag: 0, failing: 0, late: 0 };
  for (const [place, site] of names.entries()) {
    const connection = connectionIn(items[place]);
    if (connection === undefined) continue;
    const parts = ['progress', 'wish', 'lease', 'check'] as const;
    const [stored, wish, lease, check] = await table.batchGet(parts.map((part) => keys.connection(site, part)));
    const progress = stored && progressIn(stored);
    const isHeld = !isLeaseOver(readLease(FIRST_COME, lease).expiresAt, now, LENGTH);
    const isAsked = wish !== undefined || isChecking(checkIn(check)) || (await listRings(table, site, 1)).length > 0;
    if (!isHeld && (connection.removing || isDue(connection, progress, { now, isAsked })))
      pulls.push({ site, connection: connection.id });
    health = withConnection(health, { connection, progress, now });
  }
  return { pulls, health };
}

function withConnection(
  { connections, lag, failing, late }: ConnectionHealth,
  {
    connection,
    progress,
    now,
  }: { readonly connection: DeskConnection; readonly progress: PullProgress | undefined; readonly now: number },
): ConnectionHealth {
  if (connection.paused || connection.removing) return { connections: connections + 1, lag, failing, late };
  const behind = Math.max(0, Math.floor((now - (progress?.asOf ?? connection.created_at)) / 1000));
  return {
    connections: connections + 1,
    lag: Math.max(lag, behind),
    failing: failing + (progress?.error ? 1 : 0),
    late: late + (behind > Math.max(LATE, INTERVALS * connection.interval) ? 1 : 0),
  };
}

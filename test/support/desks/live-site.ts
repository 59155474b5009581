import { randomUUID } from 'node:crypto';
import { type OAuthKeyStore, openOAuthKeys } from '../../../lib/access/oauth/oauth-keys.ts';
import type { Site } from '../../../lib/access/site-fields.ts';
import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { walkCommitted } from '../../../lib/history/rewrite.ts';
import { DIMENSION_NAMES } from '../../../lib/insights/definitions/dimensions.ts';
import { FIELD_NAMES } from '../../../lib/insights/definitions/fields.ts';
import { createDoorbell } from '../../../lib/live/doorbell.ts';
import { type PullEnd, pullSite } from '../../../lib/live/pull.ts';
import { createLiveRoutes, type LiveTools } from '../../../lib/live/routes.ts';
import type { PullTools } from '../../../lib/live/run.ts';
import { routes } from '../../../lib/routes.ts';
import { doRemoval } from '../../../lib/uploads/source-removal.ts';
import { importRecords } from '../service/import.ts';
import { startImportSite } from '../service/import-site.ts';
import { startService, type TestService } from '../service/service.ts';
import type { FakeDesk } from './desk.ts';

const WHOLE = { min: '2000-01-01T00:00:00Z', max: '2026-12-01T00:00:00Z', window_size: 'none' };

/** All numbers of a site's whole history, in all and by each dimension. */
export async function reportsOf(ask: TestService['ask']): Promise<unknown> {
  const reports: Record<string, unknown> = {};
  for (const dimension of [undefined, ...DIMENSION_NAMES]) {
    const body = { fields: FIELD_NAMES, time: WHOLE, ...(dimension && { dimensions: [dimension] }) };
    const { status, body: reply } = await ask('POST', '/api/v2/insights3/reports', { body });
    if (status !== 200) throw new Error(JSON.stringify(reply));
    reports[dimension ?? 'all'] = reply.data;
  }
  return reports;
}

/** The numbers of a site that was told what happened at a desk, at the time (epoch ms) of another site. */
export async function reportsOfTruth(now: number, truth: readonly unknown[]): Promise<unknown> {
  const told = await startImportSite({ rating: 'yes_no' });
  told.now.at = now;
  expect((await importRecords(told.table, told.site, truth)).rejected).toEqual([]);
  return reportsOf(told.ask);
}

/** Pulls until the backfill is done, while the desk fails now and then and each other pull is killed at a write. */
export async function pullThroughFaults(site: LiveSite, desk: FakeDesk, between?: FakeDesk['fault']): Promise<void> {
  let calls = 0;
  desk.fault = (url) => {
    calls += 1;
    if (calls % 31 === 0) return { status: 500, text: '<html>' };
    if (calls % 47 === 0) return { cut: true };
    return calls % 53 === 0 ? { status: 429, headers: { 'retry-after': '30' } } : between?.(url, calls);
  };
  const isDone = async () => (await shownConnection(site)).backfill.done;
  const { transact } = site.table;
  for (let tries = 0; tries < 3 || !(await isDone()); tries += 1) {
    let writes = 2 + (tries % 5);
    const dying: typeof transact = async (...given) => {
      if ((writes -= 1) < 0) throw new Error('killed');
      return transact(...given);
    };
    const table = { ...site.table, metered: () => table, transact: tries % 2 === 0 ? dying : transact };
    await site.pull({ table }).catch(() => 'killed');
    site.now.at += 61_000;
    if (tries > 400) throw new Error('it does not come to an end');
  }
  desk.fault = undefined;
}

/** Pulls the backfill, and then what changes; each time all numbers are those of what happened at the desk. */
export async function expectTruth(site: LiveSite, truth: readonly unknown[], change: () => void): Promise<void> {
  for (const before of [() => undefined, change]) {
    before();
    expect(await site.pull()).toBe('done');
    expect(await reportsOf(site.ask)).toEqual(await reportsOfTruth(site.now.at, truth));
  }
}

/** The calls of a pull ten minutes later. */
export async function callsOfPull(site: LiveSite, desk: FakeDesk): Promise<number> {
  site.now.at += 600_000;
  desk.requests.length = 0;
  await site.pull();
  return desk.requests.length;
}

/** The answers of a desk have the time of the site. */
export const shareClock = (site: LiveSite, desk: FakeDesk): void =>
  void Object.defineProperty(desk.headers, 'date', {
    enumerable: true,
    get: () => new Date(site.now.at).toUTCString(),
  });

/** Connects a site to a desk. */
export const connectTo = (site: LiveSite, desk: FakeDesk, more: object) =>
  site.ask('POST', '/api/v2/connections', {
    body: { url: desk.url, credentials: { token: 'right-token' }, ...more },
  });

/** The connection of a site as its API shows it. */
export const shownConnection = async (site: LiveSite) => (await site.ask('GET', '/api/v2/connections/1')).body;

/** All that a site stores, logs and shows of its connection. */
export async function tracesOf(site: LiveSite): Promise<string> {
  const stored: unknown[] = [];
  for await (const items of site.table.scan()) stored.push(items);
  return JSON.stringify([stored, site.logged, await shownConnection(site)]);
}

/** A service that connects help desks on this machine. */
export interface LiveSite extends TestService {
  readonly tools: PullTools;
  readonly keyText: { text: string };
  readonly paused: number[]; // ms of each pause that pulls made
  /** Does what is due, as if asked for, until nothing is left to do. */
  pull(options?: Partial<PullTools>): Promise<PullEnd>;
  /** The stored events by case, without their source. */
  events(): Promise<Map<string, HistoryEvent[]>>;
}

export async function startLiveSite(fields: Partial<Site> = {}): Promise<LiveSite> {
  const keyText = { text: '' };
  const keyStore: OAuthKeyStore = openOAuthKeys({
    read: async () => keyText.text,
    write: async (text) => void (keyText.text = text),
  });
  const own = { loopback: true, private: false };
  const paused: number[] = [];
  const holder: { service?: TestService } = {};
  const live: LiveTools = {
    ...{ keyStore, own },
    startRemoval: async (removal) => {
      const { table, clock } = holder.service as TestService;
      await doRemoval({ table, clock, newId: randomUUID }, removal);
    },
  };
  const others = routes.filter(({ name }) => !createLiveRoutes().some((one) => one.name === name));
  const service = await startService([...others, ...createLiveRoutes(live)], {
    site: fields,
    roles: ['Administrator', 'Business Manager', 'Agent'],
    wiring: {
      pages: (request) => {
        const { table, clock } = holder.service as TestService;
        return createDoorbell({ table, keyStore, clock, newId: randomUUID })(request);
      },
    },
  });
  holder.service = service;
  const tools: PullTools = {
    ...{ table: service.table, keyStore, own, clock: service.clock, newId: randomUUID, random: () => 0.5 },
    pause: async (ms) => void paused.push(ms),
    log: (level, message, details) => void service.logged.push({ level, message, ...details }),
    isEnding: () => false,
  };
  return {
    ...service,
    ...{ tools, keyText, paused },
    async pull(options = {}) {
      for (let times = 0; ; times += 1) {
        const end = await pullSite({ ...tools, ...options }, service.site, {
          until: service.clock() + 60_000,
          isWished: times === 0,
        });
        if (end !== 'more' || times > 1_000) return end;
      }
    },
    async events() {
      const context = { table: service.table, site: service.site, clock: service.clock, newId: randomUUID };
      const found = new Map<string, HistoryEvent[]>();
      for await (const leaf of walkCommitted(context))
        for (const [, events] of leaf)
          for (const { source: _, ...event } of events) {
            if (!('case' in event)) continue;
            found.set(event.case, [...(found.get(event.case) ?? []), event as HistoryEvent]);
          }
      for (const list of found.values()) list.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
      return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

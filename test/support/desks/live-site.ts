import { randomUUID } from 'node:crypto';
import { type OAuthKeyStore, openOAuthKeys } from '../../../lib/access/oauth-keys.ts';
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
import { startService, type TestService } from '../service/service.ts';

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

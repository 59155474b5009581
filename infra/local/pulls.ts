import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { listSites } from '../../lib/access/sites.ts';
import { pullSite } from '../../lib/live/pull.ts';
import type { PullTools } from '../../lib/live/run.ts';
import { describeError } from '../../lib/log.ts';
import type { Settings } from '../../lib/settings.ts';
import { Fault } from '../fault.ts';
import { KEY_FILES, openKeysOf } from './oauth-keys.ts';
import { repeat } from './repeat.ts';
import type { Place } from './table/place.ts';

const EVERY = 1_000; // ms between two looks for what is due
const SLICE = 60_000; // ms of a pull before the settings and all due sites are looked at again

/** What pulls need beside the table of a place. */
export async function pullToolsOf(
  { table, folder }: Pick<Place, 'table' | 'folder'>,
  { CONNECTION_SECRET: secret, CONNECT_LOOPBACK, CONNECT_PRIVATE }: Settings,
): Promise<Omit<PullTools, 'log' | 'isEnding'>> {
  const keyStore = await openKeysOf({ folder, secret }, KEY_FILES.connections);
  if (keyStore === undefined)
    throw new Fault('A deployed table has the key of connections in a secret: set CONNECTION_SECRET.', 2);
  return {
    table,
    keyStore,
    clock: Date.now,
    newId: randomUUID,
    random: Math.random,
    own: { loopback: CONNECT_LOOPBACK !== '0', private: CONNECT_PRIVATE === '1' },
    pause: (ms) => pause(ms),
  };
}

/** Pulls what is due at the help desks of all sites while the service runs. Returns a function that stops it. */
export function keepPulling(tools: Omit<PullTools, 'isEnding'>): () => Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const working = new Map<string, Promise<void>>();
  const running: PullTools = {
    ...tools,
    isEnding: () => signal.aborted,
    pause: (ms) => pause(ms, undefined, { signal }),
  };

  async function look(): Promise<void> {
    for (const { site } of await listSites(tools.table)) {
      if (signal.aborted || working.has(site.name)) continue;
      const work = pullSite(running, site, { until: Date.now() + SLICE })
        .then(() => undefined)
        .catch((error: unknown) => {
          if (!signal.aborted) tools.log('warn', 'pull put off', { site: site.name, ...describeError(error) });
        })
        .finally(() => working.delete(site.name));
      working.set(site.name, work);
    }
  }

  const stop = repeat(EVERY, look, (error) => tools.log('warn', 'pulls put off', describeError(error)));
  return async () => {
    stop();
    ending.abort();
    await Promise.all(working.values());
  };
}

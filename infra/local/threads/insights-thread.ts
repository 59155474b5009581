import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { createDeliverRoutes } from '../../../lib/deliver/routes.ts';
import { sharedNumbersRoute } from '../../../lib/deliver/shared/numbers-route.ts';
import { createTasks } from '../../../lib/http/task.ts';
import { createReader } from '../../../lib/insights/compute.ts';
import { createInsightsRoutes } from '../../../lib/insights/routes.ts';
import { sourcesRoute } from '../../../lib/live/sources.ts';
import type { Log } from '../../../lib/log.ts';
import { openEngine } from '../../../lib/warehouse/open-engine.ts';
import { loadZones } from '../../../lib/zone.ts';
import { openPlaceAgain } from '../table/place.ts';
import type { FromInsightsThread, InsightsPlace, ToInsightsThread } from './insights-messages.ts';
import { readAhead } from './read-ahead.ts';

/** The program of the thread: the other end of `insights-in-thread.ts`. It has a table handle and caches of its own. */
async function serveInThread(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('not in a thread');
  const { options, settings, folder }: InsightsPlace = workerData;
  const send = (message: FromInsightsThread): void => port.postMessage(message);
  const log: Log = (level, message, details) => send({ level, message, details });
  const reader = createReader(await openEngine(settings));
  loadZones();
  const { table, close } = await openPlaceAgain(folder, options, settings);
  const routes = [
    ...createInsightsRoutes(reader),
    sourcesRoute,
    ...createDeliverRoutes(reader),
    sharedNumbersRoute(reader),
  ];
  const doTask = createTasks({ routes, table, log, clock: Date.now, newId: randomUUID });
  const ending = new AbortController();
  let underWay = 0;
  let quietSince = performance.now();

  async function take(id: number, task: Parameters<typeof doTask>[0]): Promise<void> {
    underWay += 1;
    send({ id, outcome: await doTask(task) });
    underWay -= 1;
    quietSince = performance.now();
  }

  async function end(): Promise<void> {
    ending.abort();
    await close();
    port?.close();
  }

  port.on('message', (message: ToInsightsThread) => {
    if (message === 'end') void end();
    else void take(message.id, message.task);
  });
  readAhead({ table, reader, log }, () => (underWay > 0 ? 0 : performance.now() - quietSince), ending.signal);
}

void serveInThread();

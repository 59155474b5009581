import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createPages } from '../../lib/console/pages.ts';
import { createLeavePage } from '../../lib/deliver/leave.ts';
import { lackingOnServer } from '../../lib/deliver/setup.ts';
import { createSharedBoards } from '../../lib/deliver/shared/shared-boards.ts';
import { openPaths } from '../../lib/http/open-paths.ts';
import { serve } from '../../lib/http/serve.ts';
import type { Service } from '../../lib/http/service.ts';
import { createDoorbell } from '../../lib/live/doorbell.ts';
import { createLog } from '../../lib/log.ts';
import { routesWith } from '../../lib/routes.ts';
import { LIMITS, type Settings } from '../../lib/settings.ts';
import { loadConsole } from '../console/kept.ts';
import { prepareDemo } from '../demo/prepare.ts';
import { refusePublicDemo } from '../demo/public.ts';
import { isDemoUser } from '../demo/users.ts';
import { Fault } from '../fault.ts';
import { isLoopback } from '../loopback.ts';
import { projectPath } from '../project.ts';
import { keepCompact } from './compaction.ts';
import { keepDelivering } from './delivery.ts';
import { openKeysOf } from './oauth-keys.ts';
import { keepPulling, pullToolsOf } from './pulls.ts';
import { type Bodies, createBodies } from './server/body.ts';
import { type Listening, listen } from './server/server.ts';
import { openPlace, type Place, type PlaceOptions, placeArguments } from './table/place.ts';
import { createInsightsThread } from './threads/insights-in-thread.ts';
import { uploadFolder } from './uploads/files.ts';
import { openUploadStore } from './uploads/upload-store.ts';
import { type Welcome, welcome } from './welcome.ts';

const OPENAPI = projectPath('openapi.json');

/** Serves the API until `ending` is aborted; calls `onStarted` once it listens. Throws a `Fault` if it cannot start. */
export async function startService(
  options: PlaceOptions,
  settings: Settings,
  ending: AbortSignal,
  onStarted: (welcome: Welcome) => void,
): Promise<void> {
  const place = await openPlace({ ...options, mayMake: true }, settings);
  try {
    if (place.hasRoom?.() !== false) await prepareDemo(place, settings, Date.now());
    await refusePublicDemo(place.table, settings.HOST);
    if (ending.aborted) return;
    const log = createLog(settings.LOG_LEVEL, (line) => process.stderr.write(`${line}\n`));
    const insights = createInsightsThread({ options, settings, folder: place.folder }, log);
    const folder = uploadFolder(options, settings);
    const heap = settings.IMPORT_HEAP_MB;
    const store = openUploadStore({ table: place.table, folder, log, options, heap });
    const pulling = { ...(await pullToolsOf(place, settings)), log };
    const live = { ...pulling, startRemoval: store.removeSource ?? (async () => undefined) };
    const service = await open(place, settings, {
      routes: routesWith(store, lackingOnServer(settings), live),
      log,
      apart: insights.doTask,
      doorbell: createDoorbell(pulling),
      sharedBoards: createSharedBoards({ ...pulling, doTask: insights.doTask, ...LIMITS }),
    });
    const endCompaction = keepCompact(place.table, placeArguments(options), log);
    const endDelivery = keepDelivering(place.table, settings, { doTask: insights.doTask, log, port: service.port });
    const endPulls = keepPulling(pulling);
    try {
      onStarted(await welcome(place, service.port, Date.now()));
      insights.start();
      await new Promise((resolve) => {
        if (ending.aborted) resolve(undefined);
        else ending.addEventListener('abort', resolve, { once: true });
      });
    } finally {
      endCompaction();
      endDelivery();
      await Promise.all([service.close(), store.close(), endPulls()]);
      await insights.close();
    }
  } finally {
    await place.close();
  }
}

async function open(
  { table, hasRoom, folder }: Place,
  { PORT, HOST, OAUTH_SECRET: secret, ATHENA_WORKGROUP }: Settings,
  {
    routes,
    log,
    apart,
    doorbell,
    sharedBoards,
  }: Pick<Service, 'routes' | 'log' | 'apart'> & {
    readonly doorbell: ReturnType<typeof createDoorbell>;
    readonly sharedBoards: ReturnType<typeof createSharedBoards>;
  },
): Promise<Listening> {
  const bodies = createBodies();
  const keys = await openKeysOf({ folder, secret });
  const pages = createPages(loadConsole);
  const leavePage = createLeavePage({ table, clock: Date.now, newId: randomUUID });
  const handler = serve({
    routes,
    open: openPaths(
      table,
      () => readFile(OPENAPI, 'utf8'),
      () => troubleOf(bodies, hasRoom),
    ),
    pages: async (request) =>
      (await pages(request)) ?? (await leavePage(request)) ?? (await sharedBoards(request)) ?? doorbell(request),
    table,
    apart,
    // A log line for each request is for operators; on a terminal LOG_LEVEL=debug shows it.
    log: (level, message, details) => log(message === 'request' ? 'debug' : level, message, details),
    clock: Date.now,
    newId: randomUUID,
    oauthKeys: keys?.read,
    isGuarded: isDemoUser,
    hasEngine: ATHENA_WORKGROUP !== undefined,
    ...LIMITS,
  });
  if (!isLoopback(HOST)) log('warn', PUBLIC_WARNING);
  try {
    return await listen({ handler, log, newId: randomUUID, bodies }, PORT, HOST);
  } catch (error) {
    throw new Fault(whyNot(error, PORT, HOST));
  }
}

/** Why the service cannot take writes now; undefined if it can. */
function troubleOf(bodies: Bodies, hasRoom: Place['hasRoom']): string | undefined {
  if (hasRoom?.() === false) return 'disk full';
  return bodies.isUsedUp() ? 'bodies full' : undefined;
}

const PUBLIC_WARNING =
  'The service listens beyond this machine without TLS: passwords cross the network in clear. Put a reverse proxy in front (docs/server.md).';

function whyNot(error: unknown, port: number, host: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is in use: end what listens there, or start with another PORT (0 takes a free one).`;
  if (code === 'EACCES') return `Port ${port} may not be used by you: start with a PORT from 1024 up.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST=${host} is no address of this machine: try 127.0.0.1, or 0.0.0.0 for all of them.`;
  return `The service cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : error}`;
}

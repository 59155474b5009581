import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createPages } from '../../lib/console/pages.ts';
import { openPaths } from '../../lib/http/open-paths.ts';
import type { Route } from '../../lib/http/route.ts';
import { serve } from '../../lib/http/serve.ts';
import { createSteadyReplies } from '../../lib/http/steady-replies.ts';
import { createReader } from '../../lib/insights/compute.ts';
import { loadZones } from '../../lib/insights/zone.ts';
import { createLog, type Log } from '../../lib/log.ts';
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
import { type Listening, listen } from './server/server.ts';
import { openPlace, type Place, type PlaceOptions, placeArguments } from './table/place.ts';
import { uploadFolder } from './uploads/files.ts';
import { openUploadStore } from './uploads/upload-store.ts';
import { readAhead } from './warm-up.ts';
import { type Welcome, welcome } from './welcome.ts';

const OPENAPI = projectPath('openapi.json');

/** Serves the API until `ending` is aborted; calls `onStarted` once it listens. Throws a `Fault` if it cannot start. */
export async function startService(
  options: PlaceOptions,
  settings: Settings,
  ending: AbortSignal,
  onStarted: (welcome: Welcome) => void,
): Promise<void> {
  const place = await openPlace(options, settings);
  try {
    await prepareDemo(place, settings, Date.now());
    await refusePublicDemo(place.table, settings.HOST);
    if (ending.aborted) return;
    const log = createLog(settings.LOG_LEVEL, (line) => process.stderr.write(`${line}\n`));
    const reader = createReader();
    loadZones();
    const store = openUploadStore({ table: place.table, folder: uploadFolder(options, settings), log, options });
    const service = await open(place, settings, routesWith(reader, store), log);
    const endCompaction = keepCompact(place.table, placeArguments(options), log);
    try {
      onStarted(await welcome(place, service.port, Date.now()));
      readAhead({ table: place.table, reader, log }, service.quietFor, ending);
      await new Promise((resolve) => {
        if (ending.aborted) resolve(undefined);
        else ending.addEventListener('abort', resolve, { once: true });
      });
    } finally {
      endCompaction();
      await Promise.all([service.close(), store.close()]);
    }
  } finally {
    await place.close();
  }
}

async function open(
  { table, hasRoom }: Place,
  { PORT, HOST }: Settings,
  routes: readonly Route[],
  log: Log,
): Promise<Listening> {
  const handler = serve({
    routes,
    open: openPaths(table, () => readFile(OPENAPI, 'utf8'), hasRoom),
    pages: createPages(loadConsole),
    table,
    replies: createSteadyReplies(),
    // A log line for each request is for operators; on a terminal LOG_LEVEL=debug shows it.
    log: (level, message, details) => log(message === 'request' ? 'debug' : level, message, details),
    clock: Date.now,
    newId: randomUUID,
    isGuarded: isDemoUser,
    ...LIMITS,
  });
  if (!isLoopback(HOST)) log('warn', PUBLIC_WARNING);
  try {
    return await listen({ handler, log, newId: randomUUID }, PORT, HOST);
  } catch (error) {
    throw new Fault(whyNot(error, PORT, HOST));
  }
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

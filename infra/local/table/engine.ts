import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { openDataFolder } from './data-folder.ts';
import { embeddedEngine } from './engine-binary.ts';
import { type EngineFile, readEngineFile, removeEngineFile, writeEngineFile } from './engine-file.ts';
import { addEngineUser, removeEngineUser } from './engine-users.ts';
import { withLockFile } from './lock-file.ts';
import { commandLineOf, endProcess, isRunning, markOf } from './processes.ts';

/** The embedded engine of a data folder, shared by all processes that use the folder. */
export interface SharedEngine extends EngineFile {
  /** Starts it again, at the same endpoint, whenever it dies; until `release`. For a service that goes on. */
  keepAlive(onDeath: (sentence: string) => void): Promise<void>;
  /** Gives it back; the last one to do so ends it. */
  release(): Promise<void>;
}

const TABLE = 'support';
const DATABASE = 'support.db';
const LOG = 'engine.log';
const STARTS = 5; // tries: another process may take the port between our looking and the engine's binding
const ANSWERS_WITHIN = 10_000; // ms, of a new engine
const STEP = 10; // ms
const WATCH = 1_000; // ms between two looks at a running engine

const lockOf = (folder: string): string => join(folder, 'engine.lock');
const databaseOf = (folder: string): string => join(folder, DATABASE);

/**
 * Takes part in the engine of a data folder: adopts the one that runs, whoever started it, or starts one. Throws one
 * sentence where none can run.
 */
export async function shareEngine(dataFolder: string): Promise<SharedEngine> {
  const folder = await openDataFolder(dataFolder);
  const engine = await withLockFile(lockOf(folder), async () => {
    const running = (await adopt(folder)) ?? (await start(folder));
    await addEngineUser(folder);
    return running;
  });
  let watch: NodeJS.Timeout | undefined;
  let released: Promise<void> | undefined;
  return {
    ...engine,
    keepAlive: async (onDeath) => {
      watch = await watchEngine(folder, engine, onDeath);
    },
    release: () => {
      clearInterval(watch);
      released ??= withLockFile(lockOf(folder), () => leave(folder));
      return released;
    },
  };
}

/** Looks after the engine every second; one that died is started anew where clients expect it. */
async function watchEngine(folder: string, engine: EngineFile, onDeath: (sentence: string) => void) {
  const port = Number(new URL(engine.endpoint).port);
  let mark = await markOf(engine.pid);
  let reviving = false;
  const revive = async (): Promise<void> => {
    if (reviving || (await isRunning(mark))) return;
    reviving = true;
    try {
      onDeath(`the engine ${mark.pid} died; starting it again`);
      const next = await withLockFile(lockOf(folder), async () => (await adopt(folder)) ?? (await start(folder, port)));
      mark = await markOf(next.pid);
    } finally {
      reviving = false;
    }
  };
  return setInterval(() => revive().catch((error: unknown) => onDeath(String(error))), WATCH).unref();
}

async function leave(folder: string): Promise<void> {
  const { othersLeft } = await removeEngineUser(folder);
  const engine = await readEngineFile(folder);
  if (othersLeft || engine === undefined) return;
  if (await isOurs(folder, engine)) await endProcess(engine.pid);
  await removeEngineFile(folder);
}

/** The engine that `engine.json` names, if it is this folder's and answers; one that hangs is ended. */
async function adopt(folder: string): Promise<EngineFile | undefined> {
  const engine = await readEngineFile(folder);
  if (engine === undefined || !(await isOurs(folder, engine))) return undefined;
  if (await answers(engine.endpoint)) return engine;
  await endProcess(engine.pid);
  return undefined;
}

/** Whether the process is the engine of this folder's database: its number may have gone to another meanwhile. */
async function isOurs(folder: string, { pid, endpoint }: EngineFile): Promise<boolean> {
  const line = await commandLineOf(pid);
  return line.includes(` --port ${new URL(endpoint).port} `) && line.includes(databaseOf(folder));
}

async function start(folder: string, wanted?: number): Promise<EngineFile> {
  for (let attempt = 1; ; attempt += 1) {
    const port = attempt === 1 && wanted ? wanted : await freePort();
    const engine = await launch(folder, port);
    if (await comesUp(engine)) return engine;
    await endProcess(engine.pid);
    await removeEngineFile(folder);
    if (attempt < STARTS && /in use/i.test(await readLog(folder))) continue;
    throw new Error(`The embedded engine does not start on ${databaseOf(folder)}: ${await readLog(folder)}`);
  }
}

/** Starts the program apart from this process: Ctrl-C and a crash here leave it alone. */
async function launch(folder: string, port: number): Promise<EngineFile> {
  const program = embeddedEngine();
  const log = await open(join(folder, LOG), 'w');
  try {
    const child = spawn(
      program,
      ['serve', '--host', '127.0.0.1', '--port', `${port}`, '--db-path', databaseOf(folder)],
      {
        detached: true,
        stdio: ['ignore', 'ignore', log.fd],
      },
    );
    child.on('error', () => undefined); // shows as a process that is not there
    child.unref();
    const engine = { pid: child.pid ?? 0, endpoint: `http://127.0.0.1:${port}`, table: TABLE };
    if (engine.pid === 0) throw new Error(`The embedded engine ${program} cannot be run: is it executable?`);
    await writeEngineFile(folder, engine);
    return engine;
  } finally {
    await log.close();
  }
}

async function comesUp({ pid, endpoint }: EngineFile): Promise<boolean> {
  const mark = await markOf(pid);
  for (let waited = 0; waited < ANSWERS_WITHIN; waited += STEP) {
    if (!(await isRunning(mark))) return false;
    if (await answers(endpoint)) return true;
    await sleep(STEP);
  }
  return false;
}

const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint, { signal: AbortSignal.timeout(2_000) }).then(
    (reply) => reply.ok,
    () => false,
  );

const readLog = async (folder: string): Promise<string> =>
  (await readFile(join(folder, LOG), 'utf8').catch(() => '')).replace(/^error: /i, '').trim() || 'it gave no reason';

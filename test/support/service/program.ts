import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const PROGRAM = join(PROJECT, 'bin/support.js');

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly url: string;
  readonly pid: number;
  readonly out: () => string; // standard output so far
  readonly err: () => string;
  /** Sends a signal and waits until the process ends. */
  end(signal: NodeJS.Signals): Promise<Ran & { readonly signal: NodeJS.Signals | null }>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs the command line in a process of its own until it ends. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = launch(args, options);
  const said = listenTo(child);
  child.stdin?.end(options.input ?? '');
  return { status: await ended(child), ...said() };
}

/** Runs the command line and kills it after some ms, unless it has ended by then. */
export async function runKilled(args: readonly string[], after: number): Promise<void> {
  const child = launch(args, {});
  const timer = setTimeout(() => child.kill('SIGKILL'), after);
  await ended(child);
  clearTimeout(timer);
}

/** Runs the command line and kills it as soon as `isTime` returns true, unless it has ended by then. */
export async function runKilledOnce(
  args: readonly string[],
  isTime: () => Promise<boolean>,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  const child = launch(args, {});
  let isOver = false;
  const over = ended(child).then(() => {
    isOver = true;
  });
  while (!isOver && !(await isTime())) await sleep(2); // ms
  child.kill(signal);
  await over;
}

/** Starts the service on a free port and waits until it listens; if it ends instead, throws its output. */
export function startProgram(folder: string, env: Readonly<Record<string, string>> = {}): Promise<Running> {
  return listening(launch(['start'], { env: { PORT: '0', DATA_DIR: folder, DEMO: '0', ...env } }));
}

/** The same with `npm start`, as people do it. Signals are sent to npm. */
export function startByNpm(folder: string): Promise<Running> {
  const env = { ...process.env, PORT: '0', DATA_DIR: folder, DEMO: '0' };
  return listening(spawn('npm', ['start'], { env, cwd: PROJECT, stdio: 'pipe' }));
}

async function listening(child: ChildProcess): Promise<Running> {
  const said = listenTo(child);
  const over = ended(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [, found] = /Listening on (http:\S+)/.exec(said().out) ?? [];
      if (found) resolve(found);
    });
    over.then((status) => reject(new Error(`it ended with ${status}: ${said().err}`)), reject);
  });
  return {
    url,
    pid: child.pid ?? 0,
    out: () => said().out,
    err: () => said().err,
    end: async (signal) => {
      child.kill(signal);
      return { status: await over, signal: child.signalCode, ...said() };
    },
  };
}

/** Does some work with a new data folder, and then deletes the folder. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'support-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function launch(args: readonly string[], { env = {} }: RunOptions): ChildProcess {
  const { TEST_ENDPOINT: _, NODE_OPTIONS: __, ...inherited } = process.env;
  return spawn(process.execPath, [PROGRAM, ...args], { env: { ...inherited, ...env }, stdio: 'pipe' });
}

function listenTo(child: ChildProcess): () => { readonly out: string; readonly err: string } {
  const parts = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    parts.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    parts.err += text;
  });
  return () => ({ ...parts });
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';

/** A DynamoDB-compatible engine in a process of its own. */
export interface Engine {
  readonly endpoint: string;
  readonly pid: number;
  end(): void;
}

const STEP = 25; // ms
const CHECKS = 400;

/** The path of the engine's program; undefined if its package is not installed or does not exist for this platform. */
export function engineProgram(): string | undefined {
  const file = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/${file}`);
  } catch {
    return undefined;
  }
}

/** Starts the engine on a free port, over a database or in memory; resolves when it answers. */
export async function startEngineProgram(program: string, database?: string): Promise<Engine> {
  const port = await freePort();
  const kept = database === undefined ? [] : ['--db-path', database];
  const child = spawn(program, ['serve', '--host', '127.0.0.1', '--port', String(port), ...kept], { stdio: 'ignore' });
  let over = false;
  child.on('error', () => (over = true)).on('exit', () => (over = true));
  const endpoint = `http://127.0.0.1:${port}`;
  for (let check = 0; check < CHECKS && !over; check += 1) {
    if (await answers(endpoint)) return { endpoint, pid: child.pid ?? 0, end: () => void child.kill('SIGKILL') };
    await sleep(STEP);
  }
  child.kill('SIGKILL');
  throw new Error(`the engine ${program} does not start${database === undefined ? '' : ` on ${database}`}`);
}

const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** A DynamoDB-compatible engine in a process of its own. */
export interface Engine {
  readonly endpoint: string;
  readonly pid: number;
  end(): void;
}

const STEP = 25; // ms
const CHECKS = 400;

/** The path of the engine's program; undefined if its package is not installed or does not exist for this platform. */
function engineProgram(): string | undefined {
  const file = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/${file}`);
  } catch {
    return undefined;
  }
}

/**
 * Starts an engine on a free port that keeps its tables in memory; resolves when it answers. Undefined if this platform
 * has none.
 */
export async function startEngine(): Promise<Engine | undefined> {
  const program = engineProgram();
  if (program === undefined) return undefined;
  const port = await freePort();
  const child = spawn(program, ['serve', '--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
  let over = false;
  child.on('error', () => (over = true)).on('exit', () => (over = true));
  const endpoint = `http://127.0.0.1:${port}`;
  for (let check = 0; check < CHECKS && !over; check += 1) {
    if (await answers(endpoint)) return { endpoint, pid: child.pid ?? 0, end: () => void child.kill('SIGKILL') };
    await sleep(STEP);
  }
  child.kill('SIGKILL');
  throw new Error(`the engine ${program} does not start`);
}

const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );

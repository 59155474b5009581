import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../infra/local/free-port.ts';
import { embeddedEngine } from '../../../infra/local/table/engine-binary.ts';

export interface Engine {
  readonly endpoint: string;
  readonly process: ChildProcess;
}

/** Starts an engine that keeps its tables in memory, on a free port; resolves when it answers. */
export async function startEngine(): Promise<Engine> {
  const port = await freePort();
  const engine = spawn(embeddedEngine(), ['serve', '--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const up = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (up) return { endpoint, process: engine };
    await sleep(25);
  }
  engine.kill('SIGKILL');
  throw new Error(`the engine does not answer at ${endpoint}`);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { USER } from './data/made-site.ts';
import { fileMemoryOf, peakMemoryOf, processorTimeOf } from './process-memory.ts';

/** A service in a process of its own, to which requests are sent over HTTP. */
export interface ServiceProcess {
  readonly port: number;
  readonly signIn: () => Promise<void>; // a request that only needs the check of the password
  readonly ask: (path: 'reports' | 'cases' | 'changes', body: object) => Promise<string>; // path below insights3; the reply's JSON
  readonly peakMemory: () => number; // bytes, without this process
  readonly fileMemory: () => number; // bytes of the service that are now pages of files
  readonly processorTime: () => number; // µs of all its threads
  readonly stop: () => Promise<void>;
}

export async function startServiceProcess(dataDir: string): Promise<ServiceProcess> {
  const program = fileURLToPath(new URL('../../bin/support.js', import.meta.url));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', DEMO: '0', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await listeningPort(child);
  return {
    port,
    signIn: async () => void (await ask(port, 'GET', '/api/v2/topics')),
    ask: (path, body) => ask(port, 'POST', `/api/v2/insights3/${path}`, JSON.stringify(body)),
    peakMemory: () => peakMemoryOf(child.pid),
    fileMemory: () => fileMemoryOf(child.pid),
    processorTime: () => processorTimeOf(child.pid),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** The port that a server in another process says on standard output. */
export async function listeningPort(child: ChildProcess): Promise<number> {
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    const port = /Listening on \S+:(\d+)/.exec(said)?.[1];
    if (port !== undefined) {
      child.stdout?.resume();
      return Number(port);
    }
  }
  throw new Error(`the service did not start: ${said}`);
}

/** Sends a request; returns the body of the reply, and throws if it is no success. */
function ask(port: number, method: 'GET' | 'POST', path: string, body?: string): Promise<string> {
  const headers = {
    Authorization: `Basic ${Buffer.from(`${USER.login}:${USER.password}`).toString('base64')}`,
    'Content-Type': 'application/json',
  };
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method, headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk) => chunks.push(chunk));
      reply.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (reply.statusCode === 200) resolve(text);
        else reject(new Error(`${method} ${path} was answered ${reply.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { Agent, get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/service/free-port.ts';
import { mustRun } from './command.ts';
import { environmentOf } from './environment.ts';
import { pythonPrograms } from './python.ts';

/** A LocalStack-compatible emulator, and what makes its certificate: policies that ask for TLS must see it. */
const PACKAGES = ['ministack==1.5.33', 'trustme==1.2.1'] as const;
const STARTS_WITHIN = 60_000; // ms

export interface Emulator {
  readonly endpoint: string;
  readonly env: Readonly<Record<string, string>>; // what AWS tools need to find and to trust it
  readonly ca: string; // PEM of who signed its certificate
  /** What it wrote last. */
  tail(): Promise<string>;
  stop(): Promise<void>;
}

/** Installs ministack where it is not there yet. Returns the folder of its programs. */
export const installMinistack = (): Promise<string> => pythonPrograms(PACKAGES);

interface MinistackOptions {
  readonly auth: boolean; // it enforces IAM
  readonly more?: Readonly<Record<string, string>>; // variables that functions see, too
}

/** Starts ministack on a free port of this machine alone. */
export async function startMinistack({ auth, more = {} }: MinistackOptions): Promise<Emulator> {
  const programs = await installMinistack();
  const folder = await mkdtemp(join(tmpdir(), 'ministack-'));
  const port = String(await freePort());
  const endpoint = `https://127.0.0.1:${port}`;
  await mustRun(join(programs, 'python'), ['-m', 'trustme', '-q', '-d', folder, '-i', '127.0.0.1', 'localhost']);
  const ca = join(folder, 'client.pem');
  const env = { ...environmentOf(endpoint), NODE_EXTRA_CA_CERTS: ca, AWS_CA_BUNDLE: ca };
  const log = await open(join(folder, 'log'), 'w');
  const child = spawn(join(programs, 'ministack'), [], {
    cwd: folder,
    stdio: ['ignore', log.fd, log.fd],
    detached: true, // a group of its own, so that the functions it starts end with it
    env: {
      ...process.env,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: port,
      EDGE_PORT: port,
      STATE_DIR: join(folder, 'state'),
      S3_DATA_DIR: join(folder, 's3'),
      TMPDIR: folder,
      AUTH: String(auth),
      USE_SSL: '1',
      IOT_MTLS_ENABLED: '0', // it would listen on a fixed port
      MINISTACK_SSL_CERT: join(folder, 'server.pem'),
      MINISTACK_SSL_KEY: join(folder, 'server.key'),
      ...env,
      ...more,
    },
  });
  const stop = async (): Promise<void> => {
    await end(child);
    await log.close();
    await rm(folder, { recursive: true, force: true });
  };
  const tail = async () => (await readFile(join(folder, 'log'), 'utf8')).split('\n').slice(-40).join('\n');
  const trusted = await readFile(ca, 'utf8');
  try {
    await answers(endpoint, trusted, child);
  } catch (error) {
    const said = await tail();
    await stop();
    throw new Error(`${String(error)}\n${said}`);
  }
  return { endpoint, env, ca: trusted, tail, stop };
}

async function answers(endpoint: string, ca: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + STARTS_WITHIN;
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`ministack ended with ${child.exitCode}`);
    const up = await new Promise<boolean>((resolve) => {
      const request = get(`${endpoint}/_ministack/health`, { agent: new Agent({ ca }) }, (reply) => {
        reply.resume();
        resolve(reply.statusCode === 200);
      });
      request.on('error', () => resolve(false));
    });
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('ministack does not answer');
}

/** Ends the whole group: first kindly, then not. */
async function end(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  signal(-pid, 'SIGTERM');
  const timer = setTimeout(() => signal(-pid, 'SIGKILL'), 5_000);
  await ended;
  clearTimeout(timer);
  signal(-pid, 'SIGKILL'); // what of the group outlived it
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it has ended by itself
  }
}

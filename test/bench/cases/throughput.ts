import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { emptySite, USER } from '../data/made-site.ts';
import { median, print } from '../figures.ts';
import { processorTimeOf } from '../process-memory.ts';
import { listeningPort, startServiceProcess } from '../service-process.ts';

const AUTHORIZATION = `Basic ${Buffer.from(`${USER.login}:${USER.password}`).toString('base64')}`;
/** The least ratio of requests per second to those of a bare server, for a warm GET, by connections. */
const TARGETS: ReadonlyMap<number, number> = new Map([
  [1, 0.3],
  [32, 0.15],
]);
const CONNECTIONS = [...TARGETS.keys()];
const ROUNDS = 3;
const SECONDS = '2'; // for each round
const TOPICS = 60;

/** A request that is sent again and again. */
interface Load {
  readonly name: string;
  readonly target: string;
  readonly body?: unknown; // of a POST
}

const POST: Load = { name: 'POST a topic', target: '/api/v2/topics', body: { name: 'One more' } };
const LOADS: readonly Load[] = [
  { name: 'GET a topic', target: '/api/v2/topics/1' },
  { name: 'GET a list', target: '/api/v2/topics' },
  { name: 'GET meta', target: '/api/v2/insights3/meta' },
  POST, // last: the list grows
];

/**
 * Measures the local service and a bare Node server with the same bytes, in turns: requests per second, p99, and the
 * processor time of a request, of which a busy machine tells less.
 */
export async function bench(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-throughput-'));
  await emptySite(folder);
  const service = await startServiceProcess(folder);
  const ratios = CONNECTIONS.map((connections) => ({ connections, all: [] as number[] }));
  try {
    for (let n = 0; n < TOPICS; n += 1) await bodyOf(service.port, { ...POST, body: { name: `Topic ${n}` } });
    for (const load of LOADS) {
      const bare = await bareServer(await bodyOf(service.port, load));
      try {
        // A site may have only one outstanding request of meta and reports, so more connections would be refused.
        for (const connections of CONNECTIONS.filter((count) => count === 1 || !load.target.includes('insights'))) {
          const ratio = await compare(load, connections, service, bare);
          if (load.body === undefined) ratios.find((one) => one.connections === connections)?.all.push(ratio);
        }
      } finally {
        await bare.stop();
      }
    }
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const said = ratios.map(({ connections, all }) => {
    const [least, most] = [Math.min(...all).toFixed(2), Math.max(...all).toFixed(2)];
    return `${least} to ${most}x at ${connections} connections (target ${TARGETS.get(connections)}x)`;
  });
  return `a warm GET by a bare server: ${said.join(', ')}`;
}

async function bodyOf(port: number, { target, body }: Load): Promise<string> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const reply = await fetch(`http://127.0.0.1:${port}${target}`, {
    headers: { authorization: AUTHORIZATION },
    ...sent,
  });
  if (!reply.ok) throw new Error(`${target} was answered ${reply.status}: ${await reply.text()}`);
  return reply.text();
}

/** A server in a process of its own. */
interface Measured {
  readonly port: number;
  readonly processorTime: () => number; // µs
  readonly stop: () => Promise<void>;
}

const BARE = `
const body = process.argv[1];
const server = require('node:http').createServer((request, response) => {
  request.resume();
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log('Listening on bare:' + server.address().port));`;

async function bareServer(body: string): Promise<Measured> {
  const child = spawn(process.execPath, ['-e', BARE, body], { stdio: ['ignore', 'pipe', 'inherit'] });
  return {
    port: await listeningPort(child),
    processorTime: () => processorTimeOf(child.pid),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** The result of a load generator: requests per second, the ms that 99 of 100 took at most, and the server's µs for each. */
interface Rate {
  readonly perSecond: number;
  readonly p99: number;
  readonly processor: number;
}

async function compare(load: Load, connections: number, ours: Measured, bare: Measured): Promise<number> {
  const rates: { readonly a: Rate; readonly b: Rate }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rates.push({ a: await rateOf(ours, load, connections), b: await rateOf(bare, load, connections) });
  const middle = (pick: (rate: (typeof rates)[number]) => number): number => median(rates.map(pick));
  const ratio = middle(({ a, b }) => a.perSecond / b.perSecond);
  const say = (of: 'a' | 'b') =>
    `${middle((rate) => rate[of].perSecond).toFixed(0)}/s, p99 ${middle((rate) => rate[of].p99).toFixed(0)} ms, ${middle((rate) => rate[of].processor).toFixed(0)} µs of a core`;
  const share = middle(({ a, b }) => b.processor / a.processor);
  print(
    `${load.name}, ${connections} connections: service ${say('a')}; bare server ${say('b')}; ${ratio.toFixed(2)}x by requests, ${share.toFixed(2)}x by processor time`,
  );
  return ratio;
}

const run = promisify(execFile);

/** Runs a load generator in a process of its own. */
async function rateOf({ port, processorTime }: Measured, { target, body }: Load, connections: number): Promise<Rate> {
  const before = processorTime();
  const sent = body === undefined ? [] : ['-m', 'POST', '-b', JSON.stringify(body)];
  const options = ['--json', '-c', String(connections), '-d', SECONDS, ...sent, '-H', `authorization=${AUTHORIZATION}`];
  const url = `http://127.0.0.1:${port}${target}`;
  const { stdout } = await run('node_modules/.bin/autocannon', [...options, url]);
  const { requests, latency, non2xx } = JSON.parse(stdout);
  if (non2xx > 0) throw new Error(`${non2xx} replies of ${target} were no success`);
  return { perSecond: requests.average, p99: latency.p99, processor: (processorTime() - before) / requests.total };
}

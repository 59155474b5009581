import { readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Agent, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, startProgram, withFolder } from '../../support/service/program.ts';
import { median, print } from '../figures.ts';

const PASSWORD = 'a password for the soak';
const SITES = ['north', 'south', 'west'] as const;
const CLIENTS = 8; // a site
const PAUSE = 100; // ms between two requests of a client, on average
const SAMPLES = 60; // of memory, handles and disk

/** What the service takes at one moment. */
interface Sample {
  readonly memory: number; // bytes that are resident
  readonly handles: number;
  readonly disk: number; // bytes of the data folder
}

/**
 * Mixed load by many users of several sites for half an hour, or `--minutes N`: lists and single resources, conditional and not, writes,
 * reports, wrong passwords, an import now and then. Memory, handles and disk must be as flat at the end as after warming up.
 */
export async function bench(options: readonly string[]): Promise<string> {
  const minutes = Number(options[options.indexOf('--minutes') + 1] ?? 30) || 30;
  return withFolder(async (folder) => {
    for (const site of SITES) await addSite(folder, site);
    const service = await startProgram(folder, { LOG_LEVEL: 'error' });
    const until = Date.now() + minutes * 60_000;
    const answers = new Map<number, number>();
    try {
      const clients = SITES.flatMap((site) =>
        Array.from({ length: CLIENTS }, (_, number) => act({ url: service.url, site, number }, until, answers)),
      );
      const samples = await watch(folder, service.pid, minutes * 60_000);
      await Promise.all(clients);
      return verdict(samples, answers);
    } finally {
      await service.end('SIGTERM');
    }
  });
}

async function addSite(folder: string, site: string): Promise<void> {
  const place = ['--data-dir', folder];
  await must(['site', 'add', site, ...place]);
  const user = ['user', 'add', '--site', site, '--login', `soak@${site}.example`, '--role', 'Administrator'];
  await must([...user, '--password-stdin', ...place], `${PASSWORD}\n`);
  const file = join(folder, `${site}.ndjson`);
  await writeFile(file, history(2_000));
  await must(['import', file, '--site', site, '--format', 'ndjson', ...place]);
}

async function must(args: readonly string[], input = ''): Promise<void> {
  const { status, err } = await run(args, { input });
  if (status !== 0) throw new Error(`support ${args.join(' ')} ended with ${status}: ${err}`);
}

/** Cases that were created, answered and resolved, as NDJSON. */
function history(cases: number): string {
  const at = (number: number, second: number) => new Date(1_760_000_000_000 + (number * 997 + second) * 1000);
  return Array.from({ length: cases }, (_, number) =>
    [
      { type: 'case.created', id: `${number}.1`, at: at(number, 0), case: number, channel: number % 5 },
      { type: 'interaction', id: `${number}.2`, at: at(number, 1), case: number, direction: 'inbound' },
      { type: 'interaction', id: `${number}.3`, at: at(number, 600), case: number, direction: 'outbound', agent: 7 },
      { type: 'case.status', id: `${number}.4`, at: at(number, 900), case: number, to: 'resolved', agent: 7 },
    ]
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  ).join('');
}

const REPORT = {
  fields: ['case_creates', 'time_to_first_response', 'first_contact_resolution_rate'],
  time: { min: '2025-09-01T00:00:00Z', max: '2025-12-01T00:00:00Z', window_size: 'day' },
  dimension1: 'channel',
};

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request to the service; the host that names the site is a header, as not every machine resolves it. */
function send({ hostname, port, pathname, search }: URL, options: RequestOptions, body: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, hostname, port, path: pathname + search, agent: AGENT }, async (reply) => {
      let text = '';
      for await (const part of reply.setEncoding('utf8')) text += part;
      resolve({ status: reply.statusCode ?? 0, text });
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const AGENT = new Agent({ keepAlive: true });

/** One client of a site: asks one thing after another until the time is up. */
async function act(
  { url, site, number }: { readonly url: string; readonly site: string; readonly number: number },
  until: number,
  answers: Map<number, number>,
): Promise<void> {
  const own: string[] = []; // paths of topics that this client made
  async function ask(method: string, path: string, body?: unknown, password = PASSWORD): Promise<Answer> {
    const headers = { Host: `${site}.localhost`, Authorization: `Basic ${btoa(`soak@${site}.example:${password}`)}` };
    const answer = await send(new URL(path, url), { method, headers }, body);
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
    return answer;
  }
  const list = () => ask('GET', '/api/v2/topics?per_page=20');
  const create = async () => {
    const { status, text } = await ask('POST', '/api/v2/topics', { name: `By ${number}` });
    if (status === 201) own.push(String(JSON.parse(text)._links.self.href));
  };
  const change = async () => {
    const [path] = own;
    if (path) await ask('PATCH', path, { description: String(Math.random()) });
  };
  const remove = async () => {
    const path = own.length > 3 ? own.shift() : undefined;
    if (path) await ask('DELETE', path);
  };
  const report = () => ask('POST', '/api/v2/insights3/reports', REPORT);
  const stranger = () => ask('GET', '/api/v2/macros', undefined, 'wrong');
  const macros = () => ask('GET', '/api/v2/macros');
  const things = [list, list, macros, macros, create, change, change, remove, remove, report];
  for (let turn = number; Date.now() < until; turn += 1) {
    await (turn % 500 === 499 ? stranger : (things[Math.floor(Math.random() * things.length)] ?? list))();
    await sleep(2 * PAUSE * Math.random());
  }
}

async function watch(folder: string, pid: number, ms: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let turn = 0; turn < SAMPLES; turn += 1) {
    await sleep(ms / SAMPLES);
    samples.push(sampleOf(folder, pid));
    if (turn % 10 === 9) print(describe(samples.slice(-10)));
  }
  return samples;
}

function sampleOf(folder: string, pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    memory: 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    disk: readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0),
  };
}

const MB = 2 ** 20;

function middle(samples: readonly Sample[]): Sample {
  const of = (name: keyof Sample): number => median(samples.map((sample) => sample[name]));
  return { memory: of('memory'), handles: of('handles'), disk: of('disk') };
}

function describe(samples: readonly Sample[]): string {
  const { memory, handles, disk } = middle(samples);
  return `memory ${(memory / MB).toFixed(0)} MB, handles ${handles}, disk ${(disk / MB).toFixed(1)} MB`;
}

/** Compares the second sixth of the time, when all is warm, with the last. */
function verdict(samples: readonly Sample[], answers: ReadonlyMap<number, number>): string {
  const sixth = SAMPLES / 6;
  const [before, after] = [middle(samples.slice(sixth, 2 * sixth)), middle(samples.slice(-sixth))];
  const ratios = (['memory', 'handles', 'disk'] as const).map(
    (name) => `${name} ${(after[name] / before[name]).toFixed(2)}x`,
  );
  const counts = [...answers].sort(([a], [b]) => a - b).map(([status, count]) => `${count} of ${status}`);
  print(counts.join(', '));
  const failed = [...answers].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0);
  return `${ratios.join(', ')} from the second sixth to the last; ${failed} replies of 5xx`;
}

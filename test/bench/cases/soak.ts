import { readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sizeOf } from '../../../infra/local/table/size.ts';
import { openStore } from '../../../infra/local/table/store.ts';
import { keys } from '../../../lib/store/keys.ts';
import { run, startProgram, withFolder } from '../../support/service/program.ts';
import { median, print } from '../figures.ts';
import { act, bringAndTakeBack, CASES, history, type Load, PASSWORD, type User } from './soak-clients.ts';
import { makeTrouble, TROUBLE_NAMES } from './soak-trouble.ts';

const SITES = ['north', 'south', 'west'] as const;
const CLIENTS = 8; // users of each site; every second one has a token
const RATE_LIMIT = '3000'; // requests per minute and user on one of the sites: counted, but never reached
const SAMPLES = 60; // of memory, handles and disk
const LOOKS = 30; // in each sample

/** The resources of the service at one moment. */
interface Sample {
  readonly memory: number; // resident bytes, the least of several looks, without the 128 MB of a password check and garbage
  readonly handles: number;
  readonly disk: number; // bytes of the data folder
}

/**
 * Mixed load by 24 users of three sites for half an hour, or `--minutes N`: lists and single resources, some
 * conditional, writes with and without Idempotency-Keys, reports, and imports that are undone. Beside them clients leave
 * at any step, send slowly, guess passwords and upload damaged files. Memory and handles must not grow after warming up. The disk may grow by the data that each write leaves on purpose.
 */
export async function bench(options: readonly string[]): Promise<string> {
  const minutes = Number(options[options.indexOf('--minutes') + 1] ?? 30) || 30;
  return withFolder(async (folder) => {
    const users: User[] = [];
    for (const site of SITES) users.push(...(await addSite(folder, site)));
    const service = await startProgram(folder, { LOG_LEVEL: 'error' });
    const load: Load = { url: service.url, until: Date.now() + minutes * 60_000, answers: new Map() };
    let samples: Sample[] = [];
    try {
      const importers = users.filter(({ number }) => number === 1).map((user) => bringAndTakeBack(load, user));
      const clients = users.map((user) => act(load, user));
      const troubled = users
        .filter(({ number }) => number === 3)
        .flatMap((user, site) =>
          TROUBLE_NAMES.map((kind, nth) => makeTrouble(load, user, kind, `127.0.${site + 1}.${nth + 1}`)),
        );
      samples = await watch(folder, service.pid, minutes * 60_000);
      await Promise.all([...clients, ...importers, ...troubled]);
    } finally {
      await service.end('SIGTERM');
    }
    print(await kept(folder));
    return verdict(samples, load.answers);
  });
}

async function addSite(folder: string, site: string): Promise<User[]> {
  const place = ['--data-dir', folder];
  await must(['site', 'add', site, ...place]);
  if (site === SITES[0]) await must(['site', 'set', site, '--rate-limit', RATE_LIMIT, ...place]);
  const file = join(folder, `${site}.ndjson`);
  await writeFile(file, history(CASES, 0));
  await must(['import', file, '--site', site, '--format', 'ndjson', ...place]);
  const users: User[] = [];
  for (let number = 0; number < CLIENTS; number += 1) {
    const login = `user-${number}@${site}.example`;
    const who = ['--site', site, '--login', login];
    await must(['user', 'add', ...who, '--role', 'Administrator', '--password-stdin', ...place], `${PASSWORD}\n`);
    const made =
      number % 2 === 1 ? await must(['token', 'add', ...who, '--name', 'soak', '--json', ...place]) : undefined;
    users.push({ site, number, login, token: made && String(JSON.parse(made).token) });
  }
  return users;
}

async function must(args: readonly string[], input = ''): Promise<string> {
  const { status, out, err } = await run(args, { input });
  if (status !== 0) throw new Error(`support ${args.join(' ')} ended with ${status}: ${err}`);
  return out;
}

async function watch(folder: string, pid: number, ms: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let turn = 0; turn < SAMPLES; turn += 1) {
    const looks: Sample[] = [];
    for (let look = 0; look < LOOKS; look += 1) {
      await sleep(ms / SAMPLES / LOOKS);
      looks.push(sampleOf(folder, pid));
    }
    samples.push({ ...middle(looks), memory: Math.min(...looks.map(({ memory }) => memory)) });
    if (turn % 10 === 9) print(describe(samples.slice(-10)));
  }
  return samples;
}

function sampleOf(folder: string, pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    memory: 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    disk: bytesOf(folder),
  };
}

const bytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

/**
 * The data that writes leave on purpose: the audit for 400 days, and replies to requests with keys for a day or two.
 */
async function kept(folder: string): Promise<string> {
  const { table, close } = await openStore(folder);
  const sums = new Map<string, { items: number; bytes: number }>();
  for (const site of SITES) {
    for (const [what, pk] of [
      ['audit', keys.audit(site).pk],
      ['answers', keys.repeats(site, '').pk],
    ] as const) {
      const sum = sums.get(what) ?? { items: 0, bytes: 0 };
      sums.set(what, sum);
      for (const item of await table.query(pk)) {
        sum.items += 1;
        sum.bytes += sizeOf(item);
      }
    }
  }
  await close();
  return [...sums]
    .map(([what, { items, bytes }]) => `${what}: ${items} items of ${(bytes / MB).toFixed(1)} MB`)
    .join(', ');
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

/** Compares the second sixth of the time, when everything is warm, with the last sixth. */
function verdict(samples: readonly Sample[], answers: ReadonlyMap<string, number>): string {
  const sixth = SAMPLES / 6;
  const [before, after] = [middle(samples.slice(sixth, 2 * sixth)), middle(samples.slice(-sixth))];
  const ratios = (['memory', 'handles'] as const).map((name) => `${name} ${(after[name] / before[name]).toFixed(2)}x`);
  const grown = ((after.disk - before.disk) / MB).toFixed(1);
  const counts = [...answers].sort().map(([status, count]) => `${count} of ${status}`);
  print(counts.join(', '));
  const failed = [...answers].reduce((sum, [status, count]) => sum + (Number(status) >= 500 ? count : 0), 0);
  return `${ratios.join(', ')}, disk +${grown} MB from the second sixth to the last; ${failed} replies of 5xx`;
}

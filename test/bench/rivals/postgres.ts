import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../support/service/free-port.ts';
import { median, SPELL } from '../figures.ts';
import type { Rival } from './rival.ts';
import { csvOf, KIND, RIVAL_TABLES } from './rival-tables.ts';

const run = promisify(execFile);
const BIN = '/usr/lib/postgresql/15/bin'; // the folder of Debian's postgresql-15

/**
 * Settings for a machine that only serves reports. Protection against crashes is off, which makes PostgreSQL faster.
 */
const SETTINGS = {
  ...{ shared_buffers: '2GB', work_mem: '512MB', maintenance_work_mem: '1GB', effective_cache_size: '6GB' },
  ...{ random_page_cost: '1.1', jit: 'off', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  ...{ max_wal_size: '8GB', autovacuum: 'off', TimeZone: 'UTC', max_parallel_workers: '2' },
  parallel_tuple_cost: '0.001', // otherwise the planner expects a group for each second, and groups in one process
};

export const hasPostgres = (): boolean => existsSync(join(BIN, 'initdb'));

/** Starts a private PostgreSQL 15 in a temporary folder, as user `postgres` if we are root, which it refuses. */
export async function startPostgres(workers: number): Promise<Rival> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  const data = join(folder, 'data');
  chmodSync(folder, 0o777);
  const asUser = (program: string, args: readonly string[]): [string, string[]] =>
    process.getuid?.() === 0
      ? ['runuser', ['-u', 'postgres', '--', join(BIN, program), ...args]]
      : [join(BIN, program), [...args]];
  const port = await freePort();
  await run(...asUser('initdb', ['-D', data, '-U', 'bench', '-A', 'trust', '--locale=C', '-E', 'UTF8']));
  const options = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  const server = ['-p', String(port), '-k', folder, '-c listen_addresses=127.0.0.1', ...options].join(' ');
  await run(...asUser('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-o', server, '-w', 'start']));
  const stop = (): void => {
    execFileSync(...asUser('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']));
    rmSync(folder, { recursive: true, force: true });
  };
  const close = beforeSignals(stop);
  const psql = (script: string): Promise<string> =>
    feed(port, `SET max_parallel_workers_per_gather = ${workers};\n${script}`);
  const timesOf = async (sql: string, runs: number): Promise<number[]> => {
    const once = `\\o /dev/null\n\\timing on\n${sql};\n`;
    const times = (await psql(once.repeat(runs + 1))).matchAll(/^Time: ([\d.]+) ms/gm);
    return [...times].slice(1).map(([, ms]) => Number(ms)); // the first one is to warm up
  };
  return {
    name: `PostgreSQL 15, ${workers === 0 ? 'one process' : `${workers + 1} processes`}`,
    load: async (files) => {
      await psql(loadScript(files));
    },
    answer: async (sql) =>
      parse(await psql(`\\pset format unaligned\n\\pset tuples_only on\n\\pset fieldsep '\\t'\n${sql};`)),
    time: async (sql, runs) => {
      const rough = median(await timesOf(sql, runs));
      return rough * runs < SPELL ? median(await timesOf(sql, Math.ceil(SPELL / rough))) : rough;
    },
    close: async () => close(),
  };
}

/** Calls `stop` when the process gets a signal; returns a function for the caller to stop without one. */
function beforeSignals(stop: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const onSignal = (): void => {
    stop();
    process.exit(1);
  };
  for (const signal of signals) process.once(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
    stop();
  };
}

/** The script that loads the tables: a partition for each kind of fact, in order of time, with an index on the time. */
function loadScript(files: string): string {
  const partitions = Object.values(KIND).map(
    (kind) => `CREATE UNLOGGED TABLE fact_${kind} PARTITION OF fact FOR VALUES IN (${kind});`,
  );
  return [
    ...Object.entries(RIVAL_TABLES).map(
      ([name, columns]) =>
        `CREATE ${name === 'fact' ? '' : 'UNLOGGED '}TABLE ${name} (${columns})${name === 'fact' ? ' PARTITION BY LIST (kind)' : ''};`,
    ),
    ...partitions,
    `CREATE UNLOGGED TABLE loaded (${RIVAL_TABLES.fact});`,
    ...['case_now', 'case_label', 'case_macro'].map((name) => copy(name, csvOf(files, name))),
    copy('loaded', csvOf(files, 'fact')),
    'INSERT INTO fact SELECT * FROM loaded ORDER BY kind, t;',
    'DROP TABLE loaded;',
    'ALTER TABLE case_now ADD PRIMARY KEY (id);',
    'CREATE INDEX ON case_label (label, case_id);',
    'CREATE INDEX ON case_macro (case_id, macro);',
    'CREATE INDEX ON fact (t);',
    'CREATE INDEX ON fact (agent, t);',
    'CREATE INDEX ON fact (case_id);',
    'VACUUM ANALYZE;',
  ].join('\n');
}

const copy = (table: string, file: string): string => `\\copy ${table} FROM '${file}' WITH (FORMAT csv)`;

/** Runs a script in psql; throws its error output. */
function feed(port: number, script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = [
      '-X',
      '-q',
      '-v',
      'ON_ERROR_STOP=1',
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-U',
      'bench',
      'postgres',
    ];
    const psql = spawn(join(BIN, 'psql'), args);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    psql.stdout.on('data', (chunk) => out.push(chunk));
    psql.stderr.on('data', (chunk) => err.push(chunk));
    psql.on('error', reject);
    psql.on('close', (code) =>
      code === 0 ? resolve(Buffer.concat(out).toString()) : reject(new Error(`psql: ${Buffer.concat(err)}`)),
    );
    psql.stdin.end(script);
  });
}

const parse = (text: string): (string | null)[][] =>
  text
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [line.split('\t').map((cell) => (cell === '' ? null : cell))]));

import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseLine } from '../../../lib/import/records/records.ts';

const run = promisify(execFile);
const BIN = '/usr/lib/postgresql/15/bin'; // where Debian's postgresql-15 puts it

/** Whether PostgreSQL is installed. */
export const hasPostgres = existsSync(join(BIN, 'initdb'));

/** A PostgreSQL of a test. */
export interface Postgres {
  /** The lines that a query of the documentation prints of a new database with this in it. */
  print(query: string, schema: string): Promise<string[]>;
  /** The same lines as records. */
  records(query: string, schema: string): Promise<unknown[]>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses root, so root runs it as `postgres`. */
function program(name: string, args: readonly string[]): Promise<{ stdout: string }> {
  const path = join(BIN, name);
  return process.getuid?.() === 0 ? run('runuser', ['-u', 'postgres', '--', path, ...args]) : run(path, [...args]);
}

export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'queries-'));
  const data = join(folder, 'data');
  const psql = async (...args: string[]): Promise<string> => {
    const shared = ['-X', '-q', '-At', '-v', 'ON_ERROR_STOP=1', '-h', folder, '-U', 'test'];
    return (await run('psql', [...shared, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout;
  };
  chmodSync(folder, 0o777);
  await program('initdb', ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--locale=C']);
  const options = `-k ${folder} -c listen_addresses= -c shared_buffers=1MB -c fsync=off`;
  await program('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-o', options, '-w', 'start']);
  let count = 0;
  const print = async (query: string, schema: string): Promise<string[]> => {
    const name = `${query}_${(count += 1)}`;
    await psql('-d', 'postgres', '-c', `CREATE DATABASE ${name}`);
    await psql('-d', name, '-c', schema);
    const printed = await psql('-d', name, '-f', join(process.cwd(), `docs/import/${query}.sql`));
    return printed.split('\n').filter((line) => line !== '');
  };
  return {
    print,
    records: async (query, schema) => (await print(query, schema)).map(parseLine),
    stop: async () => {
      await program('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { access, chmod, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { Fault } from '../../fault.ts';
import type { Database } from './database.ts';
import { engineProgram, startEngineProgram } from './earlier-engine.ts';
import { readFormat, writeFormat } from './format.ts';
import { openLmdbTable } from './lmdb-table.ts';
import { withLockFile } from './lock-file.ts';
import { commandLineOf, endProcess, isRunning } from './processes.ts';

/**
 * Format 1 was the database of an engine beside the service: `support.db`, with `engine.json`, which named the engine's
 * process, and `users`, a folder with a file for each process that used it.
 */
const DATABASE = 'support.db';
const FILES = /^(support\.db(-\w+)?|engine\.(json|lock|log)|users)$/;
const TABLE = 'support';
const ASIDE = 'earlier-format'; // the folder for the old files

/** Whether a folder holds data of format 1. */
export const isEarlier = (folder: string): Promise<boolean> => exists(join(folder, DATABASE));

/**
 * Copies the data of format 1 into the database and moves the old files aside. The format is written last: if the
 * process dies before, the old files stay and the next start copies again. Throws a `Fault` if it cannot be done.
 */
export async function upgrade(
  database: Database,
  folder: string,
  say: (sentence: string) => void,
  program = engineProgram(),
): Promise<void> {
  await withLockFile(join(folder, 'upgrade.lock'), async () => {
    if (!(await isEarlier(folder))) return; // another process did it meanwhile
    if (readFormat(database) === undefined) {
      if (!program) throw new Fault(noEngine(folder));
      await endEarlier(folder);
      say(`Upgrading the data folder ${folder} to the format of this version; this happens once.`);
      const copied = await copyItems(database, folder, program);
      await writeFormat(database);
      say(`${copied} items copied.`);
    }
    say(`The files of the earlier version are in ${await setAside(folder)}: delete them when you want.`);
  });
}

const noEngine = (folder: string): string =>
  `The data folder ${folder} was written by an earlier version, which takes the package @dynoxide/${process.platform}-${process.arch} to read: add it (npm install --no-save @dynoxide/${process.platform}-${process.arch}), start on a machine that has it, or name another folder by --data-dir or DATA_DIR.`;

/** Ends an engine that an earlier version left running. Throws a `Fault` if that version itself still runs. */
async function endEarlier(folder: string): Promise<void> {
  for (const name of await readdir(join(folder, 'users')).catch(() => [])) {
    const born = await readFile(join(folder, 'users', name), 'utf8').catch(() => '');
    if (await isRunning({ pid: Number(name), born }))
      throw new Fault(`An earlier version uses the data folder ${folder}: end its process ${name} first.`);
  }
  const engine = await readFile(join(folder, 'engine.json'), 'utf8').then(parsePid, () => undefined);
  if (engine !== undefined && (await commandLineOf(engine)).includes(join(folder, DATABASE))) await endProcess(engine);
}

function parsePid(text: string): number | undefined {
  const [, pid] = /"pid":(\d+)/.exec(text) ?? [];
  return z.coerce.number().int().positive().optional().parse(pid);
}

/** Copies every item through the engine that wrote it; returns the number of items. */
async function copyItems(database: Database, folder: string, program: string): Promise<number> {
  const [{ connect }, { openTable }, { createTable }] = await Promise.all([
    import('../../../lib/store/client.ts'),
    import('../../../lib/store/dynamodb.ts'),
    import('../../../lib/store/create-table.ts'),
  ]);
  const engine = await startEngineProgram(program, join(folder, DATABASE));
  const client = connect({ endpoint: engine.endpoint, local: true });
  try {
    await createTable(client, TABLE); // an interrupted start may not have created it
    const target = openLmdbTable(database, () => true);
    let copied = 0;
    for await (const page of openTable(client, TABLE).scan()) {
      await target.batchWrite(page.map((item) => ({ put: item })));
      copied += page.length;
    }
    const { entryCount } = z.looseObject({ entryCount: z.number() }).parse(database.root.getStats());
    if (entryCount !== copied) throw new Error(`${copied} items were read and ${entryCount} stored`);
    return copied;
  } finally {
    client.destroy();
    engine.end();
  }
}

/** Moves the old files into a folder of their own; returns its path. */
async function setAside(folder: string): Promise<string> {
  let aside = join(folder, ASIDE);
  for (let n = 2; await exists(join(aside, DATABASE)); n += 1) aside = join(folder, `${ASIDE}-${n}`);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  const found = (await readdir(folder)).filter((name) => FILES.test(name));
  // The database moves last: as long as it is there, the next start continues this.
  for (const name of found.sort((a, b) => Number(a === DATABASE) - Number(b === DATABASE))) {
    if (name !== 'users') await chmod(join(folder, name), 0o600);
    await rename(join(folder, name), join(aside, name));
  }
  return aside;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { itemName } from '../../../lib/store/faults.ts';
import { projectPath } from '../../project.ts';
import { openDatabase } from './database.ts';
import { openLmdbTable } from './lmdb-table.ts';

const DISORDER = 3; // the exit code of bin/check-table.js

/** What a table's file was found to be. */
interface FileCheck {
  readonly damage: string | undefined; // in words; undefined if the file is whole
  readonly commit: number; // the number of its last commit; 0 if it cannot be told
}

/**
 * Looks into a table's file. Reads all keys in a process of its own, as LMDB ends a process that meets a damaged page:
 * 0.2 s for a table of 400,000 items. With `items` every page is read there, and every item is decoded here.
 */
export async function lookInto(file: string, { items = false } = {}): Promise<FileCheck> {
  if ((await stat(file)).size === 0) return { damage: 'it is empty', commit: 0 }; // LMDB would begin a new table
  const program = [projectPath('bin/check-table.js'), file, ...(items ? ['values'] : [])];
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [[code], said] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
  const commit = Number(said.trim()) || 0;
  if (code !== 0) return { damage: code === DISORDER ? 'its keys are not in order' : 'LMDB cannot read it', commit };
  return { damage: items ? await damagedItems(file) : undefined, commit };
}

const NAMED = 10; // damaged items

/** The damaged items of a file whose pages can all be read, in words. */
async function damagedItems(file: string): Promise<string | undefined> {
  const database = openDatabase(file);
  const damaged: string[] = [];
  try {
    const { scan } = openLmdbTable(database, () => false);
    for await (const _ of scan((key) => damaged.push(itemName(key))));
  } finally {
    await database.close();
  }
  if (damaged.length === 0) return undefined;
  const more = damaged.length > NAMED ? ` and ${damaged.length - NAMED} more` : '';
  return `these items cannot be read: ${damaged.slice(0, NAMED).join(', ')}${more}`;
}

/** Returns what is wrong with a table's file, as `lookInto` finds it; undefined if it is whole. */
export const whyDamaged = async (
  file: string,
  options: { readonly items?: boolean } = {},
): Promise<string | undefined> => (await lookInto(file, options)).damage;

/** The file that says how the last process to close a table left it: its size, its time and its last commit. */
const noteOf = (file: string): string => `${file}-left`;

/**
 * Notes a table's file as this process leaves it, so that the next start need not check it; `commit` is the number of the
 * last commit, 0 if it is not known.
 */
export async function noteLeft(file: string, commit = 0): Promise<void> {
  const note = `${await lookOf(file)} ${commit}`;
  await writeFile(noteOf(file), note, { mode: 0o600 }).catch(() => undefined); // the disk may be full
}

/** Whether a table's file is as the last process left it. */
export const isAsLeft = async (file: string): Promise<boolean> => {
  const [size, time] = await readNote(file);
  return `${size} ${time}` === (await lookOf(file));
};

/** The last commit of a table as the last process left it; 0 if it is not known. */
export const commitLeft = async (file: string): Promise<number> => Number((await readNote(file))[2] ?? 0) || 0;

const readNote = async (file: string): Promise<string[]> =>
  (await readFile(noteOf(file), 'utf8').catch(() => '')).split(' ');

async function lookOf(file: string): Promise<string> {
  const { size, mtimeNs } = await stat(file, { bigint: true });
  return `${size} ${mtimeNs}`;
}

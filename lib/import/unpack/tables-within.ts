import { open, stat } from 'node:fs/promises';
import { type Archive, openArchive } from './archive.ts';
import { packingOf } from './file-kinds.ts';
import { entryBytes, held, readable } from './unpack.ts';
import { openWorkbook, type SheetTable, tablesOf, workbookKind } from './workbook.ts';

/** The tables within a file. */
interface TablesWithin {
  readonly isWorkbook: boolean; // false: a zip file
  readonly tables: readonly SheetTable[]; // a name is what follows the file's path; the header of a file is not read
}

/** Returns the sheets of a workbook, or the files of a zip file, at a path; undefined for any other file. */
export async function tablesWithin(path: string): Promise<TablesWithin | undefined> {
  if (!(await isZip(path))) return undefined;
  const archive = await openArchive(path, path);
  try {
    return await tablesIn(path, archive);
  } finally {
    archive.close();
  }
}

/** The files within a zip file at a path, if there are several and it is no workbook; else undefined. */
export async function filesWithin(path: string): Promise<readonly string[] | undefined> {
  if (!(await isZip(path))) return undefined;
  const archive = await openArchive(path, path);
  archive.close();
  const files = workbookKind(path, archive) === undefined ? readable(archive) : [];
  return files.length > 1 ? files : undefined;
}

/** Whether there is a zip file at a path. */
async function isZip(path: string): Promise<boolean> {
  const isFile = (await stat(path).catch(() => undefined))?.isFile() ?? false; // a pipe is opened only to be read
  const file = isFile ? await open(path).catch(() => undefined) : undefined; // whoever reads it says why it cannot be opened
  if (file === undefined) return false;
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return packingOf(buffer) === 'zip';
  } finally {
    await file.close();
  }
}

const WORKBOOK = /\.(?:xlsx|ods)$/i;

async function tablesIn(name: string, archive: Archive): Promise<TablesWithin> {
  const kind = workbookKind(name, archive);
  if (kind !== undefined) return { isWorkbook: true, tables: await tablesOf(await openWorkbook(name, kind, archive)) };
  const files = readable(archive);
  const [only, ...others] = files;
  if (only === undefined || others.length > 0 || !WORKBOOK.test(only))
    return { isWorkbook: false, tables: files.map((file) => ({ name: file, header: [] })) };
  const book = await held(`${name}/${only}`, entryBytes(name, archive, only));
  const within = await openArchive(`${name}/${only}`, book);
  try {
    const { isWorkbook, tables } = await tablesIn(`${name}/${only}`, within);
    return { isWorkbook, tables: tables.map((table) => ({ ...table, name: `${only}/${table.name}` })) };
  } finally {
    within.close();
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { projectPath } from '../../project.ts';
import { PAGE } from './database.ts';
import { isWhole, type Tree } from './tree.ts';

const MAGIC = 0xbeefc0de;
const VERSION = 2; // version of LMDB's file format
// Offsets in a header.
const AT = {
  magic: 24,
  version: 28,
  pageSize: 48,
  levels: 102,
  entries: 128,
  root: 136,
  lastPage: 144,
  transaction: 152,
} as const;

/**
 * Returns what is wrong with a database's file; undefined if it is whole, or empty and so new. LMDB trusts the page
 * numbers in the headers, and ends the process if they make no sense.
 */
export async function whyDamaged(file: string): Promise<string | undefined> {
  const { size } = await stat(file);
  if (size === 0) return undefined;
  const headers = await readHeaders(file);
  if ('why' in headers) return headers.why;
  if (isWhole(file, headers.tree)) return undefined;
  return (await isReadable(file, headers.isShort)) ? undefined : 'its pages do not hold together';
}

/**
 * Reads all keys, on request also the values, in another process. It keeps its snapshot even if other processes write
 * meanwhile.
 */
async function isReadable(file: string, withValues: boolean): Promise<boolean> {
  const program = [projectPath('bin/check-table.js'), file, ...(withValues ? ['values'] : [])];
  const [code] = await once(spawn(process.execPath, program, { stdio: 'ignore' }), 'exit');
  return code === 0;
}

interface Headers {
  readonly isShort: boolean; // the last pages are missing in the file, which is allowed if they are free
  readonly tree: Tree; // the latest tree
}

/** Reads the two headers. */
export async function readHeaders(file: string): Promise<{ readonly why: string } | Headers> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2 * PAGE), 0, 2 * PAGE, 0);
    const { size } = await handle.stat(); // read after the headers: a file grows before its header says so
    if (bytesRead < 2 * PAGE) return { why: 'it is cut short' };
    const headers = [buffer.subarray(0, PAGE), buffer.subarray(PAGE)] as const;
    if (headers.some((header) => header.readUInt32LE(AT.magic) !== MAGIC)) return { why: 'it is no table' };
    if (headers.some((header) => header.readUInt32LE(AT.version) !== VERSION)) return { why: 'its kind is not known' };
    if (headers.some((header) => header.readUInt32LE(AT.pageSize) !== PAGE)) return { why: 'its pages differ in size' };
    const [a, b] = headers;
    const latest = a.readBigUInt64LE(AT.transaction) >= b.readBigUInt64LE(AT.transaction) ? a : b;
    const number = (at: number): number => Number(latest.readBigUInt64LE(at));
    const tree = { root: number(AT.root), levels: latest.readUInt16LE(AT.levels), entries: number(AT.entries) };
    return { isShort: (number(AT.lastPage) + 1) * PAGE > size, tree };
  } finally {
    await handle.close();
  }
}

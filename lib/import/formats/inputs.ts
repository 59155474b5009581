import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ImportFault } from './import-fault.ts';
import { type Input, openInput } from './input.ts';

/** The files of an import, opened one after the other. */
export interface Inputs {
  readonly names: readonly string[]; // as messages show them
  readonly isFolder: boolean;
  readonly size: number | undefined; // bytes of all files, packed; unknown of standard input
  readonly position: () => number; // bytes taken so far, packed
  readonly open: (name: string) => Promise<Input>;
  readonly files: () => AsyncGenerator<Input>;
}

/** Files that imports wrote: what they rejected. */
const REJECTED = /\.rejected(\.\d+)?\.\w+$/;

/** The file, or all files below the folder by name, hidden ones and those that were rejected aside. Throws `ImportFault`. */
export async function findInputs(path: string, standardInput: Readable = process.stdin): Promise<Inputs> {
  const isFolder = path !== '-' && (await isDirectory(path));
  const names = isFolder ? await filesBelow(path) : [path];
  if (names.length === 0) throw new ImportFault(`${path} holds no file to read.`);
  const sizes = path === '-' ? [] : await Promise.all(names.map(async (name) => (await openInput(name)).size ?? 0));
  let before = 0;
  let present: Input | undefined;
  return {
    names,
    isFolder,
    size: path === '-' ? undefined : sizes.reduce((sum, size) => sum + size, 0),
    position: () => before + (present?.position() ?? 0),
    open: (name) => openInput(name, standardInput),
    async *files() {
      for (const name of names) {
        const input = await openInput(name, standardInput);
        present = input;
        yield input;
        before += input.position();
        present = undefined;
      }
    },
  };
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // `openInput` says what is wrong
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !REJECTED.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { filesWithin } from '../unpack/tables-within.ts';
import { ImportFault } from './import-fault.ts';
import { type Input, isReadOnce, openInput, openRereadable, type RereadableInput } from './input.ts';

/** The files of an import, opened one after the other. */
export interface Inputs {
  readonly position: () => number; // bytes read so far, before unpacking
  readonly open: (path: string) => Promise<Input>;
  /** Reads a file once more that has been read already. */
  readonly again: (path: string) => AsyncIterable<Uint8Array>;
  readonly close: () => Promise<void>; // call it at the end
}

/** The files of a path. */
export interface NamedInputs extends Inputs {
  readonly names: readonly string[];
  readonly isFolder: boolean;
  readonly size: number | undefined; // bytes of all files before unpacking; undefined for a file that can be read only once
}

/** The names of files with rejected lines, which imports write. */
const REJECTED = /\.rejected(\.\d+)?\.\w+$/;

/**
 * Finds the file, or all files below the folder in order of their paths, except hidden ones and those with rejected
 * lines. Throws `ImportFault` if there is none.
 */
export async function findInputs(path: string): Promise<NamedInputs> {
  const isOnce = isReadOnce(path);
  const isDisk = !isOnce && (await isDirectory(path));
  const within = isDisk || isOnce ? undefined : await filesWithin(path).catch(() => undefined);
  const isFolder = isDisk || within !== undefined;
  const names = within?.map((file) => `${path}/${file}`) ?? (isDisk ? await filesBelow(path) : [path]);
  if (names.length === 0) throw new ImportFault(`${path} holds no file to read.`);
  const onDisk = isOnce ? [] : within === undefined ? names : [path];
  const sizes = await Promise.all(onDisk.map(async (name) => (await openInput(name)).size ?? 0));
  const size = isOnce ? undefined : sizes.reduce((sum, size) => sum + size, 0);
  return { names, isFolder, size, ...newInputs() };
}

/** Opens files one after the other, and counts how much of them has been read. */
export function newInputs(): Inputs {
  let before = 0;
  let present: Input | undefined;
  let input: RereadableInput | undefined; // at most one of the files can be read only once
  async function* again(path: string): AsyncGenerator<Uint8Array> {
    yield* input?.again() ?? (await openInput(path)).bytes;
  }
  return {
    position: () => before + (present?.position() ?? 0),
    async open(path) {
      before += present?.position() ?? 0;
      input = isReadOnce(path) ? await openRereadable(path) : undefined;
      present = input ?? (await openInput(path));
      return present;
    },
    again,
    close: async () => input?.close(),
  };
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // `openInput` throws the reason
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !REJECTED.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

import { basename } from 'node:path';
import { openInput } from './formats/input.ts';
import { findInputs } from './formats/inputs.ts';
import type { Pack } from './packs/pack.ts';
import { type FileStart, type Recognised, recogniseFile, recogniseFolder } from './recognise.ts';

const START = 262_144; // bytes that are looked at, unpacked
const FILES = 50; // of a folder

/** The unpacked beginning of a file; `name` in the place of the one that it has on the disk. */
export async function readStart(path: string, name = basename(path)): Promise<FileStart> {
  const input = await openInput(path);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input.bytes) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= START) break;
  }
  return { name, bytes: Buffer.concat(chunks) };
}

/** What a file or folder looks like; undefined: nobody knows. */
export async function recognisePath(path: string, packs: readonly Pack[]): Promise<Recognised | undefined> {
  const { names, isFolder } = await findInputs(path);
  const starts = await Promise.all(names.slice(0, FILES).map((name) => readStart(name)));
  return isFolder ? recogniseFolder(starts, packs) : starts[0] && recogniseFile(starts[0], packs);
}

import { basename } from 'node:path';
import { openInput } from './formats/input.ts';
import { findInputs } from './formats/inputs.ts';
import type { Pack } from './packs/pack.ts';
import { type FileStart, type Recognised, recogniseFile, recogniseFolder } from './recognise.ts';
import { START } from './sniff.ts';

const FILES = 50; // files that are read of a folder

/** Reads the unpacked beginning of a file; `name` replaces the file's own name. */
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

/** Recognises the format of a file or folder; undefined if it is unknown. `sent` replaces the name of a single file. */
export async function recognisePath(
  path: string,
  packs: readonly Pack[],
  sent?: string,
): Promise<Recognised | undefined> {
  const { names, isFolder } = await findInputs(path);
  const starts = await Promise.all(names.slice(0, FILES).map((name) => readStart(name, isFolder ? undefined : sent)));
  return isFolder ? recogniseFolder(starts, packs) : starts[0] && recogniseFile(starts[0], packs);
}

import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { openInput } from '../../lib/import/formats/input.ts';
import { findInputs } from '../../lib/import/formats/inputs.ts';
import { PACKS } from '../../lib/import/packs/pack.ts';
import { type FileStart, type Recognised, recogniseFile, recogniseFolder } from '../../lib/import/recognise.ts';
import { Fault } from '../fault.ts';
import { readPack } from './import-pack.ts';

const START = 262_144; // bytes that are looked at, unpacked
const FILES = 50; // of a folder

/** The unpacked beginning of a file. */
export async function readStart(path: string): Promise<FileStart> {
  const input = await openInput(path);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input.bytes) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= START) break;
  }
  return { name: basename(path), bytes: Buffer.concat(chunks) };
}

/** What a file or folder looks like; undefined: nobody knows. */
export async function recognise(path: string): Promise<Recognised | undefined> {
  const packs = await Promise.all(PACKS.map((name) => readPack(name, 'UTC')));
  const { names, isFolder } = await findInputs(path);
  const starts = await Promise.all(names.slice(0, FILES).map(readStart));
  return isFolder ? recogniseFolder(starts, packs) : starts[0] && recogniseFile(starts[0], packs);
}

/**
 * Says what a file was taken for and asks whether that is so: people on a terminal alone. Others have to say it, save for
 * records as they are. Throws a `Fault` where the answer is no.
 */
export async function confirm(path: string, { format, why }: Recognised, isSure: boolean): Promise<void> {
  const { stdin, stderr } = process;
  const isAsked = stdin.isTTY === true && stderr.isTTY === true;
  if (!isAsked && format === 'ndjson') return;
  const say = `${path} looks like --format ${format}: ${why}.`;
  if (isSure) {
    stderr.write(`${say}\n`);
    return;
  }
  if (!isAsked) throw new Fault(`${say} Pass --format ${format}, or --yes to take it as that.`, 2);
  const terminal = createInterface({ input: stdin, output: stderr });
  const answer = await terminal.question(`${say} Import it as that? [y/N] `).finally(() => terminal.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new Fault('Nothing was imported. Name the format by --format.', 2);
}

import { createReadStream, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { openUnlinkedFile } from '../spill/unlinked-file.ts';
import { reasonOf, unpack } from '../unpack/unpack.ts';
import { ImportFault } from './import-fault.ts';

/** Bytes of one read; larger reads are no faster. */
const CHUNK = 262_144;

/** A file's unpacked bytes, and how far it has been read. */
export interface Input {
  readonly name: string; // for messages
  readonly size: number | undefined; // bytes before unpacking; undefined for a part of a file, and for a pipe
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly position: () => number; // bytes read so far, before unpacking
}

/** Opens a file, or standard input for `-`, and unpacks it. Throws `ImportFault` if there is none. */
export async function openInput(path: string): Promise<Input> {
  if (isReadOnce(path)) return openStream(path, streamOf(path), () => undefined);
  const { file, member, size } = await findFile(path);
  let position = 0;
  const bytes = counted(file, streamOf(file), ({ length }) => void (position += length));
  return { name: path, size, bytes: unpack({ name: file, path: file, member, bytes }), position: () => position };
}

/** Returns a file's name for messages. */
export const shownName = (path: string): string => (path === '-' ? 'standard input' : path);

const streamOf = (path: string) => (): Readable =>
  path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK });

function openStream(path: string, stream: () => Readable, take: (bytes: Uint8Array, at: number) => Awaitable): Input {
  const name = shownName(path);
  let position = 0;
  const bytes = counted(name, stream, async (chunk) => {
    await take(chunk, position);
    position += chunk.length;
  });
  return { name, size: undefined, bytes: unpack({ name, bytes }), position: () => position };
}

type Awaitable = void | Promise<void>;

/** What can be read only once, and is kept meanwhile. */
export interface RereadableInput extends Input {
  readonly again: () => AsyncIterable<Uint8Array>; // the same bytes once more; only after all have been read
  readonly close: () => Promise<void>; // call it at the end
}

/** Opens standard input or a pipe, which is copied to a temporary file without a name. */
export async function openRereadable(path: string, stream = streamOf(path)): Promise<RereadableInput> {
  const copy = await openUnlinkedFile(tmpdir());
  const keep = async (bytes: Uint8Array, at: number): Promise<void> => {
    await copy.write(bytes, 0, bytes.length, at);
  };
  const kept = () => copy.createReadStream({ start: 0, autoClose: false });
  return {
    ...openStream(path, stream, keep),
    again: () => openStream(path, kept, () => undefined).bytes,
    close: () => copy.close(),
  };
}

/**
 * Yields a stream's bytes and passes each chunk to `take` first. The stream is opened only for the first chunk, because
 * of many files only the size is needed.
 */
async function* counted(
  name: string,
  open: () => AsyncIterable<Uint8Array | string>,
  take: (bytes: Uint8Array) => Awaitable,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of open()) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      await take(bytes);
      yield bytes;
    }
  } catch (error) {
    throw new ImportFault(`${name} cannot be read: ${reasonOf(error)}.`);
  }
}

/** Whether a path can be read only once: standard input, or a pipe such as a shell's `<(zcat file)`. */
export function isReadOnce(path: string): boolean {
  const stats = path === '-' ? undefined : statOf(path);
  return path === '-' || (stats !== undefined && !stats.isFile() && !stats.isDirectory());
}

/** A file on the disk, and what is wanted of it. */
interface FilePart {
  readonly file: string;
  readonly member: string | undefined; // a file of an archive or a sheet of a workbook; undefined: all of the file
  readonly size: number | undefined; // bytes; undefined for a part of a file
}

/** The zip file or workbook that a path goes on within; undefined for the path of a file on the disk. */
export function packedAround(path: string): string | undefined {
  for (let file = folderOf(path); file !== folderOf(file); file = folderOf(file)) {
    const stats = statOf(file);
    if (stats !== undefined) return stats.isFile() ? file : undefined;
  }
  return undefined;
}

/** The folder of a path. Without slashes at its end, which the name of a sheet may begin with. */
const folderOf = (path: string): string => dirname(path).replace(/(?<=[^/])\/+$/, '');

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined; // there is none, or a part of the path is no folder
  }
}

/**
 * Finds a file. A path may go on within a zip file or a workbook, as in `export.zip/tickets.csv` and
 * `book.xlsx/Sheet1`.
 */
async function findFile(path: string): Promise<FilePart> {
  const around = packedAround(path);
  if (around !== undefined) return { file: around, member: path.slice(around.length + 1), size: undefined };
  return { file: path, member: undefined, size: await fileSize(path) };
}

async function fileSize(path: string): Promise<number> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new ImportFault(`${path} is a folder: name a file, or - for standard input.`);
    return stats.size;
  } catch (error) {
    if (error instanceof ImportFault) throw error;
    throw new ImportFault(
      reasonOf(error) === 'ENOENT'
        ? `${path} does not exist: name an existing file, or - for standard input.`
        : `${path} cannot be read: ${reasonOf(error)}.`,
    );
  }
}

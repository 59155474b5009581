import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { openUnlinkedFile } from '../spill/unlinked-file.ts';
import { ImportFault } from './import-fault.ts';

/** Bytes of one read; larger reads are no faster. */
const CHUNK = 262_144;

/** A file's unpacked bytes, and how far it has been read. */
export interface Input {
  readonly name: string; // for messages
  readonly size: number | undefined; // bytes before unpacking; undefined for standard input
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly position: () => number; // bytes read so far, before unpacking
  readonly again: () => AsyncIterable<Uint8Array>; // the same bytes once more; only after all have been read
  readonly close: () => Promise<void>; // call it at the end
}

/**
 * Opens a file, or standard input for `-`; recognises gzip by its first two bytes. Throws `ImportFault` if there is
 * none.
 */
export async function openInput(path: string, standardInput: Readable = process.stdin): Promise<Input> {
  if (path === '-') return openStandardInput(standardInput);
  const size = await fileSize(path);
  let position = 0;
  const read = () => createReadStream(path, { highWaterMark: CHUNK });
  return {
    name: path,
    size,
    bytes: unpack(
      path,
      counted(path, read, ({ length }) => void (position += length)),
    ),
    position: () => position,
    again: () =>
      unpack(
        path,
        counted(path, read, () => undefined),
      ),
    close: async () => undefined,
  };
}

/** Opens standard input. It can be read only once, so it is copied to a temporary file without a name. */
async function openStandardInput(standardInput: Readable): Promise<Input> {
  const name = 'standard input';
  const copy = await openUnlinkedFile(tmpdir());
  let position = 0;
  const keep = async (bytes: Uint8Array) => {
    await copy.write(bytes, 0, bytes.length, position);
    position += bytes.length;
  };
  return {
    name,
    size: undefined,
    bytes: unpack(
      name,
      counted(name, () => standardInput, keep),
    ),
    position: () => position,
    again: () =>
      unpack(
        name,
        counted(
          name,
          () => copy.createReadStream({ start: 0, autoClose: false }),
          () => undefined,
        ),
      ),
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
  take: (bytes: Uint8Array) => void | Promise<void>,
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

async function fileSize(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new ImportFault(`${path} is a folder: name a file, or - for standard input.`);
    return found.size;
  } catch (error) {
    if (error instanceof ImportFault) throw error;
    throw new ImportFault(
      reasonOf(error) === 'ENOENT'
        ? `${path} does not exist: name an existing file, or - for standard input.`
        : `${path} cannot be read: ${reasonOf(error)}.`,
    );
  }
}

async function* unpack(name: string, packed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < 2) {
    const { value, done } = await packed.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const [magic, second] = Buffer.concat(first);
  const whole = Readable.from(chained(first, packed));
  if (magic !== 0x1f || second !== 0x8b) return yield* whole;
  const gunzip = createGunzip({ chunkSize: CHUNK });
  whole.on('error', (error) => gunzip.destroy(error));
  let unpacked = 0;
  try {
    for await (const bytes of whole.pipe(gunzip)) {
      unpacked += bytes.length;
      yield bytes;
    }
  } catch (error) {
    if (error instanceof ImportFault) throw error;
    throw new ImportFault(
      `${name} is a broken gzip file (${reasonOf(error)} after ${unpacked} unpacked bytes): pack or fetch it again.`,
    );
  } finally {
    whole.destroy(); // closes the file if the caller stopped before its end
  }
}

async function* chained(first: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first;
  yield* rest;
}

/** Returns an error's code (`EACCES`) or message. Checks no class: an error of Node may belong to another realm. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('code' in error && typeof error.code === 'string' && error.code.startsWith('E')) return error.code;
  return 'message' in error ? String(error.message) : String(error);
}

import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportFault } from '../formats/import-fault.ts';
import { type Archive, faultOf, openArchive } from './archive.ts';
import { packingOf, refuseOthers } from './file-kinds.ts';
import { checkRatio, UNPACK_LIMITS } from './unpack-limits.ts';
import { openWorkbook, sheetCsv, workbookKind } from './workbook.ts';

/** A file as it lies on the disk or comes in. */
export interface PackedFile {
  readonly name: string; // for messages
  readonly bytes: AsyncGenerator<Uint8Array>;
  readonly path?: string | undefined; // where all of it lies; absent: only its bytes are there
  readonly member?: string | undefined; // the file of an archive or the sheet of a workbook that is wanted
  readonly depth?: number; // of packed files around it
}

const CHUNK = 262_144; // bytes
const PEEK = 4_096; // bytes that tell what a file is

/**
 * Yields the text that a file holds: of a packed file the one within, of a workbook a sheet as CSV. Lines that end in CR
 * alone end in LF. Throws `ImportFault` if the file is no text, damaged or a bomb, or if there are several within.
 */
export async function* unpack(file: PackedFile): AsyncGenerator<Uint8Array> {
  const { name, bytes, member, depth = 0 } = file;
  const first = await peek(bytes);
  const whole = chained(first, bytes);
  const start = first.length === 1 && first[0] !== undefined ? first[0] : Buffer.concat(first);
  const packing = packingOf(start);
  if (packing !== undefined && depth >= UNPACK_LIMITS.depth) throw new ImportFault(`${name} is packed too many times.`);
  const inner = { name, member, depth: depth + 1 };
  switch (packing) {
    case undefined:
      refuseOthers(name, start);
      if (member !== undefined) throw new ImportFault(`${name} is no archive, so it holds no "${member}".`);
      yield* isReturnsAlone(start) ? withLineFeeds(whole) : whole;
      return;
    case 'gzip':
      yield* unpack({ ...inner, bytes: gunzipped(name, whole) });
      return;
    case 'zstd':
      yield* unpack({ ...inner, bytes: unzstd(name, whole) });
      return;
    case 'zip':
      yield* fromZip(file, whole);
  }
}

/** Reads the beginning of a file, in whole chunks. */
async function peek(bytes: AsyncGenerator<Uint8Array>): Promise<Uint8Array[]> {
  const first: Uint8Array[] = [];
  for (let length = 0; length < PEEK; ) {
    const { value, done } = await bytes.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  return first;
}

async function* chained(first: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    yield* rest;
  } finally {
    await rest.return(undefined); // closes the file if the caller stopped before its end
  }
}

const [LF, CR] = [0x0a, 0x0d];

/** Whether lines end in CR alone, as old programs of the Macintosh write them. Text of UTF-16 has zero bytes. */
const isReturnsAlone = (start: Uint8Array): boolean => start.includes(CR) && !start.includes(LF) && !start.includes(0);

async function* withLineFeeds(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) yield chunk.map((byte) => (byte === CR ? LF : byte));
}

async function* gunzipped(name: string, packed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const sizes = { packed: 0, unpacked: 0 };
  const whole = Readable.from(counting(packed, sizes));
  const gunzip = createGunzip({ chunkSize: CHUNK });
  whole.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const bytes of whole.pipe(gunzip)) {
      sizes.unpacked += bytes.length;
      checkRatio(name, sizes.packed, sizes.unpacked);
      yield bytes;
    }
  } catch (error) {
    if (error instanceof ImportFault) throw error;
    throw new ImportFault(
      `${name} is a broken gzip file (${reasonOf(error)} after ${sizes.unpacked} unpacked bytes): pack or fetch it again.`,
    );
  } finally {
    whole.destroy();
  }
}

async function* counting(packed: AsyncGenerator<Uint8Array>, sizes: { packed: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of packed) {
    sizes.packed += chunk.length;
    yield chunk;
  }
}

/** Unpacks zstd by a package, since `node:zlib` of Node 20 cannot. */
async function* unzstd(name: string, packed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import('fzstd');
  const sizes = { packed: 0, unpacked: 0 };
  let ready: Uint8Array[] = [];
  const unpacker = new Decompress((chunk) => {
    sizes.unpacked += chunk.length;
    checkRatio(name, sizes.packed, sizes.unpacked);
    ready.push(Buffer.from(chunk));
  });
  const push = (chunk: Uint8Array, isLast: boolean): Uint8Array[] => {
    try {
      unpacker.push(chunk, isLast);
    } catch (error) {
      if (error instanceof ImportFault) throw error;
      throw new ImportFault(`${name} is a broken zstd file (${reasonOf(error)}): pack or fetch it again.`);
    }
    const given = ready;
    ready = [];
    return given;
  };
  for await (const chunk of packed) {
    sizes.packed += chunk.length;
    yield* push(chunk, false);
  }
  yield* push(new Uint8Array(0), true);
}

async function* fromZip(
  { name, path, member, depth = 0 }: PackedFile,
  whole: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const source = path ?? (await held(name, whole));
  if (path !== undefined) await whole.return(undefined);
  const archive = await openArchive(name, source);
  try {
    const kind = workbookKind(name, archive);
    if (kind !== undefined) {
      yield* sheetCsv(await openWorkbook(name, kind, archive), member);
      return;
    }
    const { file, rest } = chosenFile(name, archive, member);
    const shown = `${name}/${file}`;
    yield* unpack({ name: shown, bytes: entryBytes(shown, archive, file), member: rest, depth: depth + 1 });
  } finally {
    archive.close();
  }
}

export async function* entryBytes(name: string, archive: Archive, file: string): AsyncGenerator<Uint8Array> {
  const stream = await archive.open(file);
  try {
    for await (const chunk of stream) yield chunk;
  } catch (error) {
    throw faultOf(name, error);
  } finally {
    stream.destroy();
  }
}

/** The files of an archive without those that systems add. */
export const readable = ({ names }: Archive): string[] =>
  names.filter((name) => !/(?:^|\/)(?:\.|__MACOSX\/|Thumbs\.db$|desktop\.ini$)/i.test(name)).sort();

/** Finds the wanted file of an archive: its only one, or the one that `member` names, perhaps with a sheet in it. */
function chosenFile(
  name: string,
  archive: Archive,
  member: string | undefined,
): { readonly file: string; readonly rest: string | undefined } {
  const files = readable(archive);
  const [only, ...others] = files;
  if (only === undefined) throw new ImportFault(`${name} holds no file.`);
  const named = files.find((file) => member === file || member?.startsWith(`${file}/`));
  if (named !== undefined) return { file: named, rest: member === named ? undefined : member?.slice(named.length + 1) };
  if (others.length === 0) return { file: only, rest: member };
  throw new ImportFault(
    member === undefined
      ? `${name} holds several files: ${files.slice(0, 10).join(', ')}. Name one, as in "${name}/${only}".`
      : `${name} holds no file "${member}".`,
  );
}

/** Reads all of a packed file into memory, because a zip file is read from its end. */
export async function held(name: string, bytes: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > UNPACK_LIMITS.held)
      throw new ImportFault(`${name} is too large to be read from within another file: unpack it.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns an error's code (`EACCES`) or message. Checks no class: an error of Node may belong to another realm. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('code' in error && typeof error.code === 'string' && error.code.startsWith('E')) return error.code;
  return 'message' in error ? String(error.message) : String(error);
}

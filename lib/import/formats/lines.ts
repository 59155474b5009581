import { isUtf8 } from 'node:buffer';
import { ImportFault } from './import-fault.ts';
import type { LineSet } from './line-set.ts';
import type { Raw } from './row.ts';

/** Longest line in bytes; of a longer line so many bytes are kept, for messages. */
export const MAX_LINE = 4_194_304;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Some lines in the order of the file, blank ones included. */
export interface Lines {
  readonly first: number; // number of the first line, from 1
  readonly lines: readonly Raw[]; // without line ends; bytes if a line is not UTF-8 or longer than MAX_LINE
}

/** Cuts bytes into lines that end in LF or CRLF; the last line needs no end. Drops a byte order mark. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Lines> {
  let first = 1;
  for await (const block of readBlocks(bytes)) {
    const lines = cutLines(block);
    yield { first, lines };
    first += lines.length;
  }
}

/** Cuts bytes into blocks of whole lines; each block lacks the end of its last line. */
async function* readBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Uint8Array[] = []; // the beginning of an incomplete line, at most MAX_LINE bytes and a chunk
  let restLength = 0; // its full length
  for await (const chunk of withoutByteOrderMark(bytes)) {
    const end = chunk.lastIndexOf(LINE_FEED);
    if (end < 0) {
      if (restLength <= MAX_LINE) rest.push(chunk);
      restLength += chunk.length;
      continue;
    }
    const last = chunk.subarray(0, end);
    yield rest.length === 0 ? bufferOf(last) : Buffer.concat([...rest, last]);
    rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    restLength = chunk.length - end - 1;
  }
  if (restLength > 0) yield Buffer.concat(rest);
}

/** Yields the wanted lines, unchanged. */
export async function* pickLines(
  bytes: AsyncIterable<Uint8Array>,
  wanted: Pick<LineSet, 'has'>,
): AsyncGenerator<readonly [line: number, raw: Raw]> {
  for await (const { first, lines } of readLines(bytes)) {
    for (const [index, raw] of lines.entries()) if (wanted.has(first + index)) yield [first + index, raw];
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** True if a block is UTF-8 and so short that no line of it can be too long. */
const isSound = (block: Buffer): boolean => block.length <= MAX_LINE && isUtf8(block);

/** Splits a block into lines. */
function cutLines(buffer: Buffer): Raw[] {
  if (isSound(buffer)) return buffer.toString('utf8').split('\n').map(withoutReturn);
  const lines: Raw[] = [];
  for (let start = 0; start <= buffer.length; ) {
    const feed = buffer.indexOf(LINE_FEED, start);
    const end = feed < 0 ? buffer.length : feed;
    const line = buffer.subarray(start, buffer[end - 1] === CARRIAGE_RETURN && end > start ? end - 1 : end);
    const sound = line.length <= MAX_LINE && isUtf8(line);
    lines.push(sound ? line.toString('utf8') : Buffer.from(line.subarray(0, MAX_LINE + 1)));
    start = end + 1;
  }
  return lines;
}

function withoutReturn(line: string): string {
  return line.charCodeAt(line.length - 1) === CARRIAGE_RETURN ? line.slice(0, -1) : line;
}

/** Yields the same bytes without a byte order mark. Throws `ImportFault` for UTF-16. */
export async function* withoutByteOrderMark(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = Buffer.alloc(0); // the first bytes, until there are three
  for await (const chunk of bytes) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    if (start.length < 3) continue;
    yield withoutMarkAtStart(start);
    start = undefined;
  }
  if (start !== undefined && start.length > 0) yield withoutMarkAtStart(start);
}

function withoutMarkAtStart(start: Uint8Array): Uint8Array {
  const [a, b, c] = start;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) {
    throw new ImportFault('The file is encoded as UTF-16: save it as UTF-8 and import it again.');
  }
  return a === 0xef && b === 0xbb && c === 0xbf ? start.subarray(3) : start;
}

/** Bytes in memory as a file that is read. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

import type { FileHandle } from 'node:fs/promises';
import { LARGEST_REJECTED } from './upload-store.ts';

/** The extensions of files of rejected lines, with their media types. */
export const ENDINGS = [
  ['csv', 'text/csv'],
  ['ndjson', 'application/x-ndjson'],
] as const;

/**
 * As many whole lines from the start of a file as can be downloaded: at most `largest` bytes as JSON text, the form in
 * which functions reply.
 */
export async function wholeLines(file: FileHandle, largest: number = LARGEST_REJECTED): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(largest), 0, largest, 0);
  let size = 0;
  let end = 0;
  for (let index = 0; index < bytesRead; index += 1) {
    const byte = buffer[index] ?? 0;
    size += isEscaped(byte) ? 2 : byte < 0x20 ? 6 : 1;
    if (size > largest) break;
    if (byte === NEWLINE) end = index + 1;
  }
  const isWhole = bytesRead < largest && size <= largest;
  return buffer.subarray(0, isWhole ? bytesRead : end);
}

const NEWLINE = 10;
const ESCAPED: readonly number[] = [8, 9, NEWLINE, 12, 13, 34, 92]; // JSON escapes each with two characters
const isEscaped = (byte: number): boolean => ESCAPED.includes(byte);

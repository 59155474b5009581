import type { FileHandle } from 'node:fs/promises';
import { LARGEST_REJECTED } from './house.ts';

/** How files of rejected lines end, and what they are. */
export const ENDINGS = [
  ['csv', 'text/csv'],
  ['ndjson', 'application/x-ndjson'],
] as const;

/** As many whole lines from the beginning of a file as can be downloaded: so many bytes at most as text in JSON, as functions reply. */
export async function wholeLines(file: FileHandle, largest: number = LARGEST_REJECTED): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(largest), 0, largest, 0);
  let size = 0;
  let end = 0;
  for (let place = 0; place < bytesRead; place += 1) {
    const byte = buffer[place] ?? 0;
    size += isEscaped(byte) ? 2 : byte < 0x20 ? 6 : 1;
    if (size > largest) break;
    if (byte === NEWLINE) end = place + 1;
  }
  const isWhole = bytesRead < largest && size <= largest;
  return buffer.subarray(0, isWhole ? bytesRead : end);
}

const NEWLINE = 10;
const ESCAPED: readonly number[] = [8, 9, NEWLINE, 12, 13, 34, 92]; // JSON writes two characters for each
const isEscaped = (byte: number): boolean => ESCAPED.includes(byte);

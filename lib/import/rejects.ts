import { closeSync, openSync, writeSync } from 'node:fs';
import { type LineSet, newLineSet } from './formats/line-set.ts';
import type { Raw } from './formats/row.ts';

/** The lines that an import rejected: counted once each, and written as they came. */
export interface Rejects {
  readonly add: (rejected: { readonly line: number; readonly reason: string; readonly raw?: Raw }) => void;
  /** How many lines so far. */
  readonly count: () => number;
  /** Writes the lines that were rejected without their text, and closes the file. Gives its path; undefined: none was needed. */
  readonly close: () => Promise<string | undefined>;
}

export interface RejectsOptions {
  readonly path: string | undefined; // undefined: nothing is written
  readonly header: () => string | undefined; // of a CSV, put first
  readonly report: (line: number, reason: string) => void;
  /** Reads the file once more and gives these of its lines as they came. */
  readonly again: (lines: LineSet) => AsyncIterable<Raw>;
}

/** Characters that wait before they are written. */
const WAITING = 65_536;

/** Opens the rejects of an import. The file is made with the first of them, in place of an earlier import's. */
export function openRejects({ path, header, report, again }: RejectsOptions): Rejects {
  const lines = newLineSet();
  const textless = newLineSet();
  let file: number | undefined;
  let waiting: Raw[] = [];
  let size = 0;

  function write(raw: Raw): void {
    waiting.push(raw, '\n');
    size += raw.length + 1;
    if (size >= WAITING) flush();
  }

  function flush(): void {
    if (path === undefined || waiting.length === 0) return;
    if (file === undefined) {
      file = openSync(path, 'w');
      const top = header();
      if (top !== undefined) waiting.unshift(top, '\n');
    }
    writeWhole(file, Buffer.concat(waiting.map((part) => Buffer.from(part))));
    waiting = [];
    size = 0;
  }

  return {
    add: ({ line, reason, raw }) => {
      report(line, reason);
      if (!lines.add(line) || path === undefined) return;
      if (raw === undefined) textless.add(line);
      else write(raw);
    },
    count: () => lines.size,
    close: async () => {
      if (textless.size > 0) for await (const raw of again(textless)) write(raw);
      flush();
      if (file === undefined) return undefined;
      closeSync(file);
      return path;
    },
  };
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let start = 0; start < bytes.length; ) start += writeSync(file, bytes, start);
}

import { closeSync, openSync, writeSync } from 'node:fs';
import { join, parse } from 'node:path';
import * as z from 'zod';
import { ImportFault } from '../formats/import-fault.ts';
import { type LineSet, newLineSet } from '../formats/line-set.ts';
import type { Raw } from '../formats/row.ts';

/** The rejected lines of a file: each is counted once, and written to another file unchanged. */
export interface Rejects {
  readonly add: (rejected: { readonly line: number; readonly reason: string; readonly raw?: Raw | undefined }) => void;
  /** Returns the number of lines so far. */
  readonly count: () => number;
  /**
   * Writes the lines that were added without their text, and closes the file. Returns its path; undefined if there is
   * none.
   */
  readonly close: () => Promise<string | undefined>;
}

/** How the rejected lines of a format are written. */
export interface RejectsForm {
  readonly extension: 'ndjson' | 'csv';
  readonly header: () => string | undefined; // of a CSV; written first
  /** Returns the text to append to a line for its reason; absent: nothing is appended. */
  readonly because?: (reason: string) => string;
  readonly countsEach?: boolean; // a line may hold several objects and each counts; absent: a line counts once
}

export interface RejectsOptions extends Omit<RejectsForm, 'extension'> {
  readonly path: string | undefined; // undefined: nothing is written
  readonly report: (line: number, reason: string) => void;
  /** Reads the file once more and returns the given lines unchanged, with their numbers. */
  readonly again: (lines: LineSet) => AsyncIterable<readonly [line: number, raw: Raw]>;
}

/** Characters buffered before a write. */
const WAITING = 65_536;
/** Most reasons kept in memory for lines that must be read again. */
const REMEMBERED = 100_000;

/** Collects rejected lines. Creates the file at the first of them; files of earlier imports stay. */
export function openRejects({ path, header, report, again, because, countsEach }: RejectsOptions): Rejects {
  const lines = newLineSet();
  const textless = newLineSet();
  const reasons = new Map<number, string>(); // of the first lines without text
  let several = 0;
  let file: number | undefined;
  let name = path;
  let waiting: Raw[] = [];
  let size = 0;

  function write(raw: Raw, reason = ''): void {
    const behind = because?.(reason) ?? '';
    waiting.push(raw, behind, '\n');
    size += raw.length + behind.length + 1;
    if (size >= WAITING) flush();
  }

  function flush(): void {
    if (path === undefined || waiting.length === 0) return;
    if (file === undefined) {
      const made = openNew(path);
      file = made.file;
      name = made.name;
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
      const isNew = lines.add(line);
      if (!isNew && countsEach) several += 1;
      if (path === undefined || !(isNew || countsEach)) return;
      if (raw !== undefined) {
        write(raw, reason);
        return;
      }
      textless.add(line);
      if (because !== undefined && reasons.size < REMEMBERED) reasons.set(line, reason);
    },
    count: () => lines.size + several,
    close: async () => {
      if (textless.size > 0) for await (const [line, raw] of again(textless)) write(raw, reasons.get(line));
      flush();
      if (file === undefined) return undefined;
      closeSync(file);
      return name;
    },
  };
}

const NAMES = 10_000; // numbered names to try
const taken = z.object({ code: z.literal('EEXIST') });

/** Creates a new file, under a numbered name if the name is taken: replaces no file and follows no link. */
function openNew(path: string): { readonly file: number; readonly name: string } {
  const { dir, name: stem, ext } = parse(path);
  for (let number = 1; number <= NAMES; number += 1) {
    const name = number === 1 ? path : join(dir, `${stem}.${number}${ext}`);
    try {
      return { file: openSync(name, 'wx', 0o600), name };
    } catch (error) {
      if (!taken.safeParse(error).success) throw error;
    }
  }
  throw new ImportFault(`${path} and ${NAMES} numbered files like it exist already: delete some of them.`);
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let start = 0; start < bytes.length; ) start += writeSync(file, bytes, start);
}

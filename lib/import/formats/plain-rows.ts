import { caseSubject, type Subject } from '../../history/cases/subject.ts';
import { Rejection } from '../records/fields.ts';
import type { PlainBlock } from './csv.ts';
import type { Reading } from './reading.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const ZERO = 48;
const ASCII = 128;

/** The longest row that is held as bytes, in bytes. */
const MAX_BYTES = 65_536;

/** Takes a held row as it is written; the bytes are another row's after the call. */
type Add = (subject: Subject, written: Uint8Array) => void;

/** Holds back the rows of a plain block; gives how many lines it has. */
export type PlainHolder = (block: PlainBlock) => number;

/**
 * Makes what holds back rows of a file as `HeldForm` writes plain ones, but from bytes to bytes: texts of rows and cells
 * take thrice as long. A row that has another number of cells, no sound case or anything else that is odd is left.
 * Undefined where the separator takes several bytes.
 */
export function plainHolder(reading: Reading, separating: string, add: Add): PlainHolder | undefined {
  const separator = separating.charCodeAt(0);
  if (separator >= ASCII) return undefined;
  const { width, places, casePlaces, caseOf } = reading;
  const highest = Math.max(separator, LINE_FEED);
  const runs = runsOf(places);
  const starts = new Int32Array(width + 1); // of the row's cells, and one past the separator that could follow
  const written = Buffer.alloc(MAX_BYTES);

  return ({ bytes, first, leave }) => {
    let line = first;
    for (let start = 0; start <= bytes.length; line += 1) {
      let separators = 0;
      let end = start;
      starts[0] = start;
      for (; end < bytes.length; end += 1) {
        const byte = bytes[end]!;
        if (byte > highest) continue; // as letters and digits are, mostly: one comparison for them
        if (byte === LINE_FEED) break;
        if (byte !== separator) continue;
        separators += 1;
        if (separators < width) starts[separators] = end + 1;
      }
      const next = end + 1;
      if (end > start && bytes[end - 1] === CARRIAGE_RETURN) end -= 1;
      starts[width] = end + 1;
      const isOdd = separators !== width - 1 || !startsUsual(bytes, start) || end - start > MAX_BYTES / 2;
      if (isOdd || !hold(bytes, line)) leave(line, bytes.toString('utf8', start, end));
      start = next;
    }
    return line - first;
  };

  /** False: the row has no case. */
  function hold(bytes: Buffer, line: number): boolean {
    const caseKey = caseIn(bytes);
    if (caseKey === undefined || caseKey.includes('\n') || caseKey.length > MAX_BYTES / 8) return false;
    let length = writeNumber(line, written);
    length += written.write(`\n${caseKey}\n`, length);
    for (let run = 0; run < runs.length; run += 1) {
      const { from, to } = runs[run]!;
      const end = starts[to]! - 1;
      if (run > 0) written[length++] = separator;
      for (let at = starts[from]!; at < end; at += 1) written[length++] = bytes[at]!;
    }
    written[length++] = LINE_FEED;
    add(caseSubject(caseKey), written.subarray(0, length));
    return true;
  }

  function caseIn(bytes: Buffer): string | undefined {
    const cells: string[] = [];
    for (const place of casePlaces) {
      const column = places[place]!;
      cells[place] = bytes.toString('utf8', starts[column]!, starts[column + 1]! - 1);
    }
    try {
      return caseOf(cells);
    } catch (error) {
      if (error instanceof Rejection) return undefined;
      throw error;
    }
  }
}

/** Columns that stand side by side: `to` is exclusive. */
function runsOf(places: readonly number[]): readonly { readonly from: number; readonly to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last?.to === place) last.to += 1;
    else runs.push({ from: place, to: place + 1 });
  }
  return runs;
}

/** Not with a space, which a blank line may begin with. */
function startsUsual(bytes: Uint8Array, start: number): boolean {
  const byte = bytes[start];
  return byte !== undefined && byte > SPACE && byte < ASCII;
}

/** Writes the digits of a whole number from the first byte on; gives how many. */
function writeNumber(value: number, into: Uint8Array): number {
  let length = 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) length += 1;
  let rest = value;
  for (let at = length - 1; at >= 0; at -= 1) {
    into[at] = ZERO + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return length;
}

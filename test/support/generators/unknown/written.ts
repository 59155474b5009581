import type { Meaning } from '../../../../lib/import/proposal/proposal.ts';
import type { Numbers } from '../load-proposed.ts';
import type { Clockwork } from './writing.ts';

/** What the person knows who answers. */
export interface Truth {
  readonly kind: string;
  readonly roles: Readonly<Record<string, string | null>>; // the column of each role; absent: none
  readonly meanings: Readonly<Record<string, Readonly<Record<string, Meaning>>>>; // by column and value
  readonly units?: Readonly<Record<string, string>>; // of durations, by column
  readonly priorityScale?: 'low_first' | 'high_first';
  readonly ended?: unknown; // the answer to when cases ended
}

/** A table with the numbers that it means, counted from the history. */
export interface Written {
  readonly rows: readonly (readonly string[])[]; // with the header
  readonly truth: Truth;
  readonly expected: Numbers;
  readonly doubts: readonly string[]; // what the file cannot prove
}

/** What decides how a table is written. */
export interface Style {
  readonly language: string;
  readonly clock: Clockwork;
}

/** Whether a word stands in the list of another role or meaning, too. */
export function isShared(lists: Readonly<Record<string, readonly string[]>>, role: string, word: string): boolean {
  return Object.entries(lists).some(
    ([other, all]) => other !== role && all.some((one) => one.toLowerCase() === word.toLowerCase()),
  );
}

export const mean = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : numbers.reduce((a, b) => a + b, 0) / numbers.length;

export function counted(texts: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const text of texts) found[text] = (found[text] ?? 0) + 1;
  return found;
}

import type { Row } from '../../support/oracle/example.ts';
import { inTurns } from '../figures.ts';
import type { Rival } from '../rivals/rival.ts';

/** A query with our answer, to be run by rivals. */
export interface Contestant {
  readonly name: string;
  readonly sql: string;
  readonly rows: readonly Row[]; // our answer
  readonly warm: number; // ms over HTTP
  readonly ours: () => Promise<number>; // measures our time again, in ms
}

const QUICK = 500; // ms; queries faster than this are timed in several rounds, since the machine may be slow for a second or two
const ROUNDS = 5;

/** Compares the answers of a rival with ours, times both in turns, and returns the ratios of their times. */
export async function race(
  start: () => Promise<Rival>,
  files: string,
  contestants: readonly Contestant[],
  runs: number,
): Promise<string> {
  const rival = await start();
  try {
    await rival.load(files);
    const lines: { readonly query: string; readonly ratio: number; readonly answers: string }[] = [];
    for (const { name, sql, rows, warm, ours } of contestants) {
      const differences = differencesOf(rows, await rival.answer(sql));
      const ask = (): Promise<number> => rival.time(sql, runs);
      const rounds = (await ask()) < QUICK ? ROUNDS : 1;
      const { a: ms, b: reportMs, ratio } = await inTurns(rounds, ask, ours);
      const answers = differences === 0 ? 'equal' : `${differences} rows differ`;
      lines.push({
        query: name,
        ...{ ms: tidy(ms), 'our report ms': tidy(reportMs), ratio: tidy(ratio) },
        ...{ 'ratio over HTTP': tidy(ms / warm), answers },
      });
    }
    console.log(`\n${rival.name}`);
    print(lines);
    const ratios = lines.map(({ ratio }) => ratio);
    const equal = lines.filter(({ answers }) => answers === 'equal').length;
    return `${rival.name} ${Math.min(...ratios)}x to ${Math.max(...ratios)}x slower, ${equal} of ${lines.length} answers equal`;
  } finally {
    await rival.close();
  }
}

/** Counts the rows of either side that the other lacks; numbers may differ by the rounding to two decimals. */
function differencesOf(ours: readonly Row[], theirs: readonly unknown[][]): number {
  const keyOf = (row: readonly unknown[]): string =>
    row
      .slice(0, 3)
      .map((cell) => String(cell ?? ''))
      .join('|');
  const found = new Map(theirs.map((row) => [keyOf(row), row]));
  const expected = ours.filter((row) => found.has(keyOf(row)) || row.slice(3).some((value) => value !== 0));
  const equal = expected.filter((row) => {
    const other = found.get(keyOf(row)) ?? [];
    return row.slice(3).every((value, place) => sameNumber(value, other[place + 3]));
  });
  return expected.length - equal.length + Math.abs(theirs.length - expected.length);
}

const sameNumber = (ours: unknown, theirs: unknown): boolean =>
  ours === null || theirs == null ? ours === (theirs ?? null) : Math.abs(Number(ours) - Number(theirs)) < 0.00501;

const print = (lines: readonly Record<string, unknown>[]): void => console.table(lines);
const tidy = (value: number): number => Number(value.toPrecision(3));

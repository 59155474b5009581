import { existsSync, readFileSync } from 'node:fs';

/** The median of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export const SPELL = 500; // ms for which quick work is repeated, so that it is compiled and noise evens out

/** The median ms of some work after a warm-up: of at least `runs` runs, and of as many as fit into a spell. */
export async function medianTime(runs: number, work: () => unknown): Promise<number> {
  await work();
  const times: number[] = [];
  for (let total = 0; times.length < runs || total < SPELL; total += times.at(-1) ?? 0) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** Likewise, after a spell whose times do not count: a new process compiles the code of a report meanwhile. */
export async function warmTime(runs: number, work: () => unknown): Promise<number> {
  await medianTime(runs, work);
  return medianTime(runs, work);
}

/** Measures two alternatives in turns, so that a machine that slows down affects both; returns the median of each. */
export async function inTurns(
  rounds: number,
  measureA: () => Promise<number>,
  measureB: () => Promise<number>,
): Promise<{ readonly a: number; readonly b: number; readonly ratio: number }> {
  const a: number[] = [];
  const b: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    a.push(await measureA());
    b.push(await measureB());
  }
  const ratios = a.map((figure, round) => figure / (b[round] ?? figure));
  return { a: median(a), b: median(b), ratio: median(ratios) };
}

interface Hold {
  readonly wall: number; // ms
  readonly processor: number; // ms of the processor, on which a busy machine does not tell; NaN except on Linux
}

/** The longest time in which some work lets nobody else have a turn. */
export async function longestHold(work: () => Promise<unknown>): Promise<Hold> {
  let [wall, processor, isOver] = [0, 0, false];
  let before = { at: performance.now(), spent: processorTime() };
  const turn = (): void => {
    const now = { at: performance.now(), spent: processorTime() };
    wall = Math.max(wall, now.at - before.at);
    processor = Math.max(processor, now.spent - before.spent);
    before = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  turn();
  return { wall, processor };
}

const SPENT = '/proc/thread-self/schedstat'; // of this thread, in ns: it has no call in Node 20

const processorTime = existsSync(SPENT)
  ? (): number => Number(readFileSync(SPENT, 'utf8').split(' ')[0]) / 1e6
  : (): number => Number.NaN;

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

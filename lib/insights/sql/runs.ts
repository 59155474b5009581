/** Where a whole number begins to be that of an instant: at x it is y, and from the next x on it is the next y. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Points at equal distances, of which each has the number after that of the one before. */
interface Run extends Point {
  readonly step: number; // to the next point
  readonly count: number; // of points
}

/** Finds the runs in points of rising x. */
function runsOf(points: readonly Point[]): Run[] {
  const runs: Run[] = [];
  for (const [at, { x, y }] of points.entries()) {
    const next = points[at + 1];
    const step = next !== undefined && next.y === y + 1 ? next.x - x : Number.POSITIVE_INFINITY;
    const last = runs.at(-1);
    if (last?.step === step && step < Number.POSITIVE_INFINITY)
      runs[runs.length - 1] = { ...last, count: last.count + 1 };
    else runs.push({ x, y, step, count: 1 });
  }
  return runs;
}

/** A `CASE` that halves: `value` of the last one that begins at or before `t`, whose first ones `key` rise. */
function halved<T>(all: readonly T[], t: string, key: (one: T) => number, value: (one: T) => string): string {
  const [one, middle] = [all[0], all[all.length >> 1]];
  if (one === undefined || middle === undefined) throw new Error('a number of no instant');
  if (all.length === 1) return value(one);
  const at = all.length >> 1;
  const [before, after] = [halved(all.slice(0, at), t, key, value), halved(all.slice(at), t, key, value)];
  return `CASE WHEN ${t} < ${key(middle)} THEN ${before} ELSE ${after} END`;
}

type Divided = (a: string, b: number) => string;

const stepped = (points: readonly Point[], t: string, whole: Divided): string =>
  halved(
    runsOf(points),
    t,
    ({ x }) => x,
    (run) => (run.count === 1 ? String(run.y) : `${run.y} + ${whole(`${t} - ${run.x}`, run.step)}`),
  );

const numbered = (starts: Iterable<number>): Point[] => [...starts].map((x, y) => ({ x, y }));

/** SQL of the number of the last start at or before `t`, which is none before the first; `starts` rise. */
export const numberSql = (starts: Iterable<number>, t: string, whole: Divided): string =>
  stepped(numbered(starts), t, whole);

/** SQL of the start with a number, the same the other way round. */
export const startSql = (starts: Iterable<number>, number: string): string =>
  halved(
    runsOf(numbered(starts)),
    number,
    ({ y }) => y,
    (run) => (run.count === 1 ? String(run.x) : `${run.x} + (${number} - ${run.y}) * ${run.step}`),
  );

/** SQL of how many instants lie at or before `t`; `instants` rise, and some may be equal. */
export function reachedSql(instants: Iterable<number>, t: string, whole: Divided): string {
  const reached = new Map([...instants].map((x, at) => [x, at + 1]));
  return stepped([{ x: Number.MIN_SAFE_INTEGER, y: 0 }, ...[...reached].map(([x, y]) => ({ x, y }))], t, whole);
}

/** SQL of a number that is the same from one instant to the next, such as the offset of a zone. */
export const levelSql = (levels: readonly { readonly start: number; readonly value: number }[], t: string): string =>
  halved(
    levels,
    t,
    ({ start }) => start,
    ({ value }) => String(value),
  );

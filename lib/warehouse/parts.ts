import type { CutSegment, HistoryCut } from '../history/read.ts';
import { comparePositions } from '../history/segments/row-position.ts';
import type { StoredPart } from './manifest.ts';
import { digestOf } from './site-writer.ts';

/** A part of a history that is to be written. */
export interface NewPart {
  readonly name: string; // begins the names of its files
  readonly segments: readonly CutSegment[]; // by place
}

/** Which parts a history has in its files. */
export interface PartPlan {
  readonly kept: ReadonlyMap<string, StoredPart>; // as they are
  readonly wanted: readonly NewPart[]; // to be written
  readonly replaced: ReplacedRows; // rows of kept parts that do not count, once the wanted parts stand there
}

/** Rows that do not count. */
export interface ReplacedRows {
  readonly cases: ReadonlyMap<string, number>; // by subject: those born before so much
  readonly segments: readonly number[]; // all of them, as `segmentNumber` counts
}

/** What a plan is made for. */
export interface PartsWanted {
  readonly state: string; // of all that rows depend on, beside segments
  readonly erased: number; // version of the history with which the last erasure was done
  readonly most?: number | undefined; // facts of a part of several segments
}

/** The most facts of a part of several segments. */
const MOST_FACTS = 2_000_000;

/** So many times the memory of settled facts those of fresh segments take, as all of their months are open. */
const FRESH_WEIGHT = 8;

const WORN = 10; // a part of which more than a tenth does not count is written again
const REPLACED = 50; // at most one case in so many is replaced

/** The seconds that the canonical cut halves: up to the year 2242. */
const ALL = 2 ** 33;

const PLACES = 2 ** 16; // segments in a part

/** The number of a segment in the files: of the part and the place in it. */
export const segmentNumber = (part: string, place: number): number =>
  Number.parseInt(digestOf(part).slice(0, 9), 16) * PLACES + place;

/**
 * Plans the parts of a history. Parts that stand there are kept with the segments that the history still has; what is new
 * lies in fresh parts, which are gathered as they grow. A part is written anew from the cut where too much of it was
 * replaced, or where an erasure may have replaced some of it.
 */
export function planExport(
  cut: HistoryCut,
  stored: ReadonlyMap<string, StoredPart>,
  { state, erased, most = MOST_FACTS }: PartsWanted,
): PartPlan {
  const live = new Map(
    cut.segments.flatMap((each) => (each.kind === 'cases' && each.rows > 0 ? [[each.id, each]] : [])),
  );
  const free = new Map(live);
  const kept = new Map<string, Standing>();
  const newestFirst = [...stored].sort(([a, one], [b, two]) => two.version - one.version || (a < b ? -1 : 1));
  for (const [name, part] of newestFirst) {
    if (part.state !== state) continue;
    const standing = standingOf(cut, part, free);
    if (isWorn(standing, part.version < erased)) continue;
    kept.set(name, standing);
    for (const { id } of standing.own) free.delete(id);
  }
  const drop = (name: string): void => {
    for (const segment of kept.get(name)?.own ?? []) free.set(segment.id, segment);
    kept.delete(name);
  };
  const rows = sum(live.values(), ({ rows }) => rows);
  const byCases = [...kept].sort(([, a], [, b]) => b.cases.size - a.cases.size);
  let replaced = sum(kept.values(), ({ cases }) => cases.size);
  for (const [name, { cases }] of byCases) {
    if (replaced * REPLACED <= rows) break;
    replaced -= cases.size;
    drop(name);
  }
  const settled = [...live.values()].filter(({ settled }) => settled).sort(bySecond);
  const cells = halved(settled, 0, ALL, most);
  for (const { segments } of cells.filter(({ segments }) => isMostly(segments, free)))
    for (const [name, { own }] of [...kept])
      if (name.startsWith(FRESH) && own.some((one) => segments.includes(one))) drop(name);
  const bases = cells.filter(({ segments }) => segments.every(({ id }) => free.has(id)));
  for (const { segments } of bases) for (const { id } of segments) free.delete(id);
  gather(kept, free, { most, drop });
  const wanted = [...bases, ...freshParts([...free.values()], most)];
  return { wanted, kept: new Map([...kept].map(([name, { part }]) => [name, part])), replaced: replacedIn(kept) };
}

/** Whether more than half of some segments are free. */
const isMostly = (segments: readonly CutSegment[], free: ReadonlyMap<number, CutSegment>): boolean =>
  2 * sum(segments, ({ id, facts }) => (free.has(id) ? facts : 0)) > sum(segments, ({ facts }) => facts);

/** What counts of a part that stands there. */
interface Standing {
  readonly part: StoredPart;
  readonly own: readonly CutSegment[]; // segments of which it alone has the rows
  readonly gone: readonly number[]; // places of the others
  readonly cases: ReadonlyMap<string, number>; // subjects with rows in it that later commits replace
}

function standingOf(cut: HistoryCut, part: StoredPart, free: ReadonlyMap<number, CutSegment>): Standing {
  const own = part.segments.flatMap(([id]) => free.get(id) ?? []);
  const cases = new Map<string, number>();
  for (const segment of own) for (const each of cut.replaced(segment, part.version)) keepNewest(cases, each);
  const gone = part.segments.flatMap(([id], place) => (free.has(id) ? [] : [place]));
  return { part, own, gone, cases };
}

const keepNewest = (all: Map<string, number>, [subject, born]: readonly [string, number]): void =>
  void all.set(subject, Math.max(born, all.get(subject) ?? 0));

function isWorn({ part, own, gone, cases }: Standing, wasErased: boolean): boolean {
  if (own.length === 0 || (wasErased && gone.length + cases.size > 0)) return true;
  const lost = sum(gone, (place) => part.segments[place]?.[1] ?? 0) + cases.size;
  return lost * WORN > sum(part.segments, ([, rows]) => rows);
}

/** Gathers parts that are no larger than what is to be written: so there are few, and each fact is written few times. */
function gather(
  kept: ReadonlyMap<string, Standing>,
  free: ReadonlyMap<number, CutSegment>,
  { most, drop }: { readonly most: number; readonly drop: (name: string) => void },
): void {
  const factsOf = (segments: Iterable<CutSegment>): number => sum(segments, weightOf);
  let weight = factsOf(free.values());
  const others = [...kept]
    .filter(([name]) => name.startsWith(FRESH))
    .map(([name, { own }]) => [name, factsOf(own)] as const);
  for (const [name, own] of others.sort(([, a], [, b]) => a - b)) {
    if (weight === 0 || own > weight || weight + own > most) return;
    weight += own;
    drop(name);
  }
}

const FRESH = 'fresh-';

const weightOf = ({ facts, settled }: CutSegment): number => (settled ? facts : FRESH_WEIGHT * facts);

function freshParts(segments: readonly CutSegment[], most: number): NewPart[] {
  const parts: CutSegment[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const segment of [...segments].sort((a, b) => Number(b.settled) - Number(a.settled) || bySecond(a, b))) {
    weight += weightOf(segment);
    if (weight > most) {
      parts.push([]);
      weight = weightOf(segment);
    }
    parts.at(-1)?.push(segment);
  }
  return parts.map((of) => ({ name: `${FRESH}${digestOf(of.map(({ id }) => id)).slice(0, 16)}`, segments: of }));
}

function replacedIn(kept: ReadonlyMap<string, Standing>): ReplacedRows {
  const cases = new Map<string, number>();
  const segments: number[] = [];
  for (const [name, standing] of kept) {
    for (const each of standing.cases) keepNewest(cases, each);
    segments.push(...standing.gone.map((place) => segmentNumber(name, place)));
  }
  return { cases, segments: segments.sort((a, b) => a - b) };
}

/** Cuts settled segments by halving time until no part has more than `most` facts: what a part is follows from them alone. */
function halved(segments: readonly CutSegment[], from: number, length: number, most: number): NewPart[] {
  if (segments.length === 0) return [];
  if (sum(segments, ({ facts }) => facts) <= most || segments.length === 1 || length === 1)
    return [{ name: `${from}-${length}`, segments }];
  const [half, middle] = [length / 2, from + length / 2];
  const isBefore = ({ low }: CutSegment): boolean => low.second < middle;
  return [
    ...halved(segments.filter(isBefore), from, half, most),
    ...halved(
      segments.filter((segment) => !isBefore(segment)),
      middle,
      half,
      most,
    ),
  ];
}

const bySecond = (a: CutSegment, b: CutSegment): number => comparePositions(a.low, b.low) || a.id - b.id;

function sum<T>(all: Iterable<T>, of: (one: T) => number): number {
  let total = 0;
  for (const one of all) total += of(one);
  return total;
}

import * as z from 'zod';
import { groupBy } from '../../group-by.ts';
import { byCodePoint } from '../../text.ts';
import { recordOf } from '../../typed-object.ts';
import { compareEvents } from '../cases/case-history.ts';
import { type AsOf, type HistoryEvent, isMark } from '../cases/event.ts';
import type { Column } from '../segments/byte-planes.ts';

/**
 * The columns of a leaf that say to which source and version its events belong (docs/design/versions.md). A leaf
 * without sources has no such columns.
 */

/** The events of one subject and source; none if only its mark is stored. */
export interface SourceRun {
  readonly source: string | undefined;
  readonly asOf: AsOf | undefined;
  readonly events: readonly HistoryEvent[];
}

const MICROS = 1_000_000;
const COLUMNS = ['runs', 'runSource', 'runEvents', 'runSecond', 'runMicros', 'runRest'] as const;

const Part = z.int().nullable();
const Sources = z.array(z.string().nullable());
const Rests = z.array(z.tuple([Part, Part]).nullable());
type Rest = z.infer<typeof Rests>[number];

/** Groups a subject's events by source, the log without a name first; each group is sorted by `compareEvents`. */
export function runsOf(events: readonly HistoryEvent[]): SourceRun[] {
  if (events.length === 0) return [];
  if (events.every(({ source }) => source === undefined))
    return [{ source: undefined, asOf: undefined, events: [...events].sort(compareEvents) }];
  return [...groupBy(events, ({ source }) => source ?? '')]
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([, list]) => ({
      source: list[0]!.source,
      asOf: list[0]!.as_of,
      events: list.filter((event) => !isMark(event)).sort(compareEvents),
    }));
}

/** Collects the runs of a leaf's subjects, one subject after the other. */
export function runWriter() {
  const columns = recordOf(COLUMNS, (): number[] => []);
  const sources = new Map<string | null, number>();
  const rests = new Map<string, number>();
  return {
    add(runs: readonly SourceRun[]): void {
      columns.runs.push(runs.length);
      for (const [at, { source, asOf, events }] of runs.entries()) {
        columns.runSource.push(appearanceIndex(sources, source ?? null));
        if (at < runs.length - 1) columns.runEvents.push(events.length);
        const first = asOf?.[0] ?? undefined;
        const second = first === undefined ? -1 : Math.floor(first / MICROS);
        columns.runSecond.push(second + 1);
        columns.runMicros.push(first === undefined ? 0 : first - second * MICROS);
        const rest: Rest = asOf === undefined ? null : [asOf[1] ?? null, asOf[2] ?? null];
        columns.runRest.push(appearanceIndex(rests, JSON.stringify(rest)));
      }
    },
    /** Returns the columns; none if no event has a source. */
    columns(): { numbers: Readonly<Record<string, number[]>>; json: Readonly<Record<string, unknown>> } {
      if ([...sources.keys()].every((source) => source === null)) return { numbers: {}, json: {} };
      const runMicros = columns.runMicros.every((value) => value === 0) ? [] : columns.runMicros;
      const json = { sources: [...sources.keys()], rests: [...rests.keys()].map((rest): unknown => JSON.parse(rest)) };
      return { numbers: { ...columns, runMicros }, json };
    },
  };
}

/** Returns a value's index in order of first appearance; a new value is added. */
export function appearanceIndex<T>(indexes: Map<T, number>, value: T): number {
  let index = indexes.get(value);
  if (index === undefined) indexes.set(value, (index = indexes.size));
  return index;
}

/** How many of a subject's next events in a leaf belong to one source and version. */
export interface RunLengths {
  readonly source: string | undefined;
  readonly asOf: AsOf | undefined;
  readonly count: number;
}

/** Reads the columns of `runWriter`, one subject after the other; undefined if the leaf has no sources. */
export function runReader(file: {
  numbers(name: string): Column;
  json(name: string): unknown;
}): ((count: number) => RunLengths[]) | undefined {
  const named = file.json('sources');
  if (named === undefined) return undefined;
  const sources = Sources.parse(named).map((source) => source ?? undefined);
  const rests = Rests.parse(file.json('rests'));
  const columns = recordOf(COLUMNS, (name) => file.numbers(name));
  const { runs, runSource: source, runEvents: events, runSecond: second, runMicros: micros, runRest: rest } = columns;
  let subject = 0;
  let run = 0;
  let length = 0; // next index of `runEvents`
  return (count) => {
    const found: RunLengths[] = [];
    let left = count;
    const end = run + runs[subject++]!;
    for (; run < end; run += 1) {
      const size = run < end - 1 ? events[length++]! : left;
      left -= size;
      const asOf = asOfIn(second[run]!, micros[run] ?? 0, rests[rest[run]!] ?? null);
      found.push({ source: sources[source[run]!], asOf, count: size });
    }
    return found;
  };
}

function asOfIn(second: number, micros: number, rest: Rest): AsOf | undefined {
  if (rest === null) return undefined;
  const parts = [second === 0 ? null : (second - 1) * MICROS + micros, ...rest];
  return parts.slice(0, parts.findLastIndex((part) => part !== null) + 1);
}

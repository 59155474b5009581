import { join } from 'node:path';
import { secondOf } from '../history/cases/case-history.ts';
import { type HistoryEvent, isMark, isOfAgent } from '../history/cases/event.ts';
import { formatInstant } from '../history/cases/instant.ts';
import type { Shard } from '../history/storage/directory.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import { walkBlobs } from '../history/storage/ledger-store.ts';
import type { ColumnValues } from './columns.ts';
import { FILES_FORMAT } from './manifest.ts';
import { monthFinder, monthName } from './months.ts';
import { createParquetFile, GROUP_ROWS, type ParquetFile } from './parquet-file.ts';
import { type AddRows, digestOf } from './site-writer.ts';
import { TABLES } from './tables.ts';

/** Events of a site that are written by one call. */
export interface EventPart {
  readonly name: string; // unique for the events: a part of that name has them
  readonly shards: readonly Shard[];
  readonly kind: 'leaves' | 'runs';
}

/** The most events of a part, where one shard has no more. */
const MOST_EVENTS = 2_000_000;

/** The runs of a shard that are in one part: so many, or this part of its leaves. */
const RUNS = { least: 4, ofLeaves: 1 / 50 };

/** Whether a part is one of events; all of them were one part `events` before. */
export const isOfEvents = (part: string): boolean => part.startsWith('events');

/**
 * The parts of a site's events: neighbouring shards, their leaves apart from their runs, and of runs some at a time, the
 * oldest first. So new events write the newest runs again, which are few, and what lies in leaves and in older runs when
 * the ledger itself has written it anew.
 */
export function eventParts(history: string, shards: readonly Shard[], mostEvents = MOST_EVENTS): EventPart[] {
  const events = shards.reduce(
    (sum, { leaves, runs }) => [...leaves, ...runs].reduce((all, of) => all + of.events, sum),
    0,
  );
  if (events > mostEvents && shards.length > 1) {
    const half = shards.length / 2;
    return [shards.slice(0, half), shards.slice(half)].flatMap((some) => eventParts(history, some, mostEvents));
  }
  const part = (kind: EventPart['kind'], shards: readonly Shard[]): EventPart[] => {
    const blobs = shards.flatMap((shard) => shard[kind].map(({ id }) => id));
    const name = `events-${digestOf([FILES_FORMAT, history, kind, blobs]).slice(0, 16)}`;
    return blobs.length === 0 ? [] : [{ name, shards, kind }];
  };
  const most = (of: (shard: Shard) => number): number => Math.max(...shards.map(of));
  const step = Math.max(RUNS.least, Math.ceil(most(({ leaves }) => leaves.length) * RUNS.ofLeaves));
  const cuts = Array.from({ length: Math.ceil(most(({ runs }) => runs.length) / step) }, (_, cut) => cut * step);
  const runsFrom = (cut: number) => shards.map((shard) => ({ ...shard, runs: shard.runs.slice(cut, cut + step) }));
  return [...part('leaves', shards), ...cuts.flatMap((cut) => part('runs', runsFrom(cut)))];
}

/** Writes the events of a part, by month. */
export async function writeEvents(
  context: HistoryContext,
  { shards, kind }: EventPart,
  scratch: string,
  add: AddRows,
): Promise<void> {
  const files = createEventFiles(scratch, context.site.name);
  for (const shard of shards)
    for await (const some of walkBlobs(context, shard, kind)) for (const { events } of some) files.add(events);
  for (const [month, made] of files.finish()) await add('events', month, made);
}

/** Files of events by month, all of which are written at the same time: the ledger lies in the order of a hash. */
interface EventFiles {
  /** Adds the events of a subject; they come in the same order in every export. */
  add(events: readonly HistoryEvent[]): void;
  /** Completes the files; returns them by month. */
  finish(): ReadonlyMap<string, { readonly path: string; readonly rows: number }>;
}

const WAITING = 131_072; // events that are held in memory, of all months together

interface OpenMonth {
  readonly path: string;
  readonly file: ParquetFile;
  readonly waiting: HistoryEvent[];
  rows: number;
}

/** Creates files of a site's events in a folder. */
function createEventFiles(folder: string, site: string): EventFiles {
  const months = new Map<number, OpenMonth>();
  const monthOf = monthFinder();
  const open = (month: number): OpenMonth => {
    const known = months.get(month);
    if (known !== undefined) return known;
    const path = join(folder, `events-${monthName(month)}.parquet`);
    const made = { path, file: createParquetFile(path, TABLES.events.columns), waiting: [], rows: 0 };
    months.set(month, made);
    return made;
  };
  let held = 0;
  const flush = ({ file, waiting }: OpenMonth): void => {
    if (waiting.length > 0) file.write(valuesOf(site, waiting));
    held -= waiting.length;
    waiting.length = 0;
  };
  const fullest = (): OpenMonth => [...months.values()].reduce((a, b) => (b.waiting.length > a.waiting.length ? b : a));
  return {
    add(events) {
      for (const event of events) {
        if (isMark(event)) continue;
        const month = open(monthOf(secondOf(event.at)));
        month.rows += 1;
        held += 1;
        if (month.waiting.push(event) === GROUP_ROWS) flush(month);
        else if (held === WAITING) flush(fullest());
      }
    },
    finish() {
      for (const month of months.values()) {
        flush(month);
        month.file.finish();
      }
      return new Map([...months].map(([month, { path, rows }]) => [monthName(month), { path, rows }]));
    },
  };
}

function valuesOf(site: string, events: readonly HistoryEvent[]): ColumnValues {
  const details = events.map(detailOf);
  return {
    site: events.map(() => site),
    case_id: events.map((event) => (isOfAgent(event) ? null : event.case)),
    id: events.map(({ id }) => id),
    type: events.map(({ type }) => type),
    at: BigInt64Array.from(events, ({ at }) => BigInt(at)),
    agent: events.map(({ agent }) => (agent === undefined ? null : BigInt(agent))),
    group_id: events.map((event) => (isOfAgent(event) || event.group === undefined ? null : BigInt(event.group))),
    automated: events.map((event) => 'automated' in event && event.automated === true),
    source: events.map(({ source }) => source ?? null),
    detail: details,
  };
}

/** The properties of an event that columns have. */
const IN_COLUMNS: ReadonlySet<string> = new Set([
  ...['id', 'type', 'at', 'source', 'agent', 'case', 'group', 'automated'],
  'as_of', // comes last
]);

/** Everything of an event that no column has. */
function detailOf(event: HistoryEvent): string | null {
  const detail: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(event)) if (!IN_COLUMNS.has(name)) detail[name] = value;
  if ('from' in event) Object.assign(detail, { from: formatInstant(event.from), to: formatInstant(event.to) });
  if (event.as_of !== undefined) detail.as_of = event.as_of.map((part) => (part === null ? null : formatInstant(part)));
  return Object.keys(detail).length === 0 ? null : JSON.stringify(detail);
}

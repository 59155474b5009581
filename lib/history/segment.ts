import * as z from 'zod';
import { readAgents, readGroups } from './actors.ts';
import type { Column } from './byte-planes.ts';
import type { CustomValue, FactKind } from './case-row.ts';
import { openColumnFile } from './column-file.ts';
import type { Attribute, DictionaryName, ListAttribute } from './segment-columns.ts';
import { columnName } from './segment-columns.ts';

/** What a manifest wants to know of a segment. */
export const SegmentHead = z.object({
  kind: z.literal('cases'),
  rows: z.int(), // cases
  facts: z.int(),
  start: z.int(), // s, smallest second of any fact
  end: z.int(), // s, largest second that any fact touches
});

export type SegmentHead = z.infer<typeof SegmentHead>;

/** Some thousand whole cases, column by column. What it hands out is decoded once and then shared: read only. */
export interface Segment {
  readonly head: SegmentHead;
  keys(): readonly string[];
  starts(): Column; // s since the segment's start: the first fact of each case
  attribute(name: Attribute): Column; // an index a case: 0 none, i the dictionary's member i − 1
  list(name: ListAttribute): ListColumn;
  macroResolves(): Column; // beside the list of macros: index of the first resolve that has the macro before it
  dictionary(name: DictionaryName): readonly number[]; // rising
  customValues(): readonly CustomValue[]; // the dictionary of the list of custom values
  facts(kind: FactKind): FactTable;
}

/** Lists of indices: those of case i lie at offsets[i] … offsets[i + 1] − 1. */
export interface ListColumn {
  readonly offsets: Uint32Array;
  members(): Column;
}

/** The facts of one kind: those of case i lie at offsets[i] … offsets[i + 1] − 1, rising in time. */
export interface FactTable {
  readonly offsets: Uint32Array;
  seconds(): Column; // s since the segment's start
  agents(): Column; // indices into `agents`
  groups(): Column; // indices into `groups`
  values(): Column; // see FACT_KINDS: numbers, or indices into `macros` or `labels`
}

const Members = z.array(z.number()).default([]);
const CustomValues = z.array(z.tuple([z.number(), z.string()])).default([]);
const Keys = z.array(z.string()).default([]);

/** Opens the bytes that `encodeSegment` made; a column is inflated when it is first asked for. */
export function openSegment(bytes: Uint8Array): Segment {
  const file = openColumnFile(bytes, SegmentHead);
  const { rows } = file.head;
  const column = remember((name: string) => file.numbers(name));
  const offsets = remember((name: string) => offsetsOf(file.numbers(name), rows));
  const dictionary = remember((name: string) => Members.parse(file.json(name)));
  const customValues = remember((name: string) =>
    CustomValues.parse(file.json(name)).map(([field, value]) => ({ field, value })),
  );
  const keys = remember((name: string) => Keys.parse(file.json(name)));
  const starts = remember((name: string) => runningTotals(file.numbers(name)));
  const seconds = remember((kind: FactKind) =>
    secondsOf(file.numbers(columnName.factDelta(kind)), offsets(columnName.factCount(kind)), starts(columnName.start)),
  );
  const agents = remember((kind: FactKind) =>
    readAgents(
      file.numbers(columnName.factAgent(kind)),
      offsets(columnName.factCount(kind)),
      column(columnName.attribute('agent')),
    ),
  );
  const groups = remember((kind: FactKind) =>
    readGroups(
      file.numbers(columnName.factGroup(kind)),
      offsets(columnName.factCount(kind)),
      agents(kind),
      column(columnName.attribute('agent')),
      column(columnName.attribute('group')),
    ),
  );
  return {
    head: file.head,
    keys: () => keys(columnName.keys),
    starts: () => starts(columnName.start),
    attribute: (name) => column(columnName.attribute(name)),
    list: (name) => ({
      offsets: offsets(columnName.listCount(name)),
      members: () => column(columnName.list(name)),
    }),
    macroResolves: () => column(columnName.macroResolves),
    dictionary: (name) => dictionary(columnName.dictionary(name)),
    customValues: () => customValues(columnName.dictionary('customValues')),
    facts: (kind) => ({
      offsets: offsets(columnName.factCount(kind)),
      seconds: () => seconds(kind),
      agents: () => agents(kind),
      groups: () => groups(kind),
      values: () => column(columnName.factValue(kind)),
    }),
  };
}

function remember<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** Where each row's part begins, from the counts of the rows; rows without a count have none. */
function offsetsOf(counts: Column, rows: number): Uint32Array {
  const offsets = new Uint32Array(rows + 1);
  for (let i = 0; i < rows; i += 1) offsets[i + 1] = offsets[i]! + (counts[i] ?? 0);
  return offsets;
}

const LARGEST_UINT32 = 2 ** 32 - 1;

function runningTotals(deltas: Column): Column {
  let last = 0;
  for (const delta of deltas) last += delta;
  const totals = last > LARGEST_UINT32 ? new Float64Array(deltas.length) : new Uint32Array(deltas.length);
  let total = 0;
  for (let i = 0; i < deltas.length; i += 1) {
    total += deltas[i]!;
    totals[i] = total;
  }
  return totals;
}

function secondsOf(deltas: Column, offsets: Uint32Array, starts: Column): Column {
  const narrow = addUp(deltas, offsets, starts, new Uint32Array(deltas.length));
  return narrow ?? addUp(deltas, offsets, starts, new Float64Array(deltas.length)) ?? deltas;
}

/** Seconds from the deltas of each row's facts; undefined where one does not fit 32 bits. */
function addUp<C extends Column>(deltas: Column, offsets: Uint32Array, starts: Column, seconds: C): C | undefined {
  const most = seconds instanceof Uint32Array ? LARGEST_UINT32 : Number.MAX_SAFE_INTEGER;
  for (let row = 0; row + 1 < offsets.length; row += 1) {
    const end = offsets[row + 1]!;
    let second = starts[row]!;
    for (let i = offsets[row]!; i < end; i += 1) {
      second += deltas[i]!;
      seconds[i] = second;
    }
    if (second > most) return undefined;
  }
  return seconds;
}

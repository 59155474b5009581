import * as z from 'zod';
import { readAgents, readGroups } from './actors.ts';
import type { Column } from './byte-planes.ts';
import type { CustomValue, FactKind } from './case-row.ts';
import { openColumnFile } from './column-file.ts';
import type { Attribute, DictionaryName, ListAttribute } from './segment-columns.ts';
import { columnName } from './segment-columns.ts';
import { offsetsOf, rowsOf, secondsOf, startsOf } from './segment-times.ts';

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
  decodedBytes(): number; // about what the columns decoded so far take in memory
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
  readonly count: number;
  readonly offsets: Column;
  rows(): Column; // by entry its case, rising
  members(): Column;
}

/** The facts of one kind: those of case i lie at offsets[i] … offsets[i + 1] − 1, rising in time. */
export interface FactTable {
  readonly count: number;
  offsets(): Column;
  rows(): Column; // by fact its case, rising
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
  const { head } = file;
  const span = head.end - head.start;
  let decoded = 0;
  const remember = <K, V extends object>(make: (key: K) => V): ((key: K) => V) => {
    const made = new Map<K, V>();
    return (key) => {
      const known = made.get(key);
      if (known !== undefined) return known;
      const value = make(key);
      decoded += sizeOf(value);
      made.set(key, value);
      return value;
    };
  };
  const column = remember((name: string) => file.numbers(name));
  const listOffsets = remember((name: ListAttribute) =>
    offsetsOf(file.numbers(columnName.listCount(name)), head.rows, file.length(columnName.list(name))),
  );
  const listRows = remember((name: ListAttribute) => rowsOf(listOffsets(name), file.length(columnName.list(name))));
  const members = remember((name: DictionaryName) => Members.parse(file.json(columnName.dictionary(name))));
  const customValues = remember((name: 'customValues') =>
    CustomValues.parse(file.json(columnName.dictionary(name))).map(([field, value]) => ({ field, value })),
  );
  const keys = remember((name: 'keys') => Keys.parse(file.json(columnName[name])));
  const starts = remember((name: 'start') => startsOf(file.numbers(columnName[name]), span));
  const offsets = remember((kind: FactKind) =>
    offsetsOf(file.numbers(columnName.factCount(kind)), head.rows, file.length(columnName.factDelta(kind))),
  );
  const rows = remember((kind: FactKind) => rowsOf(offsets(kind), file.length(columnName.factDelta(kind))));
  const seconds = remember((kind: FactKind) =>
    secondsOf(file.numbers(columnName.factDelta(kind)), offsets(kind), starts('start'), span),
  );
  const assigned = () => ({
    agents: column(columnName.attribute('agent')),
    groups: column(columnName.attribute('group')),
  });
  const agents = remember((kind: FactKind) =>
    readAgents(file.numbers(columnName.factAgent(kind)), offsets(kind), assigned(), members('agents').length),
  );
  const groups = remember((kind: FactKind) =>
    readGroups(file.numbers(columnName.factGroup(kind)), offsets(kind), assigned(), agents(kind), {
      agent: members('agents').length,
      group: members('groups').length,
    }),
  );
  const lists = remember((name: ListAttribute): ListColumn => {
    const [offsets, count] = [listOffsets(name), file.length(columnName.list(name))];
    return { offsets, rows: () => listRows(name), members: () => column(columnName.list(name)), count };
  });
  const tables = remember(
    (kind: FactKind): FactTable => ({
      count: file.length(columnName.factDelta(kind)),
      offsets: () => offsets(kind),
      rows: () => rows(kind),
      seconds: () => seconds(kind),
      agents: () => agents(kind),
      groups: () => groups(kind),
      values: () => column(columnName.factValue(kind)),
    }),
  );
  return {
    head,
    decodedBytes: () => decoded,
    keys: () => keys('keys'),
    starts: () => starts('start'),
    attribute: (name) => column(columnName.attribute(name)),
    list: lists,
    macroResolves: () => column(columnName.macroResolves),
    dictionary: members,
    customValues: () => customValues('customValues'),
    facts: tables,
  };
}

const LISTED = 48; // bytes an entry of a list takes, about

const sizeOf = (value: object): number =>
  ArrayBuffer.isView(value) ? value.byteLength : LISTED * (Array.isArray(value) ? value.length : 1);

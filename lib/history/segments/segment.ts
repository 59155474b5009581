import * as z from 'zod';
import { newMadeOnce } from '../../made-once.ts';
import type { CustomValue, FactKind } from '../cases/case-row.ts';
import { sameValue } from '../columns/bit-packing.ts';
import type { Column } from '../columns/byte-planes.ts';
import { type ColumnFile, openColumnFile } from '../columns/column-file.ts';
import { parsedOnce } from '../columns/parsed-once.ts';
import { type Assigned, indexIn, readAgents, readGroups } from './actors.ts';
import { type AgentFacts, agentFacts } from './agent-facts.ts';
import type { Attribute, DictionaryName, ListAttribute } from './segment-columns.ts';
import { columnName } from './segment-columns.ts';
import { extendEnds, extendEndsOver, offsetsOf, rowsOf, secondsOf, startsOf } from './segment-times.ts';

/** What a manifest wants to know of a segment. */
export const SegmentHead = z.object({
  kind: z.literal('cases'),
  rows: z.int(), // cases
  facts: z.int(),
  start: z.int(), // s, smallest second of any fact
  end: z.int(), // s, largest second that any fact touches
  version: z.int().default(1), // ROW_VERSION of its rows, of several the smallest
});

export type SegmentHead = z.infer<typeof SegmentHead>;

/** Some thousand whole cases, column by column. What it hands out is decoded once and then shared: read only. */
export interface Segment {
  readonly head: SegmentHead;
  decodedBytes(): number; // about what the columns decoded so far take in memory
  keys(): readonly string[];
  starts(): Column; // s since the segment's start: the first fact of each case
  ends(kinds: readonly FactKind[]): Column; // likewise: the last second that any of its facts of these kinds touches
  attribute(name: Attribute): Column; // an index a case: 0 none, i the dictionary's member i − 1
  list(name: ListAttribute): ListColumn;
  macroResolves(): Column; // beside the list of macros: index of the first resolve that has the macro before it
  dictionary(name: DictionaryName): readonly number[]; // rising
  customValues(): readonly CustomValue[]; // the dictionary of the list of custom values
  facts(kind: FactKind): FactTable;
  /** What is worked out of its columns alone: made when it is first asked for, and then kept like a column. */
  kept<V extends object>(make: (segment: Segment) => V): V;
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
  sameAgent(): number | undefined; // the index that all facts have, if that is known without reading them
  groups(): Column; // indices into `groups`
  values(): Column; // see FACT_KINDS: numbers, or indices into `macros` or `labels`
  /** Where the facts of an agent, an index, are; undefined unless they were noted lately. */
  ofAgent(agent: number): AgentFacts | undefined;
  /** Notes where all facts of an agent are, rising: after one report on an agent often comes another on the same agent. */
  noteAgent(agent: number, found: Int32Array): void;
}

/** Checked by hand: with hundreds of members in each of hundreds of segments zod takes half as long as a small report. */
const membersIn = parsedOnce(
  z
    .custom<readonly number[]>((value) => Array.isArray(value) && value.every((member) => typeof member === 'number'))
    .default([]),
);
const customValuesIn = parsedOnce(
  z.array(z.tuple([z.number(), z.string()]).transform(([field, value]) => ({ field, value }))).default([]),
);
const Keys = z.array(z.string()).default([]);

/** Opens the bytes that `encodeSegment` made; a column is decoded when it is first asked for. */
export function openSegment(bytes: Uint8Array): Segment {
  const file = openColumnFile(bytes, SegmentHead);
  const { head } = file;
  const span = head.end - head.start;
  let decoded = 0;
  const keep = (bytes: number): void => {
    decoded += bytes;
  };
  const { counted, lazy, remember } = countingMakers(keep);
  const attribute = remember((name: Attribute) => {
    const column = file.numbers(columnName.attribute(name));
    return column.length > 0 ? column : new Uint8Array(head.rows); // older segments lack some
  });
  const members = remember((name: DictionaryName) => membersIn(file.text(columnName.dictionary(name))));
  const starts = lazy(() => startsOf(file.passingNumbers(columnName.start), span));
  const assigned = () => ({ agents: attribute('agent'), groups: attribute('group') });
  const lists = remember((name: ListAttribute): ListColumn => {
    const count = file.length(columnName.list(name));
    const offsets = offsetsOf(file.passingNumbers(columnName.listCount(name)), head.rows, count);
    return {
      count,
      offsets,
      rows: lazy(() => rowsOf(offsets, count)),
      members: lazy(() => file.numbers(columnName.list(name))),
    };
  });
  const opened: Opened = { file, lazy, starts, assigned, members, keep };
  const tables = remember((kind: FactKind) => openFacts(kind, opened));
  const ends = remember(
    (kinds: readonly FactKind[]) => {
      const last = starts().slice();
      for (const kind of kinds) {
        const { offsets, rows, seconds, values } = tables(kind);
        if (kind === 'handle') extendEndsOver(last, rows(), seconds(), values());
        else extendEnds(last, offsets(), seconds());
      }
      return last;
    },
    (kinds) => kinds.join(' '),
  );
  const once = newMadeOnce();
  const segment: Segment = {
    head,
    decodedBytes: () => decoded,
    keys: lazy(() => Keys.parse(file.json(columnName.keys))),
    starts,
    ends,
    attribute,
    list: lists,
    macroResolves: lazy(() => file.numbers(columnName.macroResolves)),
    dictionary: members,
    customValues: lazy(() => customValuesIn(file.text(columnName.dictionary('customValues')))),
    facts: tables,
    kept: (make) => once(make, () => counted(make(segment))),
  };
  return segment;
}

/** What makes things when they are first asked for, and tells `keep` their bytes. */
function countingMakers(keep: (bytes: number) => void) {
  const counted = <V extends object>(value: V): V => {
    keep(sizeOf(value));
    return value;
  };
  const lazy = <V extends object>(make: () => V): (() => V) => {
    let made: V | undefined;
    return () => (made ??= counted(make()));
  };
  /** One thing for each key; keys of one name are the same. */
  const remember = <K, V extends object>(make: (key: K) => V, nameOf: (key: K) => unknown = (key) => key) => {
    const made = new Map<unknown, V>();
    return (key: K): V => {
      const name = nameOf(key);
      const known = made.get(name);
      if (known !== undefined) return known;
      const value = counted(make(key));
      made.set(name, value);
      return value;
    };
  };
  return { counted, lazy, remember };
}

/** An opened segment, as its tables of facts need it. */
interface Opened {
  readonly file: ColumnFile<SegmentHead>;
  readonly lazy: <V extends object>(make: () => V) => () => V;
  readonly starts: () => Column;
  readonly assigned: () => Assigned;
  readonly members: (name: DictionaryName) => readonly number[];
  readonly keep: (bytes: number) => void; // counts what is kept; below 0: what no longer is
}

function openFacts(kind: FactKind, { file, lazy, starts, assigned, members, keep }: Opened): FactTable {
  const { head } = file;
  const count = file.length(columnName.factDelta(kind));
  const offsets = lazy(() => offsetsOf(file.passingNumbers(columnName.factCount(kind)), head.rows, count));
  const rows = lazy(() => rowsOf(offsets(), count));
  const same = lazy(() => {
    const codes = file.packed(columnName.factAgent(kind));
    return { agent: indexIn(codes && sameValue(codes)) };
  });
  const agents = lazy(() => {
    const [rowOf, known, last] = [rows(), assigned(), members('agents').length];
    return readAgents(file.passingNumbers(columnName.factAgent(kind)), rowOf, known, last);
  });
  const groups = lazy(() => {
    const [rowOf, known, who] = [rows(), assigned(), agents()];
    const last = { agent: members('agents').length, group: members('groups').length };
    return readGroups(file.passingNumbers(columnName.factGroup(kind)), { rows: rowOf, agents: who }, known, last);
  });
  const seconds = lazy(() =>
    secondsOf(file.numbers(columnName.factDelta(kind)), rows(), starts(), head.end - head.start),
  );
  const noted = new Map<number, AgentFacts>();
  return {
    count,
    offsets,
    rows,
    seconds,
    agents,
    sameAgent: () => same().agent,
    groups,
    values: lazy(() => file.numbers(columnName.factValue(kind))),
    ofAgent: (agent) => noted.get(agent),
    noteAgent: (agent, found) => {
      const facts = agentFacts(found, seconds());
      noted.set(agent, facts);
      keep(sizeOf(facts));
      const [oldest] = noted;
      if (oldest === undefined || noted.size <= AGENTS) return;
      noted.delete(oldest[0]);
      keep(-sizeOf(oldest[1]));
    },
  };
}

const AGENTS = 16; // whose facts are noted, in each table
const LISTED = 48; // bytes an entry of a list takes, about

/** About what a value takes: a column, a list, or an object with columns that are its own. */
function sizeOf(value: object): number {
  if ('byteLength' in value) return Number(value.byteLength);
  if (Array.isArray(value)) return LISTED * value.length;
  const columns = Object.values(value).filter((each) => ArrayBuffer.isView(each));
  return columns.reduce((sum, { byteLength }) => sum + byteLength, LISTED);
}

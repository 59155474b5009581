import * as z from 'zod';
import { memoize, newMadeOnce } from '../../memo.ts';
import type { CustomValue, FactKind } from '../cases/case-row.ts';
import { type Assigned, indexIn, readAgents, readGroups } from './actors.ts';
import { type AgentFacts, agentFacts } from './agent-facts.ts';
import { sameValue } from './bit-packing.ts';
import type { Column } from './byte-planes.ts';
import { type ColumnFile, openColumnFile } from './column-file.ts';
import { parsedOnce } from './parsed-once.ts';
import type { Attribute, DictionaryName, ListAttribute } from './segment-columns.ts';
import { columnName } from './segment-columns.ts';
import { offsetsOf, rowsOf, secondsOf, startsOf } from './segment-times.ts';

/** The numbers of a segment that the manifest stores. */
export const SegmentHead = z.object({
  kind: z.literal('cases'),
  rows: z.int(), // cases
  facts: z.int(),
  start: z.int(), // s, first second of any fact
  end: z.int(), // s, last second that any fact covers
  version: z.int().default(1), // ROW_VERSION of its rows; the smallest if they differ
});

export type SegmentHead = z.infer<typeof SegmentHead>;

/**
 * Some thousand whole cases, column by column. Columns are decoded once and then shared: callers must not change them.
 */
export interface Segment {
  readonly head: SegmentHead;
  decodedBytes(): number; // about the memory of the columns decoded so far
  keys(): readonly string[];
  starts(): Column; // s since the segment's start: the first fact of each case
  attribute(name: Attribute): Column; // one index per case: 0 none, i member i − 1 of the dictionary
  list(name: ListAttribute): ListColumn;
  macroResolves(): Column; // `AppliedMacro.resolve`, one for each entry of the list of macros
  dictionary(name: DictionaryName): readonly number[]; // rising
  customValues(): readonly CustomValue[]; // the dictionary of the list of custom values
  facts(kind: FactKind): FactTable;
  /** Returns a value computed from the columns alone; it is made on first use and then kept like a column. */
  kept<V extends object>(make: (segment: Segment) => V): V;
}

/** Lists of indices: the list of case i lies at offsets[i] … offsets[i + 1] − 1. */
export interface ListColumn {
  readonly count: number; // entries of all lists
  readonly offsets: Column;
  rows(): Column; // the case of each entry, rising
  members(): Column;
}

/** The facts of one kind: those of case i lie at offsets[i] … offsets[i + 1] − 1, rising in time. */
export interface FactTable {
  readonly count: number;
  offsets(): Column;
  rows(): Column; // the case of each fact, rising
  seconds(): Column; // s since the segment's start
  agents(): Column; // indices into `agents`
  sameAgent(): number | undefined; // index of the agent of all facts, if the column's header tells that it is the same
  groups(): Column; // indices into `groups`
  values(): Column; // see FACT_KINDS: numbers, or indices into `macros` or `labels`
  /** Returns the cached facts of an agent, given as an index; undefined if they are not in the cache. */
  ofAgent(agent: number): AgentFacts | undefined;
  /**
   * Caches the rising indexes of all facts of an agent: a report on an agent is often followed by another on the same.
   */
  noteAgent(agent: number, found: Int32Array): void;
}

/**
 * Checked by hand: for hundreds of members in each of hundreds of segments, zod takes half as long as a small report.
 */
const membersIn = parsedOnce(
  z
    .custom<readonly number[]>((value) => Array.isArray(value) && value.every((member) => typeof member === 'number'))
    .default([]),
);
const customValuesIn = parsedOnce(
  z.array(z.tuple([z.number(), z.string()]).transform(([field, value]) => ({ field, value }))).default([]),
);
const Keys = z.array(z.string()).default([]);

/** Opens the bytes that `encodeSegment` made; a column is decoded on first use. */
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
    return column.length > 0 ? column : new Uint8Array(head.rows); // older segments lack some attributes
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
  const opened: SegmentColumns = { file, lazy, starts, assigned, members, keep };
  const tables = remember((kind: FactKind) => openFacts(kind, opened));
  const once = newMadeOnce();
  const segment: Segment = {
    head,
    decodedBytes: () => decoded,
    keys: lazy(() => Keys.parse(file.json(columnName.keys))),
    starts,
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

/** Returns functions that make values on first use and report their bytes to `keep`. */
function countingMakers(keep: (bytes: number) => void) {
  const counted = <V extends object>(value: V): V => {
    keep(sizeOf(value));
    return value;
  };
  const lazy = <V extends object>(make: () => V): (() => V) => {
    let made: V | undefined;
    return () => (made ??= counted(make()));
  };
  const remember = <K, V extends object>(make: (key: K) => V) => memoize((key: K) => counted(make(key)));
  return { counted, lazy, remember };
}

/** The parts of an opened segment that its fact tables need. */
interface SegmentColumns {
  readonly file: ColumnFile<SegmentHead>;
  readonly lazy: <V extends object>(make: () => V) => () => V;
  readonly starts: () => Column;
  readonly assigned: () => Assigned;
  readonly members: (name: DictionaryName) => readonly number[];
  readonly keep: (bytes: number) => void; // adds to the decoded bytes; negative for a dropped value
}

function openFacts(kind: FactKind, { file, lazy, starts, assigned, members, keep }: SegmentColumns): FactTable {
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

const AGENTS = 16; // agents whose facts a table caches
const LISTED = 48; // bytes of an entry of a list, about

/** Returns about the bytes of a value: a column, a list, or an object that holds columns. */
function sizeOf(value: object): number {
  if ('byteLength' in value) return Number(value.byteLength);
  if (Array.isArray(value)) return LISTED * value.length;
  const columns = Object.values(value).filter((each) => ArrayBuffer.isView(each));
  return columns.reduce((sum, { byteLength }) => sum + byteLength, LISTED);
}

import type { CaseRow, CustomValue, FactKind } from '../cases/case-row.ts';
import { ALL_FACT_KINDS, ROW_VERSION } from '../cases/case-row.ts';
import { type Column, columnFor } from './byte-planes.ts';
import type { FactTable, ListColumn, Segment } from './segment.ts';
import type { DictionaryName, ListAttribute } from './segment-columns.ts';
import { ALL_ATTRIBUTES, ATTRIBUTES, DICTIONARIES, valueDictionary } from './segment-columns.ts';
import { offsetsOf, secondsColumn } from './segment-times.ts';

/** Whole cases column by column, the input of the encoder: an open segment, or new rows. */
export interface CaseTable
  extends Pick<Segment, 'keys' | 'starts' | 'attribute' | 'macroResolves' | 'dictionary' | 'customValues'> {
  readonly head: Pick<Segment['head'], 'start' | 'version'>;
  list(name: ListAttribute): Pick<ListColumn, 'offsets' | 'members'>;
  facts(kind: FactKind): TableFacts;
}

type TableFacts = Pick<FactTable, 'offsets' | 'seconds' | 'agents' | 'groups' | 'values'>;

/** Makes a table of rows, in their order. Its dictionaries are in order of first appearance. */
export function tableOf(rows: readonly CaseRow[]): CaseTable {
  const start = rows.reduce((least, row) => Math.min(least, row.start), Number.POSITIVE_INFINITY);
  const span = rows.reduce((most, row) => Math.max(most, row.end), 0) - start;
  const members = new Map(DICTIONARIES.map((name) => [name, meetMembers<number>()]));
  const customValues = meetMembers<CustomValue>(({ field, value }) => `${field}:${value}`);
  const keys = rows.map(({ key }) => key);
  const starts = secondsColumn(span, rows.length);
  for (const [at, row] of rows.entries()) starts[at] = row.start - start;
  const attributes = new Map(
    ALL_ATTRIBUTES.map((name) => {
      const { index } = members.get(ATTRIBUTES[name])!;
      return [name, columnOf(rows.map((row) => index(row.attributes[name])))];
    }),
  );
  const { index: label } = members.get('labels')!;
  const { index: macro } = members.get('macros')!;
  const lists = {
    labels: listOf(rows.map((row) => row.attributes.labels.map(label))),
    macros: listOf(rows.map((row) => row.attributes.macros.map((applied) => macro(applied.macro)))),
    customValues: listOf(rows.map((row) => row.attributes.customValues.map(customValues.index))),
  };
  const resolves = columnOf(rows.flatMap((row) => row.attributes.macros.map(({ resolve }) => resolve)));
  const facts = new Map(ALL_FACT_KINDS.map((kind) => [kind, factsOf(rows, kind, { start, span }, members)]));
  return {
    head: { start, version: ROW_VERSION },
    keys: () => keys,
    starts: () => starts,
    attribute: (name) => attributes.get(name)!,
    list: (name) => lists[name],
    macroResolves: () => resolves,
    dictionary: (name) => members.get(name)!.members,
    customValues: () => customValues.members,
    facts: (kind) => facts.get(kind)!,
  };
}

/** A dictionary that grows: members in order of first appearance. */
interface GrowingDictionary<T> {
  readonly members: T[];
  readonly index: (member: T | null) => number; // index from 1, of a new member too; 0 for null
}

function meetMembers<T>(keyOf: (member: T) => unknown = (member) => member): GrowingDictionary<T> {
  const indexes = new Map<unknown, number>();
  const members: T[] = [];
  const index = (member: T | null): number => {
    if (member === null) return 0;
    const key = keyOf(member);
    const known = indexes.get(key);
    if (known !== undefined) return known;
    indexes.set(key, members.push(member));
    return members.length;
  };
  return { members, index };
}

function columnOf(values: readonly number[]): Column {
  const column = columnFor(values.reduce((most, value) => Math.max(most, value), 0) + 1, values.length);
  column.set(values);
  return column;
}

function listOf(parts: readonly (readonly number[])[]): Pick<ListColumn, 'offsets' | 'members'> {
  const members = columnOf(parts.flat());
  const counts = Int32Array.from(parts, ({ length }) => length);
  return { offsets: offsetsOf(counts, parts.length, members.length), members: () => members };
}

function factsOf(
  rows: readonly CaseRow[],
  kind: FactKind,
  { start, span }: { readonly start: number; readonly span: number },
  members: ReadonlyMap<DictionaryName, GrowingDictionary<number>>,
): TableFacts {
  const counts = Int32Array.from(rows, (row) => row.facts[kind].length);
  const count = counts.reduce((sum, each) => sum + each, 0);
  const offsets = offsetsOf(counts, rows.length, count);
  const dictionary = valueDictionary(kind);
  const { index: agentIndex } = members.get('agents')!;
  const { index: groupIndex } = members.get('groups')!;
  const valueIndex = dictionary === undefined ? (value: number) => value : members.get(dictionary)!.index;
  const seconds = secondsColumn(span, count);
  const agents = new Int32Array(count);
  const groups = new Int32Array(count);
  const values: number[] = [];
  for (const row of rows) {
    for (const { second, agent, group, value } of row.facts[kind]) {
      const at = values.push(valueIndex(value)) - 1;
      seconds[at] = second - start;
      agents[at] = agentIndex(agent);
      groups[at] = groupIndex(group);
    }
  }
  const valueColumn = columnOf(values);
  return {
    offsets: () => offsets,
    seconds: () => seconds,
    agents: () => agents,
    groups: () => groups,
    values: () => valueColumn,
  };
}

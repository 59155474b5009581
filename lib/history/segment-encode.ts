import { byCodePoint } from '../text.ts';
import { groupGuesses, toCode } from './actors.ts';
import type { Attributes, CaseRow, CustomValue, FactKind } from './case-row.ts';
import { ALL_FACT_KINDS } from './case-row.ts';
import { writeColumnFile } from './column-file.ts';
import type { SegmentHead } from './segment.ts';
import type { DictionaryName } from './segment-columns.ts';
import { ALL_ATTRIBUTES, ATTRIBUTES, columnName, DICTIONARIES, LISTS, valueDictionary } from './segment-columns.ts';

/** The order of the rows in a segment: by first fact, then by key. */
export function compareRows(a: CaseRow, b: CaseRow): number {
  return a.start - b.start || byCodePoint(a.key, b.key);
}

/** The head of the segment that holds these rows. */
export function segmentHead(rows: readonly CaseRow[]): SegmentHead {
  let facts = 0;
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const row of rows) {
    for (const kind of ALL_FACT_KINDS) facts += row.facts[kind].length;
    start = Math.min(start, row.start);
    end = Math.max(end, row.end);
  }
  return { kind: 'cases', rows: rows.length, facts, start: rows.length === 0 ? 0 : start, end };
}

/** The bytes of a segment: a pure function of the set of rows, in whatever order they come. */
export function encodeSegment(unordered: readonly CaseRow[]): Uint8Array {
  const rows = [...unordered].sort(compareRows);
  const head = segmentHead(rows);
  const members = memberIndices(rows);
  const custom = customIndices(rows);
  const numbers: Record<string, number[]> = {};
  const column = (name: string): number[] => (numbers[name] ??= []);

  let last = head.start;
  for (const row of rows) {
    column(columnName.start).push(row.start - last);
    last = row.start;
  }
  for (const name of ALL_ATTRIBUTES) {
    const index = members[ATTRIBUTES[name]];
    numbers[columnName.attribute(name)] = rows.map(({ attributes }) => indexOf(index, attributes[name]));
  }
  const lists = {
    labels: ({ labels }: Attributes) => labels.map((label) => indexOf(members.labels, label)),
    macros: ({ macros }: Attributes) => macros.map(({ macro }) => indexOf(members.macros, macro)),
    customValues: ({ customValues }: Attributes) => customValues.map((value) => custom.index(value)),
  };
  for (const name of LISTS) {
    const parts = rows.map(({ attributes }) => lists[name](attributes));
    numbers[columnName.list(name)] = parts.flat();
    numbers[columnName.listCount(name)] = countsOf(parts);
  }
  numbers[columnName.macroResolves] = rows.flatMap(({ attributes }) => attributes.macros.map(({ resolve }) => resolve));
  for (const kind of ALL_FACT_KINDS) Object.assign(numbers, factColumns(kind, rows, members));

  const json: Record<string, unknown> = { [columnName.keys]: rows.map(({ key }) => key) };
  for (const name of DICTIONARIES) {
    if (members[name].size > 0) json[columnName.dictionary(name)] = [...members[name].keys()];
  }
  if (custom.values.length > 0) json[columnName.dictionary('customValues')] = custom.values;
  return writeColumnFile(head, numbers, json);
}

type Index = ReadonlyMap<number, number>; // member → index from 1, in rising order of members

const indexOf = (index: Index, member: number | null): number => (member === null ? 0 : index.get(member)!);

/** Counts a row; none at all where every row has none. */
const countsOf = (parts: readonly (readonly unknown[])[]): number[] =>
  parts.some((part) => part.length > 0) ? parts.map((part) => part.length) : [];

function factColumns(kind: FactKind, rows: readonly CaseRow[], members: Record<DictionaryName, Index>) {
  const delta: number[] = [];
  const agent: number[] = [];
  const group: number[] = [];
  const value: number[] = [];
  const dictionary = valueDictionary(kind);
  const guesses = groupGuesses(members.agents.size);
  for (const row of rows) {
    let last = row.start;
    const assignedAgent = indexOf(members.agents, row.attributes.agent);
    const assignedGroup = indexOf(members.groups, row.attributes.group);
    for (const fact of row.facts[kind]) {
      delta.push(fact.second - last);
      last = fact.second;
      const acting = indexOf(members.agents, fact.agent);
      agent.push(toCode(acting, assignedAgent));
      const actingIn = indexOf(members.groups, fact.group);
      group.push(toCode(actingIn, acting === assignedAgent ? assignedGroup : guesses[acting]!));
      guesses[acting] = actingIn;
      value.push(dictionary === undefined ? fact.value : indexOf(members[dictionary], fact.value));
    }
  }
  return {
    [columnName.factCount(kind)]: countsOf(rows.map((row) => row.facts[kind])),
    [columnName.factDelta(kind)]: delta,
    [columnName.factAgent(kind)]: agent,
    [columnName.factGroup(kind)]: group,
    [columnName.factValue(kind)]: value,
  };
}

function memberIndices(rows: readonly CaseRow[]): Record<DictionaryName, Index> {
  const met: Record<DictionaryName, Set<number>> = {
    channels: new Set(),
    agents: new Set(),
    groups: new Set(),
    priorities: new Set(),
    companies: new Set(),
    scores: new Set(),
    labels: new Set(),
    macros: new Set(),
  };
  const meet = (name: DictionaryName, member: number | null): void => {
    if (member !== null) met[name].add(member);
  };
  for (const { attributes, facts } of rows) {
    for (const name of ALL_ATTRIBUTES) meet(ATTRIBUTES[name], attributes[name]);
    for (const label of attributes.labels) meet('labels', label);
    for (const { macro } of attributes.macros) meet('macros', macro);
    for (const kind of ALL_FACT_KINDS) {
      const dictionary = valueDictionary(kind);
      for (const fact of facts[kind]) {
        meet('agents', fact.agent);
        meet('groups', fact.group);
        if (dictionary !== undefined) meet(dictionary, fact.value);
      }
    }
  }
  const rising = (set: ReadonlySet<number>): Index =>
    new Map([...set].sort((a, b) => a - b).map((member, index) => [member, index + 1]));
  return {
    channels: rising(met.channels),
    agents: rising(met.agents),
    groups: rising(met.groups),
    priorities: rising(met.priorities),
    companies: rising(met.companies),
    scores: rising(met.scores),
    labels: rising(met.labels),
    macros: rising(met.macros),
  };
}

function customIndices(rows: readonly CaseRow[]) {
  const met = new Map<string, CustomValue>();
  const nameOf = ({ field, value }: CustomValue): string => `${field}:${value}`;
  for (const { attributes } of rows) for (const value of attributes.customValues) met.set(nameOf(value), value);
  const ordered = [...met].sort(([, a], [, b]) => a.field - b.field || byCodePoint(a.value, b.value));
  const index = new Map(ordered.map(([name], at) => [name, at + 1]));
  return {
    values: ordered.map(([, { field, value }]) => [field, value]),
    index: (value: CustomValue): number => index.get(nameOf(value))!,
  };
}

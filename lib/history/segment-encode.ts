import { byCodePoint } from '../text.ts';
import { type Assigned, encodeActors } from './actors.ts';
import type { Column } from './byte-planes.ts';
import type { CaseRow, CustomValue, FactKind } from './case-row.ts';
import { ALL_FACT_KINDS } from './case-row.ts';
import { type FactColumns, tableOf } from './case-table.ts';
import { writeColumnFile } from './column-file.ts';
import {
  copyDeltas,
  copyValues,
  countAll,
  countValues,
  type Gathering,
  gather,
  lastSecond,
  type Merged,
  mergeMembers,
  type Part,
  type Picked,
} from './gathering.ts';
import type { SegmentHead } from './segment.ts';
import type { Attribute, DictionaryName, ListAttribute } from './segment-columns.ts';
import { ALL_ATTRIBUTES, ATTRIBUTES, columnName, DICTIONARIES, LISTS, valueDictionary } from './segment-columns.ts';

/** The bytes of a segment: a pure function of the set of rows, in whatever order they come. */
export const encodeSegment = (rows: readonly CaseRow[]): Uint8Array =>
  encodePicked([{ table: tableOf(rows), rows: rows.keys() }]);

/** The same for rows that are columns already: they are copied range by range, and no row becomes an object. */
export function encodePicked(picked: readonly Picked[]): Uint8Array {
  const gathering = gather(picked);
  const { keys, starts } = gathering;
  const facts = factsOf(gathering);
  const members = mergeDictionaries(gathering, facts);
  const customValues = mergeCustomValues(gathering);
  const numbers: Record<string, Column> = {
    [columnName.start]: Float64Array.from(starts, (start, row) => start - starts[Math.max(0, row - 1)]!),
  };
  for (const name of ALL_ATTRIBUTES) {
    const { indices } = members(ATTRIBUTES[name]);
    numbers[columnName.attribute(name)] = copyValues(gathering, attributeParts(gathering, name), indices);
  }
  const lists = { labels: members('labels'), macros: members('macros'), customValues };
  for (const name of LISTS) {
    const parts = listParts(gathering, name);
    numbers[columnName.list(name)] = copyValues(gathering, parts, lists[name].indices);
    numbers[columnName.listCount(name)] = countsOrNone(countValues(gathering, parts));
  }
  numbers[columnName.macroResolves] = copyValues(gathering, resolveParts(gathering));
  const assigned = { agents: numbers[columnName.attribute('agent')]!, groups: numbers[columnName.attribute('group')]! };
  for (const kind of ALL_FACT_KINDS) {
    Object.assign(numbers, factColumns(gathering, kind, facts(kind), members, assigned));
  }

  const json: Record<string, unknown> = { [columnName.keys]: keys };
  for (const name of DICTIONARIES) {
    if (members(name).members.length > 0) json[columnName.dictionary(name)] = members(name).members;
  }
  const values = customValues.members.map(({ field, value }) => [field, value]);
  if (values.length > 0) json[columnName.dictionary('customValues')] = values;
  return writeColumnFile(headOf(gathering, facts), numbers, json);
}

type Facts = (kind: FactKind) => readonly FactColumns[]; // of each table

function factsOf({ tables }: Gathering): Facts {
  const facts = new Map(ALL_FACT_KINDS.map((kind) => [kind, tables.map((table) => table.facts(kind))]));
  return (kind) => facts.get(kind)!;
}

const attributeParts = ({ tables }: Gathering, name: Attribute): Part[] =>
  tables.map((table) => ({ values: table.attribute(name) }));

function listParts({ tables }: Gathering, name: ListAttribute): Part[] {
  const lists = tables.map((table) => table.list(name));
  return lists.map((list) => ({ values: list.members(), offsets: list.offsets }));
}

const resolveParts = ({ tables }: Gathering): Part[] =>
  tables.map((table) => ({ values: table.macroResolves(), offsets: table.list('macros').offsets }));

const factParts = (facts: readonly FactColumns[], name: 'seconds' | 'agents' | 'groups' | 'values'): Part[] =>
  facts.map((table) => ({ values: table[name](), offsets: table.offsets() }));

/** Counts of rows; none at all where every row has none. */
const countsOrNone = (counts: Int32Array): Int32Array =>
  counts.some((count) => count > 0) ? counts : counts.slice(0, 0);

function headOf(gathering: Gathering, facts: Facts): SegmentHead {
  const { starts } = gathering;
  let count = 0;
  let end = starts.at(-1) ?? 0;
  for (const kind of ALL_FACT_KINDS) {
    const seconds = factParts(facts(kind), 'seconds');
    count += countAll(gathering, seconds);
    const lengths = kind === 'handle' ? facts(kind).map((table) => table.values()) : undefined;
    end = lastSecond(gathering, seconds, lengths, end);
  }
  return { kind: 'cases', rows: starts.length, facts: count, start: starts[0] ?? 0, end };
}

function factColumns(
  gathering: Gathering,
  kind: FactKind,
  facts: readonly FactColumns[],
  members: Members,
  assigned: Assigned,
): Record<string, Column> {
  const seconds = factParts(facts, 'seconds');
  const counts = countValues(gathering, seconds);
  const agents = copyValues(gathering, factParts(facts, 'agents'), members('agents').indices);
  const groups = copyValues(gathering, factParts(facts, 'groups'), members('groups').indices);
  encodeActors(agents, groups, counts, assigned, members('agents').members.length);
  const dictionary = valueDictionary(kind);
  const indices = dictionary && members(dictionary).indices;
  return {
    [columnName.factCount(kind)]: countsOrNone(counts),
    [columnName.factDelta(kind)]: copyDeltas(gathering, seconds),
    [columnName.factAgent(kind)]: agents,
    [columnName.factGroup(kind)]: groups,
    [columnName.factValue(kind)]: copyValues(gathering, factParts(facts, 'values'), indices),
  };
}

type Members = (name: DictionaryName) => Merged<number>;

function mergeDictionaries(gathering: Gathering, facts: Facts): Members {
  const merge = (name: DictionaryName): Merged<number> => {
    const columns: Part[][] = ALL_ATTRIBUTES.filter((attribute) => ATTRIBUTES[attribute] === name).map((attribute) =>
      attributeParts(gathering, attribute),
    );
    if (name === 'labels' || name === 'macros') columns.push(listParts(gathering, name));
    for (const kind of ALL_FACT_KINDS) {
      if (name === 'agents' || name === 'groups') columns.push(factParts(facts(kind), name));
      else if (name === valueDictionary(kind)) columns.push(factParts(facts(kind), 'values'));
    }
    const dictionaries = gathering.tables.map((table) => table.dictionary(name));
    return mergeMembers(gathering, dictionaries, columns, { keyOf: (member) => member, compare: (a, b) => a - b });
  };
  const merged = new Map(DICTIONARIES.map((name) => [name, merge(name)]));
  return (name) => merged.get(name)!;
}

function mergeCustomValues(gathering: Gathering): Merged<CustomValue> {
  const dictionaries = gathering.tables.map((table) => table.customValues());
  return mergeMembers(gathering, dictionaries, [listParts(gathering, 'customValues')], {
    keyOf: ({ field, value }) => `${field}:${value}`,
    compare: (a, b) => a.field - b.field || byCodePoint(a.value, b.value),
  });
}

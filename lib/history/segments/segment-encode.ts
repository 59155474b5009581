import { byCodePoint } from '../../text.ts';
import type { CaseRow, CustomValue, FactKind } from '../cases/case-row.ts';
import { ALL_FACT_KINDS, ROW_VERSION } from '../cases/case-row.ts';
import { type Assigned, encodeActors } from './actors.ts';
import type { Column } from './byte-planes.ts';
import { tableOf } from './case-table.ts';
import { writeColumnFile } from './column-file.ts';
import { type MergedMembers, mergeMembers } from './merged-members.ts';
import {
  copyDeltas,
  copyValues,
  countValues,
  lastSecond,
  type MergedRows,
  mergeRows,
  type PickedTableRows,
  rangesOf,
  type SourceColumn,
} from './merged-rows.ts';
import type { SegmentHead } from './segment.ts';
import type { Attribute, DictionaryName, ListAttribute } from './segment-columns.ts';
import { ALL_ATTRIBUTES, ATTRIBUTES, columnName, DICTIONARIES, LISTS, valueDictionary } from './segment-columns.ts';

/** Encodes a segment; the same set of rows, in any order, gives the same bytes. */
export const encodeSegment = (rows: readonly CaseRow[]): Uint8Array =>
  encodePicked([{ table: tableOf(rows), rows: rows.keys() }]);

/** Encodes a segment from rows that are columns already: ranges are copied, and no row becomes an object. */
export function encodePicked(picked: readonly PickedTableRows[]): Uint8Array {
  const merged = mergeRows(picked);
  const columns = columnsOf(merged);
  const { attributes, lists, resolves, facts } = columns;
  const { keys, starts } = merged;
  const members = mergeDictionaries(merged, columns);
  const customValues = mergeCustomValues(merged, columns);
  const numbers: Record<string, Column> = {
    [columnName.start]: Float64Array.from(starts, (start, row) => start - starts[Math.max(0, row - 1)]!),
  };
  for (const name of ALL_ATTRIBUTES) {
    numbers[columnName.attribute(name)] = copyValues(attributes[name], members(ATTRIBUTES[name]).indices);
  }
  const listed = { labels: members('labels'), macros: members('macros'), customValues };
  for (const name of LISTS) {
    numbers[columnName.list(name)] = copyValues(lists[name], listed[name].indices);
    numbers[columnName.listCount(name)] = countsOrNone(lists[name].counts);
  }
  numbers[columnName.macroResolves] = copyValues(resolves);
  const assigned = { agents: numbers[columnName.attribute('agent')]!, groups: numbers[columnName.attribute('group')]! };
  for (const kind of ALL_FACT_KINDS) {
    Object.assign(numbers, encodeFacts(merged, kind, facts(kind), { members, assigned }));
  }

  const json: Record<string, unknown> = { [columnName.keys]: keys };
  for (const name of DICTIONARIES) {
    if (members(name).members.length > 0) json[columnName.dictionary(name)] = members(name).members;
  }
  const values = customValues.members.map(({ field, value }) => [field, value]);
  if (values.length > 0) json[columnName.dictionary('customValues')] = values;
  return writeColumnFile(headOf(merged, columns), numbers, json);
}

/** All columns of gathered rows; their indices still point into each table's own dictionaries. */
interface CaseColumns {
  readonly attributes: Readonly<Record<Attribute, SourceColumn>>;
  readonly lists: Readonly<Record<ListAttribute, CountedColumn>>;
  readonly resolves: SourceColumn; // one for each entry of the list of macros
  readonly facts: (kind: FactKind) => FactColumns;
}

interface CountedColumn extends SourceColumn {
  readonly counts: Int32Array; // by row
}

interface FactColumns {
  readonly counts: Int32Array; // by row
  readonly seconds: SourceColumn;
  readonly agents: SourceColumn;
  readonly groups: SourceColumn;
  readonly values: SourceColumn;
}

function columnsOf(merged: MergedRows): CaseColumns {
  const { tables, rows } = merged;
  const attribute = (name: Attribute): SourceColumn => ({
    ranges: rows,
    values: tables.map((table) => table.attribute(name)),
  });
  const list = (name: ListAttribute): CountedColumn => {
    const lists = tables.map((table) => table.list(name));
    const offsets = lists.map((each) => each.offsets);
    const values = lists.map((each) => each.members());
    return { values, ranges: rangesOf(merged, offsets), counts: countValues(merged, offsets) };
  };
  const macros = list('macros');
  const facts = new Map(ALL_FACT_KINDS.map((kind) => [kind, factColumnsOf(merged, kind)]));
  return {
    attributes: {
      channel: attribute('channel'),
      agent: attribute('agent'),
      group: attribute('group'),
      priority: attribute('priority'),
      company: attribute('company'),
      score: attribute('score'),
      status: attribute('status'),
    },
    lists: { labels: list('labels'), macros, customValues: list('customValues') },
    resolves: { ranges: macros.ranges, values: tables.map((table) => table.macroResolves()) },
    facts: (kind) => facts.get(kind)!,
  };
}

function factColumnsOf(merged: MergedRows, kind: FactKind): FactColumns {
  const facts = merged.tables.map((table) => table.facts(kind));
  const offsets = facts.map((table) => table.offsets());
  const ranges = rangesOf(merged, offsets);
  return {
    counts: countValues(merged, offsets),
    seconds: { ranges, values: facts.map((table) => table.seconds()) },
    agents: { ranges, values: facts.map((table) => table.agents()) },
    groups: { ranges, values: facts.map((table) => table.groups()) },
    values: { ranges, values: facts.map((table) => table.values()) },
  };
}

/** Returns the counts; an empty column, which is not written, if all counts are 0. */
const countsOrNone = (counts: Int32Array): Int32Array =>
  counts.some((count) => count > 0) ? counts : counts.slice(0, 0);

function headOf(merged: MergedRows, { facts }: CaseColumns): SegmentHead {
  const { starts } = merged;
  let count = 0;
  let end = starts.at(-1) ?? 0;
  for (const kind of ALL_FACT_KINDS) {
    const { seconds, values } = facts(kind);
    count += seconds.ranges.count;
    end = lastSecond(merged, seconds, kind === 'handle' ? values.values : undefined, end);
  }
  const version = merged.tables.reduce((least, { head }) => Math.min(least, head.version), ROW_VERSION);
  return { kind: 'cases', rows: starts.length, facts: count, start: starts[0] ?? 0, end, version };
}

function encodeFacts(
  merged: MergedRows,
  kind: FactKind,
  facts: FactColumns,
  { members, assigned }: { readonly members: Members; readonly assigned: Assigned },
): Record<string, Column> {
  const { counts, seconds, values } = facts;
  const agents = copyValues(facts.agents, members('agents').indices);
  const groups = copyValues(facts.groups, members('groups').indices);
  encodeActors({ agents, groups }, counts, assigned, members('agents').members.length);
  const dictionary = valueDictionary(kind);
  return {
    [columnName.factCount(kind)]: countsOrNone(counts),
    [columnName.factDelta(kind)]: copyDeltas(merged, seconds, counts),
    [columnName.factAgent(kind)]: agents,
    [columnName.factGroup(kind)]: groups,
    [columnName.factValue(kind)]: copyValues(values, dictionary && members(dictionary).indices),
  };
}

type Members = (name: DictionaryName) => MergedMembers<number>;

function mergeDictionaries({ tables }: MergedRows, { attributes, lists, facts }: CaseColumns): Members {
  const indexing = (name: DictionaryName): SourceColumn[] => {
    const columns = ALL_ATTRIBUTES.filter((each) => ATTRIBUTES[each] === name).map((each) => attributes[each]);
    if (name === 'labels' || name === 'macros') columns.push(lists[name]);
    for (const kind of ALL_FACT_KINDS) {
      if (name === 'agents' || name === 'groups') columns.push(facts(kind)[name]);
      else if (name === valueDictionary(kind)) columns.push(facts(kind).values);
    }
    return columns;
  };
  const order = { keyOf: (member: number) => member, compare: (a: number, b: number) => a - b };
  const merged = new Map(
    DICTIONARIES.map((name) => {
      const dictionaries = tables.map((table) => table.dictionary(name));
      return [name, mergeMembers(dictionaries, indexing(name), order)];
    }),
  );
  return (name) => merged.get(name)!;
}

function mergeCustomValues({ tables }: MergedRows, { lists }: CaseColumns): MergedMembers<CustomValue> {
  const dictionaries = tables.map((table) => table.customValues());
  return mergeMembers(dictionaries, [lists.customValues], {
    keyOf: ({ field, value }) => `${field}:${value}`,
    compare: (a, b) => a.field - b.field || byCodePoint(a.value, b.value),
  });
}

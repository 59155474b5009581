import type { CaseRow, Fact } from '../cases/case-row.ts';
import { ALL_FACT_KINDS, extentOf, noFacts } from '../cases/case-row.ts';
import type { Column } from './byte-planes.ts';
import type { Segment } from './segment.ts';
import type { Attribute } from './segment-columns.ts';
import { ATTRIBUTES, valueDictionary } from './segment-columns.ts';

/** Reads single rows of a segment, so that a caller need not hold all of them as objects. */
export function rowReader(segment: Segment): (row: number) => CaseRow {
  const factsOf = factReader(segment);
  const attributesOf = attributeReader(segment);
  const keys = segment.keys();
  const starts = segment.starts();
  return (row) => {
    const facts = factsOf(row);
    const start = segment.head.start + starts[row]!;
    return { key: keys[row]!, start, end: extentOf(facts, start).end, attributes: attributesOf(row), facts };
  };
}

const memberOf = (dictionary: readonly number[], index: number): number | null =>
  index === 0 ? null : dictionary[index - 1]!;

const part = (column: Column, offsets: Column, row: number): number[] =>
  Array.from(column.subarray(offsets[row]!, offsets[row + 1]!));

function factReader(segment: Segment): (row: number) => CaseRow['facts'] {
  const agentIds = segment.dictionary('agents');
  const groupIds = segment.dictionary('groups');
  const readers = ALL_FACT_KINDS.map((kind) => {
    const table = segment.facts(kind);
    const [seconds, agents, groups, values] = [table.seconds(), table.agents(), table.groups(), table.values()];
    const offsets = table.offsets();
    const dictionary = valueDictionary(kind);
    const ids = dictionary === undefined ? undefined : segment.dictionary(dictionary);
    const read = (row: number, into: Fact[]): void => {
      for (let i = offsets[row]!; i < offsets[row + 1]!; i += 1) {
        into.push({
          second: segment.head.start + seconds[i]!,
          agent: memberOf(agentIds, agents[i]!),
          group: memberOf(groupIds, groups[i]!),
          value: ids === undefined ? values[i]! : ids[values[i]! - 1]!,
        });
      }
    };
    return { kind, read };
  });
  return (row) => {
    const facts = noFacts();
    for (const { kind, read } of readers) read(row, facts[kind]);
    return facts;
  };
}

function attributeReader(segment: Segment): (row: number) => CaseRow['attributes'] {
  const single = (name: Attribute): ((row: number) => number | null) => {
    const column = segment.attribute(name);
    const ids = segment.dictionary(ATTRIBUTES[name]);
    return (row) => memberOf(ids, column[row]!);
  };
  const channel = single('channel');
  const agent = single('agent');
  const group = single('group');
  const priority = single('priority');
  const company = single('company');
  const score = single('score');
  const status = single('status');
  const [labels, macros, customValues] = [segment.list('labels'), segment.list('macros'), segment.list('customValues')];
  const [labelIds, macroIds, values] = [
    segment.dictionary('labels'),
    segment.dictionary('macros'),
    segment.customValues(),
  ];
  return (row) => {
    const resolves = part(segment.macroResolves(), macros.offsets, row);
    return {
      channel: channel(row),
      agent: agent(row),
      group: group(row),
      priority: priority(row),
      company: company(row),
      score: score(row),
      status: status(row) ?? 0,
      labels: part(labels.members(), labels.offsets, row).map((index) => labelIds[index - 1]!),
      macros: part(macros.members(), macros.offsets, row).map((index, at) => ({
        macro: macroIds[index - 1]!,
        resolve: resolves[at]!,
      })),
      customValues: part(customValues.members(), customValues.offsets, row).map((index) => values[index - 1]!),
    };
  };
}

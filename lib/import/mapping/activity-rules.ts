import type { MemberKind } from '../../access/member-id.ts';
import type { Assignee, CaseEvent } from '../../history/cases/event.ts';
import { Rejection } from '../../json-readers.ts';
import { CASE_STATUSES, type Telling } from '../../vocabulary.ts';
import { ImportFault } from '../formats/import-fault.ts';
import type { Actor, FieldDefinition } from './attributes.ts';
import {
  type Columns,
  conditionReader,
  memberListReader,
  memberReader,
  numberReader,
  type Read,
  sourceLabel,
  timeCellReader,
  valueReader,
  wordReader,
} from './columns.ts';
import type { RuleSpec } from './mapping-rules.ts';
import type { MemberSpec, ValueSpec } from './mapping-values.ts';
import { changesTell, directionsTell, type Has, type ValueSource } from './told-values.ts';

/** Makes a rule's event, once the rows of the case are sorted and the row has an id. */
export type EventMaker = (base: Pick<CaseEvent, 'id' | 'at' | 'case'>, actor: Actor) => CaseEvent;

type RuleType = RuleSpec['type'];
type RuleOf<T extends RuleType> = Extract<RuleSpec, { type: T }>;
type Rules = {
  readonly [T in RuleType]: (
    columns: Columns,
    rule: RuleOf<T>,
    definitions: readonly FieldDefinition[],
  ) => Read<EventMaker | null>;
};

/**
 * One entry for each type of event that an activity can become. An empty cell makes no event; a constant null clears.
 */
const RULES: Rules = {
  'case.status': (columns, rule) =>
    withValue(wordReader(columns, rule.to, 'to', CASE_STATUSES), (to) => (base, actor) => ({
      type: 'case.status',
      ...base,
      ...actor,
      to,
    })),
  'case.assigned': (columns, rule) => {
    const agent = memberReader(columns, 'agent', rule.agent);
    const group = memberReader(columns, 'group', rule.group);
    return (cells) => {
      const to = { ...assigned('agent', rule.agent, agent(cells)), ...assigned('group', rule.group, group(cells)) };
      if (Object.keys(to).length === 0) return null;
      return (base) => ({ type: 'case.assigned', ...base, to });
    };
  },
  'case.priority': (columns, rule) =>
    withNullable(
      rule.priority,
      numberReader(columns, rule.priority, 'priority', [1, 10]),
      (priority) => (base, actor) => ({
        type: 'case.priority',
        ...base,
        ...actor,
        priority,
      }),
    ),
  'case.company': (columns, rule) =>
    withNullable(rule.company, memberReader(columns, 'company', rule.company), (company) => (base, actor) => ({
      type: 'case.company',
      ...base,
      ...actor,
      company,
    })),
  'case.labels': (columns, rule) => {
    const { set, add, remove } = rule;
    const reads = { set: listReader(columns, 'label', set), add: listReader(columns, 'label', add) };
    const removed = listReader(columns, 'label', remove);
    return (cells) => {
      const labels = set
        ? { set: reads.set(cells) }
        : { ...(add && { add: reads.add(cells) }), ...(remove && { remove: removed(cells) }) };
      return (base, actor) => ({ type: 'case.labels', ...base, ...actor, ...labels });
    };
  },
  'case.custom_field': (columns, rule, definitions) => {
    if (typeof rule.field === 'object') return anyCustomField(columns, rule.field, rule.value);
    const definition = definitions.find(({ name }) => name === rule.field);
    if (definition === undefined) {
      throw new ImportFault(
        `The mapping sets the custom field "${rule.field}", which its created.custom_fields does not have: add it there.`,
      );
    }
    const { id: field, meet } = definition;
    return withNullable(rule.value, valueReader(columns, rule.value), (value) => {
      if (value !== null) meet(value);
      return (base, actor) => ({ type: 'case.custom_field', ...base, ...actor, field, value });
    });
  },
  'case.handled': (columns, rule) => {
    const fromOf = timeCellReader(columns, rule.from);
    const toOf = timeCellReader(columns, rule.to);
    return (cells) => {
      const from = fromOf(cells);
      const to = toOf(cells);
      if (from === null || to === null) return null;
      if (to < from) throw new Rejection(`${sourceLabel(rule.to)} is before ${sourceLabel(rule.from)}`);
      return (base, actor) => ({ type: 'case.handled', ...base, ...actor, from, to });
    };
  },
  'macro.applied': (columns, rule) =>
    withValue(memberReader(columns, 'macro', rule.macro), (macro) => (base, actor) => ({
      type: 'macro.applied',
      ...base,
      ...actor,
      macro,
    })),
  'csat.rated': (columns, rule) =>
    withNullable(rule.score, numberReader(columns, rule.score, 'score', [0, 4]), (score) => (base, actor) => ({
      type: 'csat.rated',
      ...base,
      ...actor,
      score,
    })),
  interaction: (columns, rule) =>
    withValue(
      wordReader(columns, rule.direction, 'direction', ['inbound', 'outbound']),
      (direction) => (base, actor) => ({
        type: 'interaction',
        ...base,
        ...(direction === 'inbound' ? {} : actor),
        direction,
      }),
    ),
  note: plain('note'),
  'case.viewed': plain('case.viewed'),
  'case.deleted': plain('case.deleted'),
};

/** What the events of a rule tell; one whose columns a file lacks tells nothing. */
export function ruleTells(rule: RuleSpec, has: Has): readonly Telling[] {
  const isThere = (...specs: readonly (ValueSource | undefined)[]): boolean => specs.some(has);
  switch (rule.type) {
    case 'case.status':
      return isThere(rule.to) ? changesTell(rule.to) : [];
    case 'case.labels':
      return [rule.add, rule.remove, rule.set].some((list) => isThere(...(list ?? []))) ? ['labels'] : [];
    case 'case.handled':
      return has(rule.from) && has(rule.to) ? ['handling'] : [];
    case 'csat.rated':
      return isThere(rule.score) ? ['ratings'] : [];
    case 'interaction':
      return isThere(rule.direction) ? directionsTell(rule.direction) : [];
    case 'note':
      return ['notes'];
    default:
      return [];
  }
}

/** Compiles a rule; throws `ImportFault` if it names an unknown column or field. */
export function ruleReader(
  columns: Columns,
  rule: RuleSpec,
  definitions: readonly FieldDefinition[],
): Read<EventMaker | null> {
  const compile = <T extends RuleType>(type: T, spec: RuleOf<T>) => RULES[type](columns, spec, definitions);
  const makerAlways = compile(rule.type, rule);
  const holds = conditionReader(columns, rule.when);
  const makerOf: typeof makerAlways =
    rule.when === undefined ? makerAlways : (cells) => (holds(cells) ? makerAlways(cells) : null);
  if (rule.at === undefined) return makerOf;
  const timeOf = timeCellReader(columns, rule.at);
  return (cells) => {
    const at = timeOf(cells);
    const make = at === null ? null : makerOf(cells);
    return make && at !== null ? (base, actor) => make({ ...base, at }, actor) : null;
  };
}

/** Reads a custom field whose name or id is in a column. */
function anyCustomField(columns: Columns, field: MemberSpec, value: ValueSpec): Read<EventMaker | null> {
  const fieldOf = memberReader(columns, 'custom_field', field);
  const read = valueReader(columns, value);
  return (cells) => {
    const id = fieldOf(cells);
    if (id === null) return null;
    const text = read(cells);
    return (base, actor) => ({ type: 'case.custom_field', ...base, ...actor, field: id, value: text });
  };
}

function plain(type: 'note' | 'case.viewed' | 'case.deleted'): () => Read<EventMaker> {
  return () => () => (base, actor) => ({ type, ...base, ...actor });
}

function withValue<T>(read: Read<T | null>, make: (value: T) => EventMaker): Read<EventMaker | null> {
  return (cells) => {
    const value = read(cells);
    return value === null ? null : make(value);
  };
}

/** Like `withValue`, but a constant null makes an event that clears the value. */
function withNullable<T>(
  spec: { readonly value?: unknown },
  read: Read<T | null>,
  make: (value: T | null) => EventMaker,
): Read<EventMaker | null> {
  const clears = spec.value === null;
  return (cells) => {
    const value = read(cells);
    return value === null && !clears ? null : make(value);
  };
}

/** Returns one part of the assignee: an empty cell keeps the old one, a constant null removes it. */
function assigned(
  part: 'agent' | 'group',
  spec: { readonly value?: unknown } | undefined,
  id: number | null,
): Assignee {
  return id === null && spec?.value !== null ? {} : { [part]: id };
}

type MemberSpecs = Extract<RuleSpec, { type: 'case.labels' }>['add'];

function listReader(columns: Columns, kind: MemberKind, specs: MemberSpecs): Read<readonly number[]> {
  const reads = (specs ?? []).map((spec) => memberListReader(columns, kind, spec));
  return (cells) => [...new Set(reads.flatMap((read) => read(cells)))].sort((a, b) => a - b);
}

import { memberId } from '../../access/member-id.ts';
import type { CaseEvent, Instant } from '../../history/cases/event.ts';
import { MAX_LIST } from '../../json-readers.ts';
import type { Mutable } from '../../typed-object.ts';
import type { HistoryRecord } from '../records/records.ts';
import {
  booleanReader,
  type Columns,
  memberListReader,
  memberReader,
  numberReader,
  type Read,
  reuseEqual,
  timeCellReader,
  valueReader,
} from './columns.ts';
import type { CreationSpec } from './mapping.ts';
import type { ActorSpec, CustomFieldSpec } from './mapping-values.ts';

/** The attributes of a case in a row. */
export interface RowAttributes {
  readonly channel: number | null;
  readonly priority: number | null;
  readonly company: number | null;
  readonly labels: readonly number[];
  readonly fields: readonly (string | null)[]; // in the order of the mapping's custom fields
}

/** The parts of a mapping from which attributes are read. */
type AttributesSpec = Pick<CreationSpec, 'channel' | 'priority' | 'company' | 'labels' | 'custom_fields'>;

/** A custom field of a mapping; it may collect the values of its column. */
export interface FieldDefinition {
  readonly id: number;
  readonly name: string;
  readonly read: Read<string | null>;
  readonly meet: (value: string) => void; // collects a value that a rule sets
  readonly collects: boolean; // whether it collects values
  readonly record: () => HistoryRecord;
}

export function fieldDefinition(columns: Columns, spec: CustomFieldSpec): FieldDefinition {
  const id = spec.id ?? memberId('custom_field', spec.name);
  const values = valueReader(columns, spec);
  const collected = new Set<string>();
  let last: string | null = null;
  const meet = (value: string) => {
    if (spec.values === true && collected.size < MAX_LIST) collected.add(value);
  };
  return {
    id,
    name: spec.name,
    meet,
    collects: spec.values === true,
    read: (cells) => {
      const value = values(cells);
      if (value !== null && value !== last) meet(value);
      last = value;
      return value;
    },
    record: () => ({
      type: 'custom_field',
      id,
      name: spec.name,
      object: spec.object,
      updated_at: 0,
      ...(spec.values !== undefined && { values: spec.values === true ? [...collected].sort() : spec.values }),
    }),
  };
}

export function attributesReader(
  columns: Columns,
  spec: AttributesSpec,
  definitions: readonly FieldDefinition[],
): Read<RowAttributes> {
  const channel = memberReader(columns, 'channel', spec.channel);
  const priority = numberReader(columns, spec.priority, 'priority', [1, 10]);
  const company = memberReader(columns, 'company', spec.company);
  const labels = memberListReader(columns, 'label', spec.labels);
  const read: Read<RowAttributes> = (cells) => ({
    channel: channel(cells),
    priority: priority(cells),
    company: company(cells),
    labels: labels(cells),
    fields: definitions.map(({ read }) => read(cells)),
  });
  return reuseEqual(read, isLike);
}

/** No attributes at all. */
export const NO_ATTRIBUTES: RowAttributes = { channel: null, priority: null, company: null, labels: [], fields: [] };

function isLike(a: RowAttributes, b: RowAttributes): boolean {
  return (
    a.channel === b.channel &&
    a.priority === b.priority &&
    a.company === b.company &&
    a.labels === b.labels &&
    a.fields.every((value, index) => value === b.fields[index])
  );
}

/** The fields of an event that say who acted. */
export type Actor = Pick<CaseEvent, 'agent' | 'group' | 'automated'>;

const AUTOMATED: Actor = { automated: true };

export function actorReader(columns: Columns, spec: ActorSpec): Read<Actor> {
  const isAutomated = booleanReader(columns, spec.automated, 'automated');
  const actorOf = personReader(columns, spec);
  return (cells) => (isAutomated(cells) ? AUTOMATED : actorOf(cells));
}

/** Reads an agent and a group; returns the same object while they stay the same. */
function personReader(columns: Columns, spec: Pick<ActorSpec, 'agent' | 'group'>): Read<Actor> {
  const agentOf = memberReader(columns, 'agent', spec.agent);
  const groupOf = memberReader(columns, 'group', spec.group);
  const isLike = (a: Actor, b: Actor) => a.agent === b.agent && a.group === b.group;
  return reuseEqual((cells) => person(agentOf(cells), groupOf(cells)), isLike);
}

/** Written as literals: spreading optional keys takes 0.5 µs, a tenth of the time of a row. */
function person(agent: number | null, group: number | null): Actor {
  if (agent === null) return group === null ? {} : { group };
  return group === null ? { agent } : { agent, group };
}

/** When and by whom a case was created; `at` is null if the row does not say it. */
export interface CaseCreation {
  readonly at: Instant | null;
  readonly actor: Actor;
}

export function creationReader(
  columns: Columns,
  spec: Pick<CreationSpec, 'at' | 'agent' | 'group'>,
): Read<CaseCreation> {
  const timeOf = spec.at === undefined ? () => null : timeCellReader(columns, spec.at);
  const actorOf = personReader(columns, spec);
  return (cells) => ({ at: timeOf(cells), actor: actorOf(cells) });
}

interface CreatedCase {
  readonly caseKey: string;
  readonly id: string;
  readonly at: Instant;
  readonly status?: 'resolved' | 'closed' | undefined; // that the case has already; undefined: none
}

/** Makes the event that creates a case, with its attributes. */
export function createdEvent(
  { caseKey, id, at, status }: CreatedCase,
  origin: CaseCreation,
  { channel, priority, company, labels, fields }: RowAttributes,
  definitions: readonly FieldDefinition[],
): CaseEvent {
  const values: Record<string, string> = {};
  for (const [index, { id: field }] of definitions.entries()) {
    const value = fields[index] ?? null;
    if (value !== null) values[field] = value;
  }
  const event: Mutable<Extract<CaseEvent, { type: 'case.created' }>> = {
    type: 'case.created',
    id,
    at: origin.at ?? at,
    case: caseKey,
    ...origin.actor,
  };
  if (status !== undefined) event.status = status;
  if (channel !== null) event.channel = channel;
  if (priority !== null) event.priority = priority;
  if (company !== null) event.company = company;
  if (labels.length > 0) event.labels = labels;
  if (Object.keys(values).length > 0) event.custom_fields = values;
  return event;
}

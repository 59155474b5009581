import type { CaseEvent, Instant } from '../event.ts';
import { MAX_LIST } from '../fields.ts';
import type { HistoryRecord } from '../records.ts';
import {
  type Columns,
  memberListReader,
  memberReader,
  numberReader,
  type Read,
  timeCellReader,
  truthReader,
  valueReader,
} from './columns.ts';
import type { ActorSpec, CreationSpec, CustomFieldSpec } from './mapping.ts';
import { memberId } from './members.ts';

/** What a case has, as a row says it. */
export interface Attributes {
  readonly channel: number | null;
  readonly priority: number | null;
  readonly company: number | null;
  readonly labels: readonly number[];
  readonly fields: readonly (string | null)[]; // in the order of the mapping's custom fields
}

/** What of the mapping an `Attributes` is read from. */
type AttributesSpec = Pick<CreationSpec, 'channel' | 'priority' | 'company' | 'labels' | 'custom_fields'>;

/** A custom field of a mapping, with the values that its column has held where they are to be collected. */
export interface FieldDefinition {
  readonly id: number;
  readonly name: string;
  readonly read: Read<string | null>;
  readonly meet: (value: string) => void; // a value that a rule gives, to be collected too
  readonly record: () => HistoryRecord;
}

export function fieldDefinition(columns: Columns, spec: CustomFieldSpec): FieldDefinition {
  const id = spec.id ?? memberId('custom_field', spec.name);
  const values = valueReader(columns, spec);
  const collected = new Set<string>();
  const meet = (value: string) => {
    if (spec.values === true && collected.size < MAX_LIST) collected.add(value);
  };
  return {
    id,
    name: spec.name,
    meet,
    read: (cells) => {
      const value = values(cells);
      if (value !== null) meet(value);
      return value;
    },
    record: () => ({
      type: 'custom_field',
      id,
      name: spec.name,
      object: spec.object,
      updated_at: 0,
      ...(spec.values === undefined ? {} : { values: spec.values === true ? [...collected].sort() : spec.values }),
    }),
  };
}

export function attributesReader(
  columns: Columns,
  spec: AttributesSpec,
  definitions: readonly FieldDefinition[],
): Read<Attributes> {
  const channel = memberReader(columns, 'channel', spec.channel);
  const priority = numberReader(columns, spec.priority, 'priority', 1, 10);
  const company = memberReader(columns, 'company', spec.company);
  const labels = memberListReader(columns, 'label', spec.labels);
  return (cells) => ({
    channel: channel(cells),
    priority: priority(cells),
    company: company(cells),
    labels: labels(cells),
    fields: definitions.map(({ read }) => read(cells)),
  });
}

/** Who acted, as events carry it. */
export type Actor = Pick<CaseEvent, 'agent' | 'group' | 'automated'>;

const AUTOMATED: Actor = { automated: true };

export function actorReader(columns: Columns, spec: ActorSpec): Read<Actor> {
  const isAutomated = truthReader(columns, spec.automated, 'automated');
  const actorOf = personReader(columns, spec);
  return (cells) => (isAutomated(cells) ? AUTOMATED : actorOf(cells));
}

/** Reads an agent and a group; the last pair is given again while it stays the same. */
function personReader(columns: Columns, spec: Pick<ActorSpec, 'agent' | 'group'>): Read<Actor> {
  const agentOf = memberReader(columns, 'agent', spec.agent);
  const groupOf = memberReader(columns, 'group', spec.group);
  let last: Actor = {};
  return (cells) => {
    const agent = agentOf(cells);
    const group = groupOf(cells);
    if ((last.agent ?? null) !== agent || (last.group ?? null) !== group) {
      last = { ...(agent === null ? {} : { agent }), ...(group === null ? {} : { group }) };
    }
    return last;
  };
}

/** When and by whom a case was created, as a row says it; `at` null where the row does not. */
export interface Origin {
  readonly at: Instant | null;
  readonly actor: Actor;
}

export function originReader(columns: Columns, spec: Pick<CreationSpec, 'at' | 'agent' | 'group'>): Read<Origin> {
  const timeOf = spec.at === undefined ? () => null : timeCellReader(columns, spec.at);
  const actorOf = personReader(columns, spec);
  return (cells) => ({ at: timeOf(cells), actor: actorOf(cells) });
}

/** The event that creates a case, with what the mapping says of it. */
export function createdEvent(
  caseKey: string,
  id: string,
  at: Instant,
  origin: Origin,
  { channel, priority, company, labels, fields }: Attributes,
  definitions: readonly FieldDefinition[],
): CaseEvent {
  const values = definitions.flatMap((definition, place) => {
    const value = fields[place] ?? null;
    return value === null ? [] : [[String(definition.id), value] as const];
  });
  return {
    type: 'case.created',
    id,
    at: origin.at ?? at,
    case: caseKey,
    ...origin.actor,
    ...(channel === null ? {} : { channel }),
    ...(priority === null ? {} : { priority }),
    ...(company === null ? {} : { company }),
    ...(labels.length === 0 ? {} : { labels }),
    ...(values.length === 0 ? {} : { custom_fields: Object.fromEntries(values) }),
  };
}

import { certain } from '../../certain.ts';
import type { Assignee, CaseEvent } from '../../history/cases/event.ts';
import { CASE_STATUSES, type CaseStatus, type Telling } from '../../vocabulary.ts';
import {
  type Actor,
  actorReader,
  attributesReader,
  type CaseCreation,
  createdEvent,
  creationReader,
  type FieldDefinition,
  NO_ATTRIBUTES,
  type RowAttributes,
} from './attributes.ts';
import { attempt, type MappingKind, type SortedRow } from './case-rows.ts';
import { type Columns, memberReader, numberReader, type Read, wordReader } from './columns.ts';
import type { SnapshotsMapping } from './mapping.ts';
import { changesTell, type Has } from './told-values.ts';

/** What states of cases tell: no messages. */
export const snapshotsTell = ({ status, csat, labels }: SnapshotsMapping, has: Has): readonly Telling[] => [
  'creations',
  ...(status && has(status) ? changesTell(status) : []),
  ...(has(csat) ? (['ratings'] as const) : []),
  ...(has(labels) ? (['labels'] as const) : []),
];

/** The state of a case in a row. A part that was refused is undefined and keeps its value of the row before. */
interface SnapshotRow {
  readonly attributes: RowAttributes | undefined;
  readonly status: CaseStatus | null;
  readonly assignee: Assignee | undefined;
  readonly csat: number | null | undefined;
  readonly actor: Actor;
  readonly origin: CaseCreation;
}

/** A case's full state after an update. */
interface Snapshot {
  readonly attributes: RowAttributes;
  readonly status: CaseStatus | null; // null: unknown
  readonly assignee: Assignee; // only with keys that the mapping names
  readonly csat: number | null; // 0…4
  readonly actor: Actor;
  readonly origin: CaseCreation;
}

/**
 * The kind `snapshots`: rows are states of a case, and differences between successive rows become events
 * (docs/import/mappings.md).
 */
export function snapshots(
  columns: Columns,
  mapping: SnapshotsMapping,
  definitions: readonly FieldDefinition[],
): MappingKind<SnapshotRow> {
  const attributes = attributesReader(columns, mapping, definitions);
  const status = wordReader(columns, mapping.status, 'status', CASE_STATUSES);
  const assignee = assigneeReader(columns, mapping);
  const csat = numberReader(columns, mapping.csat, 'csat', [0, 4]);
  const actor = actorReader(columns, mapping.actor);
  const origin = creationReader(columns, mapping.created);
  return {
    read: (cells, refuse) => ({
      attributes: attempt<RowAttributes | undefined>(attributes, cells, refuse, undefined),
      status: attempt(status, cells, refuse, null),
      assignee: attempt<Assignee | undefined>(assignee, cells, refuse, undefined),
      csat: attempt<number | null | undefined>(csat, cells, refuse, undefined),
      actor: attempt(actor, cells, refuse, {}),
      origin: attempt(origin, cells, refuse, { at: null, actor: {} }),
    }),
    fold: (caseKey, rows) => {
      let before: Snapshot | undefined;
      for (const { value, ...rest } of rows) {
        const row = { ...rest, value: completed(value, before) };
        if (before === undefined) {
          const { origin, attributes } = row.value;
          const id = `${mapping.source}created`;
          row.records.push(createdEvent({ caseKey, id, at: row.at }, origin, attributes, definitions));
        }
        row.records.push(...differences(caseKey, row, before, definitions));
        before = row.value;
      }
    },
  };
}

/** Returns a row's state; parts that the row does not say are taken from the state before. */
function completed(
  { attributes, status, assignee, csat, ...rest }: SnapshotRow,
  before: Snapshot | undefined,
): Snapshot {
  return {
    attributes: attributes ?? before?.attributes ?? NO_ATTRIBUTES,
    status: status ?? before?.status ?? null,
    assignee: assignee ?? before?.assignee ?? {},
    csat: csat === undefined ? (before?.csat ?? null) : csat,
    ...rest,
  };
}

function assigneeReader(columns: Columns, mapping: SnapshotsMapping): Read<Assignee> {
  const agent = memberReader(columns, 'agent', mapping.agent);
  const group = memberReader(columns, 'group', mapping.group);
  if (mapping.agent === undefined)
    return mapping.group === undefined ? () => ({}) : (cells) => ({ group: group(cells) });
  if (mapping.group === undefined) return (cells) => ({ agent: agent(cells) });
  return (cells) => ({ agent: agent(cells), group: group(cells) });
}

/**
 * Returns the events that lead from one state to the next; without a state before, from the state after the creation.
 */
function differences(
  caseKey: string,
  { at, id, value: now }: SortedRow<Snapshot>,
  before: Snapshot | undefined,
  definitions: readonly FieldDefinition[],
): CaseEvent[] {
  const was = before ?? { ...now, status: 'new', assignee: {}, csat: null };
  const events: CaseEvent[] = [];
  const { agent, group } = now.assignee;
  if ((agent ?? null) !== (was.assignee.agent ?? null) || (group ?? null) !== (was.assignee.group ?? null)) {
    // No actor: `case.assigned` counts for its assignee (docs/rules.md 16).
    events.push({ type: 'case.assigned', id: `${id}.assigned`, at, case: caseKey, to: now.assignee });
  }
  if (now.attributes !== was.attributes) {
    const base = { at, case: caseKey, ...now.actor };
    events.push(...attributeChanges(id, base, { now: now.attributes, was: was.attributes }, definitions));
  }
  if (now.csat !== was.csat) {
    events.push({ type: 'csat.rated', id: `${id}.rated`, at, case: caseKey, ...now.actor, score: now.csat });
  }
  if (now.status !== null && now.status !== was.status) {
    events.push({ type: 'case.status', id: `${id}.status`, at, case: caseKey, ...now.actor, to: now.status });
  }
  return events;
}

function attributeChanges(
  id: string, // of the row
  base: Pick<CaseEvent, 'at' | 'case' | 'agent' | 'group' | 'automated'>,
  { now, was }: { readonly now: RowAttributes; readonly was: RowAttributes },
  definitions: readonly FieldDefinition[],
): CaseEvent[] {
  const events: CaseEvent[] = [];
  const { company, fields, labels, priority } = now;
  if (company !== was.company) events.push({ type: 'case.company', id: `${id}.company`, ...base, company });
  for (let index = 0; index < definitions.length; index++) {
    const value = fields[index] ?? null;
    if (value === (was.fields[index] ?? null)) continue;
    const field = certain(definitions[index]).id;
    events.push({ type: 'case.custom_field', id: `${id}.field${field}`, ...base, field, value });
  }
  if (labels !== was.labels && String(labels) !== String(was.labels)) {
    events.push({ type: 'case.labels', id: `${id}.labels`, ...base, set: labels });
  }
  if (priority !== was.priority) events.push({ type: 'case.priority', id: `${id}.priority`, ...base, priority });
  return events;
}

import type { CaseEvent, Instant } from '../../history/cases/event.ts';
import { CASE_STATUSES } from '../../vocabulary.ts';
import {
  attributesReader,
  createdEvent,
  type FieldDefinition,
  NO_ATTRIBUTES,
  type RowAttributes,
} from './attributes.ts';
import { attempt, type MappingKind, type Refuse, type SortedRow } from './case-rows.ts';
import {
  type Columns,
  type CsvCells,
  memberReader,
  numberReader,
  type Read,
  timeCellReader,
  valueReader,
  wordReader,
} from './columns.ts';
import type { TicketsMapping } from './mapping.ts';
import type { TimeSpec } from './mapping-values.ts';

const STATUSES = [...CASE_STATUSES, 'deleted'] as const;
type Status = (typeof STATUSES)[number];

/** A ticket in its row; null: the row does not say it. */
interface TicketRow {
  readonly attributes: RowAttributes;
  readonly isInbound: boolean; // the creation is a message of the requester
  readonly replied: Instant | null;
  readonly assigned: Instant | null;
  readonly solved: Instant | null;
  readonly updated: Instant | null;
  readonly asOf: Instant | null;
  readonly agent: number | null;
  readonly group: number | null;
  readonly status: Status | null;
  readonly csat: number | null;
}

/**
 * The kind `tickets`: one row for each ticket (docs/import.md). If a ticket has several rows, the last changed one
 * counts.
 */
export function tickets(
  columns: Columns,
  mapping: TicketsMapping,
  definitions: readonly FieldDefinition[],
): MappingKind<TicketRow> {
  const read = rowReader(columns, mapping, definitions);
  return {
    read,
    fold: (caseKey, rows) => {
      const [row] = [...rows].sort((a, b) => changedAt(b) - changedAt(a) || b.line - a.line);
      if (row === undefined) return;
      const base = { case: caseKey, id: (what: string) => `${mapping.source}${what}` };
      const { attributes } = row.value;
      const origin = { at: null, actor: {} };
      row.records.push(
        createdEvent({ caseKey, id: base.id('created'), at: row.at }, origin, attributes, definitions),
        ...ticketEvents(row, base),
      );
    },
  };
}

const changedAt = ({ value: { asOf, updated } }: SortedRow<TicketRow>): Instant => asOf ?? updated ?? 0;

function rowReader(
  columns: Columns,
  mapping: TicketsMapping,
  definitions: readonly FieldDefinition[],
): (cells: CsvCells, refuse: Refuse) => TicketRow {
  const time = (spec: TimeSpec | undefined): Read<Instant | null> =>
    spec === undefined ? () => null : timeCellReader(columns, spec);
  const times = {
    replied: time(mapping.replied),
    assigned: time(mapping.assigned),
    solved: time(mapping.solved),
    updated: time(mapping.updated),
    asOf: time(mapping.as_of),
  };
  const attributes = attributesReader(columns, mapping, definitions);
  const agent = memberReader(columns, 'agent', mapping.agent);
  const group = memberReader(columns, 'group', mapping.group);
  const status = wordReader(columns, mapping.status, 'status', STATUSES);
  const csat = numberReader(columns, mapping.csat, 'csat', [0, 4]);
  const requester = valueReader(columns, mapping.requester);
  const submitter = valueReader(columns, mapping.submitter);
  return (cells, refuse) => {
    const or = <T>(read: Read<T>, instead: T): T => attempt(read, cells, refuse, instead);
    const by = or(submitter, null);
    return {
      attributes: or(attributes, NO_ATTRIBUTES),
      isInbound: mapping.inbound && (by === null || by === or(requester, null)),
      replied: or(times.replied, null),
      assigned: or(times.assigned, null),
      solved: or(times.solved, null),
      updated: or(times.updated, null),
      asOf: or(times.asOf, null),
      agent: or(agent, null),
      group: or(group, null),
      status: or(status, null),
      csat: or(csat, null),
    };
  };
}

interface Base {
  readonly case: string;
  readonly id: (what: string) => string;
}

/**
 * Returns all events but the creation. Those without a time of their own, such as the present status, get the last
 * update's.
 */
function ticketEvents({ at: created, value }: SortedRow<TicketRow>, { case: caseKey, id }: Base): CaseEvent[] {
  const { isInbound, replied, assigned, solved, agent, group, status, csat } = value;
  const updated = value.updated ?? Math.max(created, replied ?? 0, assigned ?? 0, solved ?? 0);
  const events: CaseEvent[] = [];
  const base = (what: string, at: Instant) => ({ id: id(what), at, case: caseKey });
  if (isInbound) events.push({ type: 'interaction', ...base('inbound', created), direction: 'inbound' });
  if (replied !== null) events.push({ type: 'interaction', ...base('replied', replied), direction: 'outbound' });
  if (agent !== null || group !== null) {
    const to = { ...(agent === null ? {} : { agent }), ...(group === null ? {} : { group }) };
    events.push({ type: 'case.assigned', ...base('assigned', assigned ?? created), to });
  }
  const isDone = status === 'resolved' || status === 'closed';
  const isSolved = isDone && solved !== null;
  if (isSolved) events.push({ type: 'case.status', ...base('resolved', solved), to: 'resolved' });
  const now = Math.max(updated, isSolved ? solved : 0);
  if (status === 'deleted') events.push({ type: 'case.deleted', ...base('status', now) });
  else if (status !== null && status !== 'new' && !(isSolved && status === 'resolved')) {
    events.push({ type: 'case.status', ...base('status', now), to: status });
  }
  if (csat !== null) events.push({ type: 'csat.rated', ...base('rated', now), score: csat });
  return events;
}

import type { CaseEvent, Instant } from '../../history/cases/event.ts';
import { CASE_STATUSES, type Telling } from '../../vocabulary.ts';
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
import type { Has } from './told-values.ts';

/**
 * What a row says of its ticket: never a message but the first ones of both sides, and no reopen. A status alone says when
 * a case was done only where the last update counts as it.
 */
export function ticketsTell(mapping: TicketsMapping, has: Has): readonly Telling[] {
  const { replied, solved, closed, ended_when: ended, status, csat, labels } = mapping;
  const isTimed =
    has(solved) || has(closed) || (has(status) && (ended === undefined || (ended !== 'unknown' && has(ended))));
  const told: readonly (readonly [Telling, boolean])[] = [
    ['creations', true],
    ['first_replies', has(replied)],
    ['statuses', isTimed || has(status)],
    ['resolves', isTimed],
    ['ratings', has(csat)],
    ['labels', has(labels)],
  ];
  return told.flatMap(([name, isTold]) => (isTold ? [name] : []));
}

const STATUSES = [...CASE_STATUSES, 'deleted'] as const;
type Status = (typeof STATUSES)[number];

/** A ticket in its row; null: the row does not say it. */
interface TicketRow {
  readonly attributes: RowAttributes;
  readonly creator: number | null;
  readonly isInbound: boolean; // the creation is a message of the requester
  readonly replied: Instant | null;
  readonly assigned: Instant | null;
  readonly solved: Instant | null; // when it was done first
  readonly closed: Instant | null;
  readonly updated: Instant | null;
  readonly asOf: Instant | null;
  readonly agent: number | null;
  readonly group: number | null;
  readonly status: Status | null;
  readonly csat: number | null;
}

/**
 * The kind `tickets`: one row for each ticket (docs/import/mappings.md). If a ticket has several rows, the last changed one
 * counts.
 */
export function tickets(
  columns: Columns,
  mapping: TicketsMapping,
  definitions: readonly FieldDefinition[],
): MappingKind<TicketRow> {
  const read = rowReader(columns, mapping, definitions);
  const isUnknownSince = mapping.ended_when !== undefined; // also where its cell is empty
  return {
    read,
    fold: (caseKey, rows) => {
      const [row] = [...rows].sort((a, b) => changedAt(b) - changedAt(a) || b.line - a.line);
      if (row === undefined) return;
      const base = { case: caseKey, id: (what: string) => `${mapping.source}${what}` };
      const { attributes, creator, status, solved } = row.value;
      const origin = { at: null, actor: creator === null ? {} : { agent: creator } };
      const begins = isUnknownSince && isDone(status) && solved === null ? status : undefined;
      const creation = { caseKey, id: base.id('created'), at: row.at, status: begins };
      row.records.push(
        createdEvent(creation, origin, attributes, definitions),
        ...ticketEvents(row, base, begins !== undefined),
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
    closed: time(mapping.closed),
    ended: time(mapping.ended_when === 'unknown' ? undefined : mapping.ended_when),
    updated: time(mapping.updated),
    asOf: time(mapping.as_of),
  };
  const attributes = attributesReader(columns, mapping, definitions);
  const creator = memberReader(columns, 'agent', mapping.creator);
  const agent = memberReader(columns, 'agent', mapping.agent);
  const group = memberReader(columns, 'group', mapping.group);
  const status = wordReader(columns, mapping.status, 'status', STATUSES);
  const csat = numberReader(columns, mapping.csat, 'csat', [0, 4]);
  const requester = valueReader(columns, mapping.requester);
  const submitter = valueReader(columns, mapping.submitter);
  return (cells, refuse) => {
    const or = <T>(read: Read<T>, instead: T): T => attempt(read, cells, refuse, instead);
    const by = or(submitter, null);
    const closed = or(times.closed, null);
    const present = or(status, null);
    return {
      attributes: or(attributes, NO_ATTRIBUTES),
      creator: or(creator, null),
      isInbound: mapping.inbound && (by === null || by === or(requester, null)),
      replied: or(times.replied, null),
      assigned: or(times.assigned, null),
      solved: or(times.solved, null) ?? closed ?? (isDone(present) ? or(times.ended, null) : null),
      closed,
      updated: or(times.updated, null),
      asOf: or(times.asOf, null),
      agent: or(agent, null),
      group: or(group, null),
      status: present,
      csat: or(csat, null),
    };
  };
}

const isDone = (status: Status | null): status is 'resolved' | 'closed' => status === 'resolved' || status === 'closed';

interface TicketIds {
  readonly case: string;
  readonly id: (what: string) => string;
}

/**
 * Returns all events but the creation. Those without a time of their own, such as the present status, get the last
 * update's.
 */
function ticketEvents(
  { at: created, value }: SortedRow<TicketRow>,
  { case: caseKey, id }: TicketIds,
  begunDone: boolean,
): CaseEvent[] {
  const { isInbound, replied, assigned, solved, closed, agent, group, status, csat } = value;
  const updated = value.updated ?? Math.max(created, replied ?? 0, assigned ?? 0, solved ?? 0, closed ?? 0);
  const events: CaseEvent[] = [];
  const base = (what: string, at: Instant) => ({ id: id(what), at, case: caseKey });
  if (isInbound) events.push({ type: 'interaction', ...base('inbound', created), direction: 'inbound' });
  if (replied !== null) events.push({ type: 'interaction', ...base('replied', replied), direction: 'outbound' });
  if (agent !== null || group !== null) {
    const to = { ...(agent !== null && { agent }), ...(group !== null && { group }) };
    events.push({ type: 'case.assigned', ...base('assigned', assigned ?? created), to });
  }
  const isSolved = solved !== null && (isDone(status) || status === null); // a solve time alone says that it is solved
  if (isSolved) events.push({ type: 'case.status', ...base('resolved', solved), to: 'resolved' });
  const now = Math.max(updated, isSolved ? solved : 0);
  if (status === 'deleted') events.push({ type: 'case.deleted', ...base('status', now) });
  else if (status !== null && status !== 'new' && !begunDone && !(isSolved && status === 'resolved')) {
    const at = status === 'closed' && isSolved ? Math.max(closed ?? now, solved) : now;
    events.push({ type: 'case.status', ...base('status', at), to: status });
  }
  if (csat !== null) events.push({ type: 'csat.rated', ...base('rated', now), score: csat });
  return events;
}

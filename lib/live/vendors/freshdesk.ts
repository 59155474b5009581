import type { CaseEvent } from '../../history/cases/event.ts';
import { caseSubject } from '../../history/cases/subject.ts';
import type { JsonFields } from '../../json-readers.ts';
import type { CaseStatus } from '../../vocabulary.ts';
import { idIn, type Line, listIn, objectIn, timeIn } from '../call.ts';
import type { VendorCheck } from '../check/check.ts';
import type { CaseReader, DeskSetting, ListedCase, ListFrom, ListPage, Vendor } from '../desk.ts';
import { deskRecords, fieldOf, isoTime, memberRecord, newNames, type RawRecord, textsOf } from '../records.ts';
import { sameText } from '../signatures.ts';
import { checkEventCount, DeskTrouble } from '../trouble.ts';
import { listInTurn, timePage, timePlace } from './by-time.ts';
import { heldBy, ownEvents, presentEvents } from './present.ts';
import { ratingsPage } from './ratings.ts';

const PAGE = 100; // objects an answer
const SECOND = 1000; // ms
const LONGEST_VALUE = 255; // characters of a custom field's value: longer ones are what people wrote
const PREFIX = 'fd';
const TICKETS = 'api/v2/tickets';
const RATINGS = 'api/v2/surveys/satisfaction_ratings';
const PRIORITIES: Readonly<Record<string, number>> = { 1: 2, 2: 5, 3: 8, 4: 10 };
const OUTBOUND = 10; // the source of a ticket that an agent began by mail
const SOURCES: Readonly<Record<string, string>> = {
  1: 'Email',
  2: 'Web',
  3: 'Phone',
  7: 'Chat',
  9: 'Web widget',
  10: 'Email',
};
const STATUSES: Readonly<Record<string, CaseStatus>> = { 2: 'open', 3: 'pending', 4: 'resolved', 5: 'closed' };
/** What the times of a ticket's statistics say: the status that it had then. */
const TIMES = [
  ['resolved_at', 4],
  ['closed_at', 5],
  ['reopened_at', 2],
] as const;
/** Tickets that are in no other list. */
const FILTERS = [undefined, 'deleted', 'spam'] as const;

const statusOf = (status: unknown): CaseStatus => STATUSES[String(status)] ?? 'open';

const check: VendorCheck = {
  unit: 1,
  resolution: 'last',
  async figures(line, id) {
    const path = `${TICKETS}/${id}`;
    const answer = await line.get(path, { include: 'stats' });
    if (answer === undefined) return undefined;
    const fields = objectIn(answer.value, path);
    const stats = objectIn(fields.stats, `${path}: stats`);
    const created = timeIn(fields, 'created_at', path);
    const until = (field: string): number | null =>
      typeof stats[field] === 'string' ? (timeIn(stats, field, path) - created) / 1000 : null;
    return { first_reply: until('first_responded_at'), resolution: until('resolved_at') };
  },
  /** A ticket that an agent began by mail has its first reply at its creation. */
  explain: ({ measure }, events) =>
    measure === 'first_reply' &&
    events.some((event) => event.type === 'interaction' && event.direction === 'outbound' && event.id.endsWith(':m'))
      ? 'agent_created'
      : undefined,
};

/** Freshdesk: tickets by their last change, each with its conversations; statuses by the times of its statistics. */
export const freshdesk: Vendor = {
  title: 'Freshdesk',
  hosts: { named: /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.freshdesk\.com$/ },
  prefix: PREFIX,
  check,
  delay: 0,
  makesSecret: true,
  packs: ['freshdesk-tickets-csv'],
  headers: ({ token }) => ({ authorization: `Basic ${Buffer.from(`${token}:X`).toString('base64')}` }),
  async test(line) {
    const path = 'api/v2/agents/me';
    const me = objectIn((await line.get(path))?.value, path);
    idIn(me, 'id', path);
    if (me.ticket_scope !== undefined && me.ticket_scope !== 1)
      throw new DeskTrouble('refused', "The token's agent does not see all tickets: global access is needed.");
  },
  list: (line, from, _account, setting) =>
    listInTurn(
      [
        ...FILTERS.map((filter) => (part: ListFrom) => tickets(line, part, filter)),
        (part: ListFrom) => ratings(line, part, setting),
      ],
      from,
    ),
  async *members(line) {
    for (const [name, type] of [
      ['groups', 'group'],
      ['companies', 'company'],
      ['agents', 'agent'],
    ] as const)
      for await (const page of pages(line, `api/v2/${name}`))
        yield deskRecords(
          name,
          page.map((fields) => (type === 'agent' ? agentRecord(fields) : memberRecord(type, fields))),
        );
  },
  reader: async (line, setting) => readTickets(line, setting),
  proof: {
    signed: (_body, header, secret) => sameText(header('x-doorbell-secret'), secret),
    caseOf: ({ freshdesk_webhook, ticket_id, id }) => fieldOf(freshdesk_webhook, 'ticket_id') ?? ticket_id ?? id,
  },
};

const agentRecord = ({ id, contact }: JsonFields): RawRecord =>
  memberRecord('agent', { id, name: fieldOf(contact, 'name') });

/** The pages of a list; nothing if it is not there. */
async function* pages(line: Line, path: string): AsyncGenerator<readonly JsonFields[]> {
  for (let page = 1; ; page += 1) {
    const answer = await line.get(path, { per_page: PAGE, page });
    if (answer === undefined) return;
    const list = listIn(answer.value, path);
    yield list;
    if (list.length < PAGE) return;
  }
}

/** What a call says; undefined also where the account's plan has no such list (403), or it takes no such filter (400). */
const optional = (line: Line, path: string, query: Readonly<Record<string, string | number>>) =>
  line.get(path, query).catch((error: unknown) => {
    if (error instanceof DeskTrouble && (error.status === 403 || error.status === 400)) return undefined;
    throw error;
  });

/** A page of the tickets that changed. Asked from a second before, lest the list begins after the second it is given. */
async function tickets(line: Line, from: ListFrom, filter: (typeof FILTERS)[number]): Promise<ListPage> {
  const place = timePlace(from);
  const query = {
    updated_since: isoTime(Math.max(0, place.time - SECOND)),
    ...{ order_by: 'updated_at', order_type: 'asc', include: 'stats', per_page: PAGE, page: place.page },
  };
  const answer =
    filter === undefined ? await line.get(TICKETS, query) : await optional(line, TICKETS, { ...query, filter });
  const list = filter !== undefined && answer === undefined ? [] : listIn(answer?.value, TICKETS);
  const cases = list.map(
    (record): ListedCase => ({
      id: idIn(record, 'id', TICKETS),
      changed: timeIn(record, 'updated_at', TICKETS),
      record,
    }),
  );
  return timePage(place, cases, { size: PAGE, until: from.until });
}

const ratings = (line: Line, from: ListFrom, setting: Pick<DeskSetting, 'rating'>): Promise<ListPage> =>
  ratingsPage(from, {
    ...{ path: RATINGS, prefix: PREFIX, caseField: 'ticket_id', size: PAGE, setting },
    ask: async (since, page) => {
      const answer = await optional(line, RATINGS, { created_since: isoTime(since), per_page: PAGE, page });
      return answer === undefined ? [] : listIn(answer.value, RATINGS);
    },
    isGood: (rating) => {
      const score = Number(fieldOf(rating.ratings, 'default_question'));
      return score > 100 ? true : score < 100 ? false : undefined;
    },
  });

/** What of a ticket is read. */
interface Ticket {
  readonly id: string;
  readonly fields: JsonFields;
  readonly conversations: readonly JsonFields[];
}

/** The statuses of a ticket that its statistics tell: the last time of each alone. */
function statusesOf({ id, fields }: Ticket): RawRecord[] {
  const path = `${TICKETS}/${id}`;
  const stats = objectIn(fields.stats, `${path}: stats`);
  const statuses = new Map<string, RawRecord>();
  const tell = (time: string, status: unknown): void => {
    if (typeof stats[time] !== 'string') return;
    const second = Math.floor(timeIn(stats, time, path) / 1000);
    const event = `${PREFIX}:s:${id}:${second}:${String(status)}`;
    statuses.set(event, { type: 'case.status', id: event, at: isoTime(second * 1000), case: id, to: statusOf(status) });
  };
  for (const [time, status] of TIMES) tell(time, status);
  if (fields.status !== 4 && fields.status !== 5) tell('status_updated_at', fields.status);
  return [...statuses.values()];
}

/** What a custom field has, as a text; null: nothing, or what is too long for a value. */
function fieldValueOf(value: unknown): string | null {
  const text = Array.isArray(value) ? value.map(String).join(', ') : value;
  if (text === null || text === undefined || text === '' || typeof text === 'object') return null;
  return String(text).length > LONGEST_VALUE ? null : String(text);
}

function presentOf({ id, fields }: Ticket, own: readonly CaseEvent[], names: ReturnType<typeof newNames>) {
  const path = `${TICKETS}/${id}`;
  const custom = fields.custom_fields === undefined ? {} : objectIn(fields.custom_fields, `${path}: custom_fields`);
  return {
    ...{ prefix: PREFIX, id, created: fields.created_at },
    channel: names.channel(SOURCES[String(fields.source)] ?? `Source ${String(fields.source)}`),
    changed: Math.floor(timeIn(fields, 'updated_at', path) / 1000),
    values: {
      agent: idOrNull(fields.responder_id),
      group: idOrNull(fields.group_id),
      company: idOrNull(fields.company_id),
      priority: PRIORITIES[String(fields.priority)] ?? null,
      labels: textsOf(fields.tags).map(names.label),
      fields: Object.fromEntries(
        Object.entries(custom).map(([name, value]) => [names.customField(name), fieldValueOf(value)]),
      ),
      ...(heldBy(own).status === 'deleted' && { status: statusOf(fields.status) }), // taken back
    },
  };
}

const idOrNull = (id: unknown): number | null => (typeof id === 'number' ? id : null);

/** The deletion of a ticket that is in the trash or taken for spam, if something of it is stored and not deleted. */
function deletionOf({ id, fields }: Pick<Ticket, 'id' | 'fields'>, own: readonly CaseEvent[]): RawRecord[] {
  if (own.length === 0 || heldBy(own).status === 'deleted') return [];
  const changed = timeIn(fields, 'updated_at', `${TICKETS}/${id}`);
  const first = `${PREFIX}:${id}:gone`;
  const again = `${PREFIX}:o:${id}:${Math.floor(changed / 1000)}:gone`;
  const event = own.some((each) => each.id === first) ? again : first;
  return [{ type: 'case.deleted', id: event, at: isoTime(changed), case: id }];
}

/** Reads tickets; it keeps who is an agent. */
function readTickets(line: Line, setting: DeskSetting): CaseReader {
  const agents = new Map(setting.agents.map((id) => [id, true]));
  const names = newNames();

  /** Learns whether a user is an agent; the help desk is asked once. Returns the record of a new agent. */
  async function meet(id: unknown): Promise<readonly RawRecord[]> {
    if (typeof id !== 'number' || agents.has(id)) return [];
    const path = `api/v2/agents/${id}`;
    const answer = await line.get(path);
    agents.set(id, answer !== undefined);
    return answer === undefined ? [] : [agentRecord(objectIn(answer.value, path))];
  }

  async function conversationsOf(id: string): Promise<readonly JsonFields[] | undefined> {
    const path = `${TICKETS}/${id}/conversations`;
    const conversations: JsonFields[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await line.get(path, { per_page: PAGE, page });
      if (answer === undefined) return undefined;
      const list = listIn(answer.value, path);
      conversations.push(...list);
      checkEventCount(id, conversations.length);
      if (list.length < PAGE) return conversations;
    }
  }

  function messageOf(ticket: string, { id, private: isPrivate, incoming, user_id: user, created_at: at }: JsonFields) {
    const base = { id: `${PREFIX}:c:${String(id)}`, at, case: ticket };
    const by = agents.get(Number(user)) ? { agent: user } : {};
    if (isPrivate === true) return { type: 'note', ...base, ...by };
    return {
      type: 'interaction',
      ...base,
      ...(incoming === true ? { direction: 'inbound' } : { direction: 'outbound', ...by }),
    };
  }

  return {
    async read({ id, record, isRated }) {
      const own = ownEvents((await setting.eventsOf([caseSubject(id)])).get(caseSubject(id)) ?? [], PREFIX);
      if (isRated && own.some((event) => event.id === `${PREFIX}:${id}`)) return [];
      const path = `${TICKETS}/${id}`;
      const shown = record ?? (await line.get(path, { include: 'stats' }))?.value;
      if (shown === undefined) return undefined;
      const fields = objectIn(shown, path);
      if (fields.deleted === true || fields.spam === true) return deskRecords(path, deletionOf({ id, fields }, own));
      const conversations = await conversationsOf(id);
      if (conversations === undefined) return undefined;
      const users: RawRecord[] = [];
      for (const { user_id, incoming } of conversations) if (incoming !== true) users.push(...(await meet(user_id)));
      const ticket = { id, fields, conversations };
      const present = presentEvents(presentOf(ticket, own, names), own);
      const direction = fields.source === OUTBOUND ? 'outbound' : 'inbound';
      const described = { type: 'interaction', id: `${PREFIX}:${id}:m`, at: fields.created_at, case: id, direction };
      return deskRecords(path, [
        ...users,
        ...names.take(),
        ...present,
        described,
        ...conversations.map((conversation) => messageOf(id, conversation)),
        ...statusesOf(ticket),
      ]);
    },
  };
}

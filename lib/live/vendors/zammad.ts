import type { JsonFields } from '../../json-readers.ts';
import { idIn, type Line, listIn, objectIn, timeIn } from '../call.ts';
import type { VendorCheck } from '../check/check.ts';
import type { CaseReader, DeskSetting, ListedCase, Vendor } from '../desk.ts';
import { deskRecords, isoTime, memberRecord, newNames, type RawRecord, textsOf } from '../records.ts';
import { isHmac } from '../signatures.ts';
import { checkEventCount, DeskTrouble, Unfit } from '../trouble.ts';
import { timePage, timePlace } from './by-time.ts';

const PAGE = 200; // tickets of a list
const MEMBERS_PAGE = 100;
const SEARCH = 'api/v1/tickets/search';
const PRIORITIES: Readonly<Record<string, number>> = { 1: 2, 2: 5, 3: 8 };
const STATUSES: Readonly<Record<string, string>> = {
  new: 'new',
  open: 'open',
  closed: 'resolved',
  merged: 'closed',
  removed: 'closed',
};
const SENDERS: Readonly<Record<string, string>> = { 1: 'Agent', 2: 'Customer', 3: 'System' };
const NOBODY = 1; // the user that is Zammad itself, and the owner of what nobody owns

const query = (from: number): string => `updated_at:[${isoTime(from)} TO *]`;

const check: VendorCheck = {
  unit: 1,
  resolution: 'first', // `close_at` keeps the first one
  isPart: /^za:m:.*/,
  async figures(line, id) {
    const path = `api/v1/tickets/${id}`;
    const answer = await line.get(path, { expand: 'true' });
    if (answer === undefined) return undefined;
    const fields = objectIn(answer.value, path);
    const created = timeIn(fields, 'created_at', path);
    const until = (field: string): number | null =>
      fields[field] == null ? null : (timeIn(fields, field, path) - created) / 1000;
    return {
      first_reply: until('first_response_at'),
      resolution: until('close_at'),
      parts: typeof fields.article_count === 'number' ? fields.article_count : null,
    };
  },
};

/** Zammad: tickets by its search, each by its history and articles. */
export const zammad: Vendor = {
  title: 'Zammad',
  hosts: {},
  prefix: 'za',
  check,
  delay: 0,
  makesSecret: true,
  packs: [],
  lacks: ['ratings', 'handling'],
  headers: ({ token }) => ({ authorization: `Token token=${token}` }),
  async test(line) {
    const path = 'api/v1/users/me';
    if (objectIn((await line.get(path))?.value, path).id === undefined)
      throw new DeskTrouble('changed', `${path} names nobody.`);
    const find = async (from: number) =>
      listIn((await line.get(SEARCH, { query: query(from), limit: 1, expand: 'true' }))?.value, SEARCH).length;
    const lacks =
      (await find(0)) === 0 &&
      listIn((await line.get('api/v1/tickets', { per_page: 1 }))?.value, 'api/v1/tickets').length > 0;
    if (lacks || (await find(Date.UTC(2190, 0, 1))) > 0)
      throw new Unfit('The search of this Zammad does not know times: it needs Elasticsearch.');
  },
  async list(line, from) {
    const place = timePlace(from);
    const asked = {
      query: query(place.time),
      sort_by: 'updated_at',
      order_by: 'asc',
      limit: PAGE,
      page: place.page,
      expand: 'true',
    };
    const cases = listIn((await line.get(SEARCH, asked))?.value, SEARCH).map(
      (record): ListedCase => ({
        id: idIn(record, 'id', SEARCH),
        changed: timeIn(record, 'updated_at', SEARCH),
        record,
      }),
    );
    return timePage(place, cases, { size: PAGE, until: from.until });
  },
  async *members(line) {
    for (const [path, type] of [
      ['api/v1/groups', 'group'],
      ['api/v1/organizations', 'company'],
      ['api/v1/ticket_article_types', 'channel'],
      ['api/v1/users', 'agent'],
    ] as const)
      for await (const page of pages(line, path)) {
        const named = type === 'agent' ? page.filter(isAgent) : page;
        yield deskRecords(
          path,
          named.map((fields) => (type === 'agent' ? agentRecord(fields) : memberRecord(type, fields))),
        );
      }
  },
  reader: async (line, setting) => readTickets(line, setting),
  proof: {
    signed: (body, header, secret) =>
      isHmac(header('x-hub-signature').replace(/^sha1=/, ''), secret, [body], { hash: 'sha1', form: 'hex' }),
    caseOf: ({ ticket }) => (typeof ticket === 'object' && ticket !== null && 'id' in ticket ? ticket.id : undefined),
  },
};

async function* pages(line: Line, path: string): AsyncGenerator<readonly JsonFields[]> {
  for (let page = 1, before = ''; ; page += 1) {
    const answer = await line.get(path, { page, per_page: MEMBERS_PAGE, expand: 'true' });
    if (answer === undefined) return;
    const list = listIn(answer.value, path);
    const first = String(list[0]?.id ?? '');
    if (first === before && page > 1) return; // some lists have one page, whatever page is asked for
    before = first;
    yield list;
    if (list.length < MEMBERS_PAGE) return;
  }
}

const isAgent = ({ roles }: JsonFields): boolean => textsOf(roles).some((role) => role === 'Agent' || role === 'Admin');

function agentRecord({ id, firstname, lastname, login }: JsonFields): RawRecord {
  const name = [firstname, lastname].filter((part) => typeof part === 'string').join(' ');
  return memberRecord('agent', { id, name }, login);
}

/** What of a ticket is read. */
interface Ticket {
  readonly id: string;
  readonly fields: JsonFields;
  readonly changes: readonly JsonFields[]; // of the ticket itself, the earliest first
  readonly articles: readonly JsonFields[];
}

/** What reading tickets keeps: which users are agents, and the names that they have. */
interface Knowledge {
  readonly roles: Map<number, boolean>;
  readonly names: ReturnType<typeof newNames>;
  states: ReadonlyMap<string, string>; // id → status
}

const actor = (id: unknown, { roles }: Knowledge): RawRecord => {
  if (Number(id) === NOBODY) return { automated: true };
  return roles.get(Number(id)) ? { agent: Number(id) } : {};
};

/** The id that a change names; null: none. */
const idOrNull = (id: unknown): number | null => (id === null || id === undefined || id === '' ? null : Number(id));

/** The events of a change by what it changes. */
const CHANGES: Readonly<Record<string, (change: JsonFields, by: RawRecord, knowledge: Knowledge) => RawRecord>> = {
  state: ({ id_to }, by, { states }) => ({ type: 'case.status', ...by, to: states.get(String(id_to)) ?? 'pending' }),
  owner: ({ id_to }, by) => {
    const owner = idOrNull(id_to);
    return { type: 'case.assigned', ...automatedOf(by), agent: owner === NOBODY ? null : owner };
  },
  group: ({ id_to }, by) => ({ type: 'case.assigned', ...automatedOf(by), group: idOrNull(id_to) }),
  priority: ({ id_to }, by) => ({ type: 'case.priority', ...by, priority: PRIORITIES[String(id_to)] ?? null }),
  organization: ({ id_to }, by) => ({ type: 'case.company', ...by, company: idOrNull(id_to) }),
  tag: ({ type, value_to, value_from }, by, { names }) => {
    const label = names.label(String(value_to || value_from));
    return { type: 'case.labels', ...by, ...(type === 'removed' ? { remove: [label] } : { add: [label] }) };
  },
};

/** Of who acted, only that nobody did: in an assignment `agent` is the assignee. */
const automatedOf = ({ automated }: RawRecord): RawRecord => (automated === undefined ? {} : { automated });

function changeOf({ id }: Ticket, change: JsonFields, knowledge: Knowledge): RawRecord[] {
  const make = CHANGES[String(change.attribute)];
  if (make === undefined || change.type === 'created') return [];
  const made = make(change, actor(change.created_by_id, knowledge), knowledge);
  return [{ id: `za:h:${String(change.id)}`, at: change.created_at, case: id, ...made }];
}

function creationOf({ id, fields, changes }: Ticket, { states }: Knowledge): RawRecord[] {
  /** What the ticket began with: what the first change took away, else what it has. */
  const first = (attribute: string, present: unknown): unknown => {
    const change = changes.find((one) => one.attribute === attribute && one.type !== 'created');
    return change === undefined ? present : change.id_from;
  };
  const at = fields.created_at;
  const owner = idOrNull(first('owner', fields.owner_id)) ?? NOBODY;
  const group = idOrNull(first('group', fields.group_id)) ?? undefined;
  const agent = owner === NOBODY ? undefined : owner;
  const status = states.get(String(first('state', fields.state_id))) ?? 'new';
  const created = {
    type: 'case.created',
    id: `za:${id}`,
    at,
    case: id,
    channel: fields.create_article_type_id ?? undefined,
    company: idOrNull(first('organization', fields.organization_id)) ?? undefined,
    priority: PRIORITIES[String(first('priority', fields.priority_id))],
  };
  const isAssigned = agent !== undefined || group !== undefined;
  return [
    created,
    ...(isAssigned ? [{ type: 'case.assigned', id: `za:${id}:a`, at, case: id, agent, group }] : []),
    ...(status === 'new' ? [] : [{ type: 'case.status', id: `za:${id}:s`, at, case: id, to: status }]),
  ];
}

function messageOf({ id: ticket }: Ticket, article: JsonFields): RawRecord {
  const sender = typeof article.sender === 'string' ? article.sender : SENDERS[String(article.sender_id)];
  const by = sender === 'System' ? { automated: true } : sender === 'Agent' ? { agent: article.created_by_id } : {};
  const base = { id: `za:m:${String(article.id)}`, at: article.created_at, case: ticket, ...by };
  if (article.internal === true) return { type: 'note', ...base };
  return { type: 'interaction', ...base, direction: sender === 'Customer' ? 'inbound' : 'outbound' };
}

async function statesOf(line: Line): Promise<ReadonlyMap<string, string>> {
  const path = 'api/v1/ticket_states';
  const all = listIn((await line.get(path, { expand: 'true' }))?.value, path);
  return new Map(all.map((state) => [String(state.id), STATUSES[String(state.state_type)] ?? 'pending']));
}

/** Learns whether a user is an agent; the help desk is asked once. Returns the records of a new agent. */
async function meet(line: Line, id: number, { roles }: Knowledge): Promise<readonly RawRecord[]> {
  if (id <= NOBODY || roles.has(id)) return [];
  const path = `api/v1/users/${id}`;
  const user = await line.get(path, { expand: 'true' });
  const fields = user === undefined ? {} : objectIn(user.value, path);
  roles.set(id, isAgent(fields));
  return isAgent(fields) ? [agentRecord(fields)] : [];
}

/** Reads a ticket with its history and articles; undefined if it is not there. Throws `DeskTrouble`. */
async function readTicket(line: Line, id: string): Promise<Ticket | undefined> {
  const path = `api/v1/tickets/${id}`;
  const [historyPath, articlesPath] = [`api/v1/ticket_history/${id}`, `api/v1/ticket_articles/by_ticket/${id}`];
  const ticket = await line.get(path, { expand: 'true' });
  const history = ticket && (await line.get(historyPath));
  const written = history && (await line.get(articlesPath, { expand: 'true' }));
  if (ticket === undefined || history === undefined || written === undefined) return undefined;
  const timeOf = (change: JsonFields): number => timeIn(change, 'created_at', historyPath);
  const changes = listIn(history.value, historyPath, 'history')
    .filter(({ object }) => object === 'Ticket')
    .sort((a, b) => timeOf(a) - timeOf(b) || Number(a.id) - Number(b.id));
  const articles = listIn(written.value, articlesPath);
  checkEventCount(id, changes.length + articles.length);
  return { id, fields: objectIn(ticket.value, path), changes, articles };
}

/** Reads tickets; it keeps states and who is an agent. */
function readTickets(line: Line, { agents }: DeskSetting): CaseReader {
  const knowledge: Knowledge = {
    roles: new Map(agents.map((id) => [id, true])),
    names: newNames(),
    states: new Map(),
  };
  return {
    async read({ id }) {
      const ticket = await readTicket(line, id);
      if (ticket === undefined) return undefined;
      if (knowledge.states.size === 0) knowledge.states = await statesOf(line);
      const users: RawRecord[] = [];
      for (const change of ticket.changes) users.push(...(await meet(line, Number(change.created_by_id), knowledge)));
      const events = [
        ...creationOf(ticket, knowledge),
        ...ticket.articles.map((article) => messageOf(ticket, article)),
        ...ticket.changes.flatMap((change) => changeOf(ticket, change, knowledge)),
      ];
      return deskRecords(`api/v1/tickets/${id}`, [...users, ...knowledge.names.take(), ...events]);
    },
  };
}

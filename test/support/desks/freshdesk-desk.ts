import { memberId } from '../../../lib/access/member-id.ts';
import { type FakeDesk, seeded, startDesk } from './desk.ts';

type Fields = Record<string, unknown>;

/** A ticket of the fake Freshdesk. */
interface FreshdeskTicket extends Fields {
  readonly id: number;
  readonly created_at: string;
  updated_at: string;
  status: number;
  deleted?: boolean;
  spam?: boolean;
  readonly stats: Record<string, string | null>;
  readonly conversations: Fields[];
}

/** A fake Freshdesk with a history that a seed makes. */
export interface FreshdeskDesk extends FakeDesk {
  readonly tickets: FreshdeskTicket[];
  readonly ratings: Fields[];
  readonly truth: Fields[]; // what happened, as records of docs/import.md
  takesFilters: boolean; // `filter` may stand beside `updated_since`
  /** Adds tickets that began between two times (epoch ms). */
  add(count: number, from: number, to: number): void;
  reply(id: number, at: number, fields?: Fields): void;
  setStatus(id: number, at: number, status: number): void;
  set(id: number, at: number, values: Fields, ...truth: Fields[]): void;
  rate(id: number, at: number, score: number): void;
}

const AGENTS = [
  { id: 42, ticket_scope: 1, contact: { name: 'Ann' } },
  { id: 43, ticket_scope: 1, contact: { name: 'Bob' } },
];
const GROUPS = [{ id: 5, name: 'Billing' }];
const COMPANIES = [{ id: 8, name: 'Acme' }];
const STATUSES: Readonly<Record<number, string>> = { 2: 'open', 3: 'pending', 4: 'resolved', 5: 'closed' };
const CHANNELS: Readonly<Record<number, string>> = {
  1: 'Email',
  2: 'Web',
  3: 'Phone',
  9: 'Web widget',
  10: 'Email',
  11: 'Source 11',
};
const iso = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
const FIELD = memberId('custom_field', 'cf_plan');

/** The histories of some tickets. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: all that can happen to a ticket
function newHistories(random: () => number) {
  const tickets: FreshdeskTicket[] = [];
  const ratings: Fields[] = [];
  const truth: Fields[] = [];
  let [conversation, fact] = [1000, 0];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const byId = (id: number): FreshdeskTicket => tickets.find((one) => one.id === id) as FreshdeskTicket;
  const tell = (ticket: FreshdeskTicket, at: number, record: Fields): void => {
    truth.push({ id: `t${(fact += 1)}`, at: iso(at), case: ticket.id, ...record });
    if (iso(at) > ticket.updated_at) ticket.updated_at = iso(at);
  };
  const reply = (id: number, at: number, fields: Fields = {}): void => {
    const ticket = byId(id);
    const user = pick([42, 43]);
    const one = { id: (conversation += 1), user_id: user, private: false, incoming: false, ...fields };
    ticket.conversations.push({ body: 'SECRET TEXT', created_at: iso(at), ...one });
    if (!one.private && !one.incoming) ticket.stats.first_responded_at ??= iso(at);
    const by = one.incoming || one.user_id > 43 ? {} : { agent: one.user_id };
    const direction = one.incoming ? 'inbound' : 'outbound';
    tell(ticket, at, one.private ? { type: 'note', ...by } : { type: 'interaction', direction, ...by });
  };
  const setStatus = (id: number, at: number, status: number): void => {
    const ticket = byId(id);
    const isReopened = ticket.status >= 4 && status < 4;
    ticket.status = status;
    ticket.stats.status_updated_at = iso(at);
    if (status === 4) ticket.stats.resolved_at = iso(at);
    if (status === 5)
      Object.assign(ticket.stats, { closed_at: iso(at), resolved_at: ticket.stats.resolved_at ?? iso(at) });
    if (isReopened) Object.assign(ticket.stats, { reopened_at: iso(at), resolved_at: null, closed_at: null });
    tell(ticket, at, { type: 'case.status', to: STATUSES[status] ?? 'open' });
  };
  const add = (count: number, from: number, to: number): void => {
    for (let nth = 0; nth < count; nth += 1) {
      const at = Math.floor((from + random() * (to - from - 20_000_000)) / 1000) * 1000;
      const id = tickets.length + 1;
      const [source, priority] = [pick([1, 2, 3, 9, 10, 11]), pick([1, 2, 3, 4])];
      const [agent, group, company] = [pick([42, 43, null]), pick([5, null]), pick([8, null])];
      const [tags, plan] = [pick([[], ['vip'], ['vip', 'refund']]), pick(['gold', null])];
      const ticket: FreshdeskTicket = {
        ...{ id, created_at: iso(at), updated_at: iso(at), status: 2, source, priority, subject: 'SECRET SUBJECT' },
        ...{ requester_id: 900, responder_id: agent, group_id: group, company_id: company, tags, conversations: [] },
        custom_fields: { cf_plan: plan, cf_story: 'SECRET '.repeat(60) },
        stats: { status_updated_at: iso(at), resolved_at: null, closed_at: null, reopened_at: null },
      };
      tickets.push(ticket);
      const values = {
        ...{ channel: memberId('channel', CHANNELS[source] ?? ''), priority: [2, 5, 8, 10][priority - 1] },
        ...(company !== null && { company }),
        ...(tags.length > 0 && { labels: tags.map((tag) => memberId('label', tag)) }),
        ...(plan !== null && { custom_fields: { [FIELD]: plan } }),
      };
      tell(ticket, at, { type: 'case.created', ...values });
      if (agent !== null || group !== null)
        tell(ticket, at, { type: 'case.assigned', ...(agent !== null && { agent }), ...(group !== null && { group }) });
      tell(ticket, at, { type: 'interaction', direction: source === 10 ? 'outbound' : 'inbound' });
      const state = random();
      if (state > 0.7) setStatus(id, at, 2);
      if (random() > 0.2) reply(id, at + 3_600_000);
      if (random() > 0.7) reply(id, at + 3_700_000, { private: true });
      if (random() > 0.8) reply(id, at + 3_800_000, { user_id: 900, incoming: true });
      if (random() > 0.9) reply(id, at + 3_900_000, { user_id: 901 });
      if (state > 0.3 && state <= 0.7) setStatus(id, at + 7_200_000, pick([3, 7]));
      if (state <= 0.3) setStatus(id, at + 7_200_000, 4);
      if (state <= 0.2) {
        truth.splice(-1, 1); // the solve before a reopen is told to nobody who was not there
        setStatus(id, at + 9_000_000, 2);
      }
      if (state <= 0.1) setStatus(id, at + 10_000_000, 5);
    }
  };
  return {
    ...{ tickets, ratings, truth, add, reply, setStatus },
    set: (id: number, at: number, values: Fields, ...told: Fields[]): void => {
      Object.assign(byId(id), values, { updated_at: iso(at) });
      for (const record of told) tell(byId(id), at, record);
    },
    rate: (id: number, at: number, score: number): void => {
      const base = { survey_id: 1, user_id: 900, feedback: 'SECRET', ratings: { default_question: score } };
      ratings.push({ id: 700 + ratings.length, ticket_id: id, created_at: iso(at), ...base });
      const fact = { id: `r${ratings.length}`, at: iso(at), case: id, type: 'csat.rated', score: score > 100 ? 1 : 0 };
      if (score !== 100) truth.push(fact);
    },
  };
}

/** Starts it. */
export async function startFreshdesk(): Promise<FreshdeskDesk> {
  const histories = newHistories(seeded(5));
  const { tickets, ratings } = histories;
  const page = <T>(list: readonly T[], { searchParams }: URL): T[] | undefined => {
    const [nth, size] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('per_page') ?? 30)];
    return nth > 300 ? undefined : list.slice((nth - 1) * size, nth * size);
  };
  const shown = ({ conversations: _, ...ticket }: FreshdeskTicket): Fields => ticket;
  const list = (url: URL): unknown => {
    const [filter, since] = ['filter', 'updated_since'].map((name) => url.searchParams.get(name));
    if (filter && !desk.takesFilters) return undefined;
    const isIn = ({ deleted, spam }: FreshdeskTicket): boolean =>
      filter === 'deleted' ? deleted === true : filter === 'spam' ? spam === true : !deleted && !spam;
    const found = tickets
      .filter((one) => isIn(one) && Date.parse(one.updated_at) > Date.parse(since ?? ''))
      .sort((a, b) => (a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : a.id - b.id));
    return page(found, url)?.map(shown);
  };
  const lists: Readonly<Record<string, (url: URL) => unknown>> = {
    '/api/v2/agents/me': () => AGENTS[0],
    '/api/v2/agents/43': () => AGENTS[1],
    '/api/v2/agents': (url) => page(AGENTS.slice(0, 1), url), // Bob left
    '/api/v2/groups': (url) => page(GROUPS, url),
    '/api/v2/companies': (url) => page(COMPANIES, url),
    '/api/v2/tickets': list,
    '/api/v2/surveys/satisfaction_ratings': (url) => {
      const since = Date.parse(url.searchParams.get('created_since') ?? '');
      return page(ratings.filter(({ created_at }) => Date.parse(String(created_at)) >= since).toReversed(), url);
    },
  };
  const answer = (url: URL): unknown => {
    const make = lists[url.pathname];
    if (make !== undefined) return make(url);
    const [, id, part] = /^\/api\/v2\/tickets\/(\d+)(\/conversations)?$/.exec(url.pathname) ?? [];
    const ticket = tickets.find((one) => String(one.id) === id);
    if (ticket === undefined) return undefined;
    return part === undefined ? shown(ticket) : ticket.deleted ? undefined : page(ticket.conversations, url);
  };
  const isRight = (authorization: string | undefined, token: string): boolean =>
    authorization === `Basic ${Buffer.from(`${token}:X`).toString('base64')}`;
  const desk: FreshdeskDesk = Object.assign(
    await startDesk(answer, ({ headers }, token) => isRight(headers.authorization, token)),
    { ...histories, takesFilters: true },
  );
  return desk;
}

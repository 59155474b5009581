import { type FakeDesk, seeded, startDesk } from './desk.ts';

type Fields = Record<string, unknown>;

/** A ticket of the fake Zendesk. */
interface DeskTicket {
  readonly id: number;
  readonly created_at: string;
  updated_at: string;
  status: string;
  readonly requester_id: number;
  readonly via: { readonly channel: string };
  readonly audits: Fields[];
  isGone?: boolean; // its audits answer 404
}

/** A fake Zendesk with a history that a seed makes. */
export interface ZendeskDesk extends FakeDesk {
  readonly tickets: DeskTicket[];
  readonly users: Fields[];
  now: number; // epoch ms
  pageSize: number; // audits an answer
  /** Adds a comment and a status to a ticket, now. */
  touch(id: number, status?: string): void;
  add(count: number, from: number, to: number): void;
  readonly metrics: Map<number, Fields>; // what Zendesk's own figures of a ticket have instead of what is right
  /** The files that an export of the same history has. */
  files(): string[];
}

const iso = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
const GROUPS = [
  { id: 7, name: 'Billing' },
  { id: 8, name: 'Returns' },
];

/** What Zendesk says of a ticket itself, in minutes. */
function metricsOf({ created_at, audits }: DeskTicket, agents: readonly number[]): Fields {
  const minutes = (at: unknown) => Math.floor((Date.parse(String(at)) - Date.parse(created_at)) / 60_000);
  let [reopens, replies] = [0, 0];
  let [first, solved, isSolved]: [unknown, unknown, boolean] = [null, null, false];
  for (const { author_id, created_at: at, events } of audits)
    for (const event of events as Fields[]) {
      if (event.type === 'Comment' && event.public === true && agents.includes(Number(author_id))) {
        replies += 1;
        first ??= at;
      }
      if (event.type !== 'Change' || event.field_name !== 'status') continue;
      const isNow = event.value === 'solved' || event.value === 'closed';
      if (isSolved && !isNow) reopens += 1;
      if (!isSolved && isNow) solved = at;
      isSolved = isNow;
    }
  const calendar = (at: unknown) => ({ calendar: at === null ? null : minutes(at), business: 1 });
  return {
    ...{ reopens, replies, reply_time_in_minutes: calendar(first) },
    full_resolution_time_in_minutes: calendar(isSolved ? solved : null),
  };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one help desk, its history and its answers
export async function startZendesk({
  now,
  seed = 1,
}: {
  readonly now: number;
  readonly seed?: number;
}): Promise<ZendeskDesk> {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const tickets: DeskTicket[] = [];
  const users: Fields[] = [
    { id: 501, name: 'Ann', role: 'agent' },
    { id: 502, name: 'Bob', role: 'admin' },
    { id: 503, name: 'Cleo', role: 'end-user' },
  ];
  let audit = 1000;
  let comment = 5000;
  const agents = [501, 502];

  const push = (ticket: DeskTicket, at: number, author: number, events: Fields[]): void => {
    const channel = ticket.audits.length === 0 ? ticket.via.channel : 'web';
    audit += 1;
    ticket.audits.push({
      id: audit,
      ticket_id: ticket.id,
      created_at: iso(at),
      author_id: author,
      via: { channel },
      events,
    });
    ticket.updated_at = iso(at);
  };
  const say = (author: number, isPublic: boolean): Fields => ({
    id: (comment += 1),
    type: 'Comment',
    author_id: author,
    public: isPublic,
    body: 'SECRET TEXT',
  });
  const change = (field_name: string, value: unknown, previous_value: unknown = null): Fields => ({
    id: 1,
    type: 'Change',
    field_name,
    value,
    previous_value,
  });

  const add = (count: number, from: number, to: number): void => {
    for (let nth = 0; nth < count; nth += 1) {
      const start = Math.floor(from + random() * (to - from));
      const id = tickets.length + 1;
      const ticket: DeskTicket = {
        ...{ id, created_at: iso(start), updated_at: iso(start), status: 'new', requester_id: 900 + (id % 5) },
        ...{ via: { channel: pick(['email', 'web', 'api']) }, audits: [] },
      };
      tickets.push(ticket);
      push(ticket, start, ticket.requester_id, [
        { type: 'Create', field_name: 'status', value: 'new' },
        { type: 'Create', field_name: 'requester_id', value: String(ticket.requester_id) },
        { type: 'Create', field_name: 'priority', value: pick(['low', 'normal', 'high', 'urgent']) },
        { type: 'Create', field_name: 'tags', value: [pick(['billing', 'refund', 'bug'])] },
        say(ticket.requester_id, true),
      ]);
      let at = start;
      for (let step = Math.floor(random() * 5); step > 0; step -= 1) {
        at = Math.min(to, at + 60_000 + Math.floor(random() * 7_200_000));
        const agent = pick(agents);
        const events: Fields[] = [say(agent, random() > 0.3)];
        if (random() > 0.5)
          events.push(change('assignee_id', String(agent)), change('group_id', String(pick(GROUPS).id)));
        if (random() > 0.4)
          events.push(change('status', (ticket.status = pick(['open', 'pending', 'solved', 'hold'])), 'new'));
        if (random() > 0.8) events.push({ type: 'AgentMacroReference', macro_id: '8', macro_title: 'Close' });
        if (random() > 0.8) events.push(change('tags', ['vip'], []));
        push(ticket, at, agent, events);
        if (random() > 0.7)
          push(ticket, Math.min(to, at + 1000), ticket.requester_id, [change('satisfaction_score', 'good', 'offered')]);
      }
    }
  };

  const page = (list: readonly unknown[], field: string, url: URL, size: number) => {
    const from = Number(url.searchParams.get('page[after]') ?? 0);
    return {
      [field]: list.slice(from, from + size),
      meta: { has_more: from + size < list.length, after_cursor: String(from + size) },
      links: { next: 'http://169.254.169.254/latest' },
    };
  };
  const metrics = new Map<number, Fields>();
  const shown = ({ audits: _, isGone: __, ...ticket }: DeskTicket) => ({ ...ticket, subject: 'SECRET SUBJECT' });

  const desk = await startDesk(
    (url) => {
      const { pathname, searchParams } = url;
      if (pathname === '/api/v2/users/me.json') return { user: { id: 502, role: 'admin' } };
      if (pathname === '/api/v2/users.json')
        return page(
          users.filter(({ role }) => role !== 'end-user'),
          'users',
          url,
          100,
        );
      if (pathname === '/api/v2/users/show_many.json') {
        const ids = new Set(searchParams.get('ids')?.split(','));
        return { users: users.filter(({ id }) => ids.has(String(id))) };
      }
      if (pathname === '/api/v2/groups.json') return page(GROUPS, 'groups', url, 100);
      if (pathname === '/api/v2/macros.json') return page([{ id: 8, title: 'Close', actions: [] }], 'macros', url, 100);
      const [, member] = /^\/api\/v2\/(organizations|ticket_fields|brands)\.json$/.exec(pathname) ?? [];
      if (member !== undefined) return page([], member, url, 100);
      if (pathname === '/api/v2/incremental/tickets/cursor.json') {
        const [time, id] = (searchParams.get('cursor') ?? `${Number(searchParams.get('start_time')) * 1000} 0`)
          .split(' ')
          .map(Number) as [number, number];
        const size = Number(searchParams.get('per_page') ?? 1000);
        const after = tickets
          .filter((one) => Date.parse(one.updated_at) <= extended.now - 60_000)
          .filter((one) => Date.parse(one.updated_at) > time || (Date.parse(one.updated_at) === time && one.id > id))
          .sort((a, b) => Date.parse(a.updated_at) - Date.parse(b.updated_at) || a.id - b.id);
        const some = after.slice(0, size);
        const last = some.at(-1);
        const after_cursor = last === undefined ? `${time} ${id}` : `${Date.parse(last.updated_at)} ${last.id}`;
        return { tickets: some.map(shown), after_cursor, end_of_stream: after.length <= size };
      }
      const [, measured] = /^\/api\/v2\/tickets\/(\d+)\/metrics\.json$/.exec(pathname) ?? [];
      const its = tickets.find(({ id }) => String(id) === measured);
      if (its !== undefined) return { ticket_metric: { ...metricsOf(its, agents), ...metrics.get(its.id) } };
      const [, ticket] = /^\/api\/v2\/tickets\/(\d+)\/audits\.json$/.exec(pathname) ?? [];
      const one = tickets.find(({ id }) => String(id) === ticket);
      return one === undefined || one.isGone ? undefined : page(one.audits, 'audits', url, extended.pageSize);
    },
    ({ headers }, token) =>
      headers.authorization === `Basic ${Buffer.from(`ann@acme.example/token:${token}`).toString('base64')}`,
  );
  const extended: ZendeskDesk = Object.assign(desk, {
    ...{ tickets, users, now, pageSize: 3, add, metrics },
    touch: (id: number, status?: string) => {
      const ticket = tickets.find((one) => one.id === id);
      if (ticket === undefined) return;
      push(ticket, extended.now, 501, [
        say(501, true),
        ...(status === undefined ? [] : [change('status', (ticket.status = status), 'open')]),
      ]);
    },
    files: () => [
      JSON.stringify({ users }),
      JSON.stringify({ groups: GROUPS }),
      JSON.stringify({ audits: tickets.flatMap(({ audits }) => audits) }),
    ],
  });
  return extended;
}

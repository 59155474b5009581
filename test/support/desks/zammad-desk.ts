import { type FakeDesk, seeded, startDesk } from './desk.ts';

type Fields = Record<string, unknown>;

/** A ticket of the fake Zammad. */
interface ZammadTicket extends Fields {
  readonly id: number;
  updated_at: string;
  readonly history: Fields[];
  readonly articles: Fields[];
}

/** A fake Zammad with a history that a seed makes. */
export interface ZammadDesk extends FakeDesk {
  readonly tickets: ZammadTicket[];
  /** Adds tickets that began between two times (epoch ms). */
  add(count: number, from: number, to: number): void;
  /** An agent answers and sets a state at a time. */
  answer(id: number, at: number, state?: number): void;
}

const STATES = [
  ...[
    { id: 1, name: 'new', state_type: 'new' },
    { id: 2, name: 'open', state_type: 'open' },
  ],
  ...[
    { id: 3, name: 'pending reminder', state_type: 'pending reminder' },
    { id: 4, name: 'closed', state_type: 'closed' },
  ],
];
const USERS = [
  { id: 3, firstname: 'Ann', lastname: 'Agent', login: 'ann', roles: ['Agent'] },
  { id: 4, firstname: 'Cleo', lastname: 'Customer', login: 'cleo', roles: ['Customer'] },
];
const iso = (at: number): string => new Date(at).toISOString();

/** The histories of some tickets. */
function newHistories(random: () => number) {
  const tickets: ZammadTicket[] = [];
  let [history, article] = [100, 500];
  const note = (ticket: ZammadTicket, at: number, change: Fields): void => {
    ticket.history.push({
      id: (history += 1),
      object: 'Ticket',
      type: 'updated',
      created_at: iso(at),
      created_by_id: 3,
      ...change,
    });
    ticket.updated_at = iso(at);
  };
  const write = (ticket: ZammadTicket, at: number, fields: Fields): void => {
    ticket.articles.push({ id: (article += 1), created_at: iso(at), internal: false, body: 'SECRET TEXT', ...fields });
    ticket.updated_at = iso(at);
  };
  const answer = (id: number, at: number, state = 4): void => {
    const ticket = tickets.find((one) => one.id === id) as ZammadTicket;
    note(ticket, at, { attribute: 'owner', id_from: ticket.owner_id, id_to: 3 });
    write(ticket, at, { sender: 'Agent', created_by_id: 3 });
    note(ticket, at, { attribute: 'state', id_from: ticket.state_id, id_to: state });
    Object.assign(ticket, { owner_id: 3, state_id: state });
    ticket.first_response_at ??= iso(at);
    if (state === 4) ticket.close_at ??= iso(at);
  };
  const add = (count: number, from: number, to: number): void => {
    for (let nth = 0; nth < count; nth += 1) {
      const at = Math.floor(from + random() * (to - from - 7_200_000));
      const ticket: ZammadTicket = {
        ...{ id: tickets.length + 1, created_at: iso(at), updated_at: iso(at), state_id: 1, owner_id: 1, group_id: 1 },
        ...{
          priority_id: 2,
          organization_id: null,
          create_article_type_id: 5,
          history: [],
          articles: [],
          title: 'SECRET',
        },
      };
      tickets.push(ticket);
      note(ticket, at, { type: 'created', created_by_id: 4 });
      write(ticket, at, { sender: 'Customer', created_by_id: 4 });
      if (random() > 0.5) note(ticket, at + 60_000, { type: 'added', attribute: 'tag', value_to: 'refund' });
      if (random() > 0.4) answer(ticket.id, at + 3_600_000, random() > 0.5 ? 4 : 3);
      if (random() > 0.7) write(ticket, at + 4_000_000, { sender: 'Agent', created_by_id: 3, internal: true });
    }
  };
  return { tickets, add, answer };
}

/** Starts it; `knowsTimes`: its search does, as with Elasticsearch. */
export async function startZammad({ knowsTimes = true } = {}): Promise<ZammadDesk> {
  const histories = newHistories(seeded(7));
  const { tickets } = histories;
  const shown = ({ history: _, articles, ...ticket }: ZammadTicket) => ({ article_count: articles.length, ...ticket });
  const search = ({ searchParams }: URL) => {
    const [, from = ''] = /updated_at:\[(\S+) TO \*\]/.exec(searchParams.get('query') ?? '') ?? [];
    const [limit, page] = [Number(searchParams.get('limit')), Number(searchParams.get('page') ?? 1)];
    return tickets
      .filter(({ updated_at }) => knowsTimes && Date.parse(updated_at) >= Date.parse(from))
      .sort((a, b) => Date.parse(a.updated_at) - Date.parse(b.updated_at) || a.id - b.id)
      .slice((page - 1) * limit, page * limit)
      .map(shown);
  };
  const lists: Readonly<Record<string, (url: URL) => unknown>> = {
    '/api/v1/users/me': () => USERS[0],
    '/api/v1/tickets/search': search,
    '/api/v1/tickets': () => tickets.map(shown),
    '/api/v1/users': () => USERS,
    '/api/v1/groups': () => [{ id: 1, name: 'Users' }],
    '/api/v1/organizations': () => [],
    '/api/v1/ticket_article_types': () => [{ id: 5, name: 'web' }],
    '/api/v1/ticket_states': () => STATES,
  };
  const desk = await startDesk(
    (url) => {
      const list = lists[url.pathname];
      if (list !== undefined) return list(url);
      const [, kind = '', id] =
        /^\/api\/v1\/(users|tickets|ticket_history|ticket_articles\/by_ticket)\/(\d+)$/.exec(url.pathname) ?? [];
      if (kind === 'users') return USERS.find((user) => String(user.id) === id);
      const ticket = tickets.find((one) => String(one.id) === id);
      if (ticket === undefined) return undefined;
      return kind === 'tickets'
        ? shown(ticket)
        : kind === 'ticket_history'
          ? { history: ticket.history }
          : ticket.articles;
    },
    ({ headers }, token) => headers.authorization === `Token token=${token}`,
  );
  return Object.assign(desk, histories);
}

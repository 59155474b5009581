import { type FakeDesk, seeded, startDesk } from './desk.ts';

type Fields = Record<string, unknown>;

/** A conversation of the fake Chatwoot, as its tables have it. Times in epoch ms. */
interface Conversation {
  readonly row: number; // the id in its tables
  readonly id: number; // the one that people see
  readonly created: number;
  active: number; // the last activity
  status: string;
  priority: string | null;
  assignee: number | null;
  team: number | null;
  labels: string[];
  readonly messages: Message[];
  readonly events: Event[];
}
interface Message {
  readonly id: number;
  readonly at: number;
  readonly type: number;
  readonly private: boolean;
  readonly sender: 'User' | 'Contact' | 'AgentBot' | null;
  readonly sender_id: number | null;
}
interface Event {
  readonly id: number;
  readonly name: string;
  readonly at: number;
  readonly user: number | null;
}
interface Rating {
  readonly id: number;
  readonly conversation: Conversation;
  readonly rating: number;
  readonly at: number;
}

/** A fake Chatwoot with a history that a seed makes. */
export interface ChatwootDesk extends FakeDesk {
  readonly conversations: Conversation[];
  readonly ratings: Rating[];
  pageSize: number; // conversations of a list
  hasEvents: boolean; // it answers reporting events, as the enterprise edition does
  shuffled: boolean; // lists come in no good order within a page, and repeat an entry
  /** Adds conversations that began between two times (epoch ms). */
  add(count: number, from: number, to: number): void;
  /** Something happens to a conversation at a time. */
  reply(id: number, at: number): void;
  setStatus(id: number, at: number, status: string): void;
  set(id: number, at: number, values: Partial<Pick<Conversation, 'assignee' | 'team' | 'priority' | 'labels'>>): void;
  rate(id: number, at: number, rating: number): void;
  remove(id: number): void;
  /** The rows of its tables, as SQL. */
  sql(): string;
}

const ACCOUNT = 4;
const USERS = [
  { id: 42, name: 'Ann', role: 'administrator' },
  { id: 43, name: 'Bob', role: 'agent' },
];
const TEAMS = [{ id: 5, name: 'billing' }];
const INBOXES = [
  { id: 3, name: 'Website', channel_type: 'Channel::WebWidget' },
  { id: 6, name: 'Mail', channel_type: 'Channel::Email' },
];
const LABELS = [
  { id: 11, title: 'vip' },
  { id: 12, title: 'refund' },
];
const PRIORITIES = ['low', 'medium', 'high', 'urgent'];
const seconds = (at: number): number => Math.floor(at / 1000);
const named = (list: readonly Fields[], id: number | null): Fields | undefined => list.find((one) => one.id === id);

/** The histories of some conversations. */
function newHistories(random: () => number) {
  const conversations: Conversation[] = [];
  const ratings: Rating[] = [];
  let [message, event] = [1000, 300];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const byId = (id: number): Conversation => conversations.find((one) => one.id === id) as Conversation;
  const say = (
    one: Conversation,
    at: number,
    fields: Pick<Message, 'type' | 'sender' | 'sender_id'> & { private?: boolean },
  ) => {
    one.messages.push({ id: (message += 1), at, private: false, ...fields });
    one.active = Math.max(one.active, at);
  };
  const note = (one: Conversation, at: number) => say(one, at, { type: 2, sender: null, sender_id: null });
  const answer = (one: Conversation, at: number, isPrivate = false) =>
    say(one, at, { type: 1, sender: 'User', sender_id: pick(USERS).id, private: isPrivate });
  const change = (one: Conversation, at: number, status: string) => {
    if (one.status === status) return;
    one.status = status;
    note(one, at);
    const name = { resolved: 'conversation_resolved', open: 'conversation_opened' }[status];
    if (name !== undefined) one.events.push({ id: (event += 1), name, at, user: one.assignee });
  };
  const add = (count: number, from: number, to: number): void => {
    for (let nth = 0; nth < count; nth += 1) {
      const at = Math.floor(from + random() * (to - from - 20_000_000));
      const id = (conversations.at(-1)?.id ?? 0) + 1;
      const one: Conversation = {
        ...{ row: 9_000 + id, id, created: at, active: at, status: 'open', messages: [], events: [] },
        ...{ priority: random() > 0.5 ? pick(PRIORITIES) : null, team: random() > 0.6 ? 5 : null },
        ...{ assignee: random() > 0.3 ? pick(USERS).id : null, labels: random() > 0.6 ? [pick(LABELS).title] : [] },
      };
      conversations.push(one);
      say(one, at, { type: 0, sender: 'Contact', sender_id: 5 });
      if (random() > 0.7) say(one, at + 5, { type: 3, sender: null, sender_id: null });
      if (random() > 0.8) say(one, at + 1_000, { type: 1, sender: 'AgentBot', sender_id: 9 });
      if (random() > 0.2) {
        answer(one, at + 3_600_100);
        one.events.push({ id: (event += 1), name: 'first_response', at: at + 3_600_100, user: one.assignee });
      }
      if (random() > 0.7) answer(one, at + 3_700_000, true);
      if (random() > 0.3) change(one, at + 7_200_777, 'resolved');
      if (random() > 0.8) {
        say(one, at + 9_000_000, { type: 0, sender: 'Contact', sender_id: 5 });
        change(one, at + 9_000_001, 'open');
      }
      if (random() > 0.9) change(one, at + 9_500_000, 'snoozed');
    }
  };
  return {
    ...{ conversations, ratings, add },
    reply: (id: number, at: number) => answer(byId(id), at),
    setStatus: (id: number, at: number, status: string) => change(byId(id), at, status),
    set: (id: number, at: number, values: object) => {
      Object.assign(byId(id), values);
      note(byId(id), at);
    },
    rate: (id: number, at: number, rating: number) =>
      void ratings.push({ id: 700 + ratings.length, conversation: byId(id), rating, at }),
    remove: (id: number) => {
      conversations.splice(conversations.indexOf(byId(id)), 1);
    },
  };
}

const shownMessage = ({ id, at, type, private: isPrivate, sender, sender_id }: Message): Fields => ({
  ...{ id, content: 'SECRET TEXT', message_type: type, private: isPrivate, created_at: seconds(at) },
  ...(sender === 'User' && { sender: { ...named(USERS, sender_id), type: 'user' } }),
  ...(sender === 'Contact' && { sender: { id: sender_id, name: 'SECRET NAME', type: 'contact' } }),
  ...(sender === 'AgentBot' && { sender: { id: sender_id, name: 'Bot', type: 'agent_bot' } }),
});

const shown = (one: Conversation): Fields => ({
  meta: {
    sender: { id: 5, name: 'SECRET NAME', email: 'SECRET@example.com' },
    channel: 'Channel::WebWidget',
    ...(one.assignee !== null && { assignee: named(USERS, one.assignee) }),
    ...(one.team !== null && { team: named(TEAMS, one.team) }),
  },
  ...{ id: one.id, account_id: ACCOUNT, inbox_id: one.id % 2 === 0 ? 6 : 3, labels: one.labels, status: one.status },
  messages: one.messages.slice(-1).map(shownMessage),
  ...{ created_at: seconds(one.created), last_activity_at: seconds(one.active), priority: one.priority },
  ...{ timestamp: seconds(one.active), unread_count: 0, custom_attributes: {}, snoozed_until: null },
});

/** Starts it. */
export async function startChatwoot(): Promise<ChatwootDesk> {
  const histories = newHistories(seeded(11));
  const { conversations, ratings } = histories;
  const root = `/api/v1/accounts/${ACCOUNT}`;
  const page = <T>(list: readonly T[], { searchParams }: URL, size: number): T[] => {
    const from = (Number(searchParams.get('page') ?? 1) - 1) * size;
    const some = list.slice(from, from + size);
    const [first] = some;
    return desk.shuffled && first !== undefined ? [...some.toReversed(), first] : some;
  };
  const lists: Readonly<Record<string, (url: URL) => unknown>> = {
    '/api/v1/profile': () => ({
      ...USERS[0],
      accounts: [
        { id: ACCOUNT, name: 'Acme', role: 'administrator' },
        { id: 8, role: 'agent' },
      ],
    }),
    [`${root}/agents`]: () => USERS.slice(0, 1), // Bob left
    [`${root}/teams`]: () => TEAMS,
    [`${root}/inboxes`]: () => ({ payload: INBOXES }),
    [`${root}/labels`]: () => ({ payload: LABELS }),
    [`${root}/conversations`]: (url) => {
      const sorted = [...conversations].sort((a, b) => b.active - a.active || b.id - a.id);
      return {
        data: { meta: { all_count: conversations.length }, payload: page(sorted, url, desk.pageSize).map(shown) },
      };
    },
    [`${root}/csat_survey_responses`]: (url) => {
      const [since, until] = ['since', 'until'].map((name) => Number(url.searchParams.get(name)) * 1000) as [
        number,
        number,
      ];
      const found = ratings
        .filter(({ at }) => at >= since && at < until)
        .sort((a, b) => a.at - b.at)
        .map(({ id, rating, at, conversation }) => ({
          ...{ id, rating, feedback_message: 'SECRET', account_id: ACCOUNT, message_id: 1, created_at: seconds(at) },
          ...{ conversation_id: conversation.id, contact: { id: 5, name: 'SECRET NAME' } },
        }));
      return page(found, url, 25);
    },
  };
  const answer = (url: URL): unknown => {
    const list = lists[url.pathname];
    if (list !== undefined) return list(url);
    const [, id, part] =
      new RegExp(`^${root}/conversations/(\\d+)(?:/(messages|reporting_events))?$`).exec(url.pathname) ?? [];
    const one = conversations.find((each) => String(each.id) === id);
    if (one === undefined) return undefined;
    if (part === undefined) return shown(one);
    if (part === 'messages') {
      const after = Number(url.searchParams.get('after'));
      const later = one.messages.filter((message) => message.id > after).sort((a, b) => a.at - b.at);
      return { meta: { labels: one.labels }, payload: later.slice(0, 100).map(shownMessage) };
    }
    if (!desk.hasEvents) return undefined;
    return one.events.map(({ id: event, name, at, user }) => ({
      ...{
        id: event,
        name,
        value: seconds(at) - seconds(one.created),
        event_start_time: new Date(one.created).toISOString(),
      },
      ...{ event_end_time: new Date(at).toISOString(), account_id: ACCOUNT, conversation_id: one.row, user_id: user },
    }));
  };
  const desk: ChatwootDesk = Object.assign(
    await startDesk(answer, ({ headers }, token) => headers.api_access_token === token),
    { ...histories, pageSize: 25, hasEvents: true, shuffled: false, sql: () => sqlOf(conversations, ratings) },
  );
  return desk;
}

const time = (at: number): string => `'${new Date(at).toISOString().slice(0, -1).replace('T', ' ')}456'`; // µs, which its API does not show
const insert = (table: string, rows: readonly (readonly unknown[])[]): string =>
  rows.length === 0
    ? ''
    : `INSERT INTO ${table} VALUES ${rows.map((row) => `(${row.map((value) => value ?? 'NULL').join(',')})`).join(',')};\n`;
const text = (value: string | null): string | null => (value === null ? null : `'${value}'`);

/** The tables that the query of the documentation reads. */
export const CHATWOOT_TABLES = `
CREATE TABLE users (id int, name text, updated_at timestamp);
CREATE TABLE teams (id int, name text, account_id int, updated_at timestamp);
CREATE TABLE inboxes (id int, name text, account_id int, updated_at timestamp);
CREATE TABLE labels (id int, title text, account_id int, updated_at timestamp);
CREATE TABLE conversations (id int, display_id int, account_id int, inbox_id int, priority int, assignee_id int, team_id int,
  cached_label_list text, created_at timestamp, last_activity_at timestamp);
CREATE TABLE messages (id int, conversation_id int, message_type int, private boolean, sender_type text, sender_id int, created_at timestamp);
CREATE TABLE reporting_events (id int, name text, conversation_id int, user_id int, event_end_time timestamp, created_at timestamp);
CREATE TABLE csat_survey_responses (id int, conversation_id int, rating int, created_at timestamp);
`;

function sqlOf(conversations: readonly Conversation[], ratings: readonly Rating[]): string {
  const members = (table: string, list: readonly { id: number; name?: string; title?: string }[]) =>
    insert(
      table,
      list.map(({ id, name, title }) => [
        id,
        text(name ?? title ?? ''),
        ...(table === 'users' ? [] : [ACCOUNT]),
        time(0),
      ]),
    );
  return [
    members('users', USERS) + members('teams', TEAMS) + members('inboxes', INBOXES) + members('labels', LABELS),
    insert(
      'conversations',
      conversations.map((one) => [
        ...[one.row, one.id, ACCOUNT, one.id % 2 === 0 ? 6 : 3],
        ...[one.priority && PRIORITIES.indexOf(one.priority), one.assignee, one.team],
        ...[text(one.labels.join(', ')), time(one.created), time(one.active)],
      ]),
    ),
    insert(
      'messages',
      conversations.flatMap(({ row, messages }) =>
        messages.map((one) => [one.id, row, one.type, one.private, text(one.sender), one.sender_id, time(one.at)]),
      ),
    ),
    insert(
      'reporting_events',
      conversations.flatMap(({ row, events }) =>
        events.map((one) => [one.id, text(one.name), row, one.user, time(one.at), time(one.at)]),
      ),
    ),
    insert(
      'csat_survey_responses',
      ratings.map(({ id, conversation, rating, at }) => [id, conversation.row, rating, time(at)]),
    ),
  ].join('');
}

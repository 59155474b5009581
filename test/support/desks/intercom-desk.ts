import { memberId } from '../../../lib/access/member-id.ts';
import { type FakeDesk, seeded, startDesk } from './desk.ts';

type Fields = Record<string, unknown>;

/** A conversation of the fake Intercom. */
interface IntercomConversation extends Fields {
  readonly id: string;
  readonly created_at: number;
  updated_at: number;
  readonly parts: Fields[];
}

/** A fake Intercom with a history that a seed makes. */
export interface IntercomDesk extends FakeDesk {
  readonly conversations: IntercomConversation[];
  readonly truth: Fields[]; // what happened, as records of docs/import.md
  pageSize: number; // conversations of a list at most
  isOrdered: boolean; // the search knows the order that it is asked for
  /** Adds conversations that began between two times (epoch ms). */
  add(count: number, from: number, to: number): void;
  /** Adds a part at a time, and what it says. */
  part(id: string, at: number, fields: Fields, ...truth: Fields[]): void;
  set(id: string, at: number, values: Fields, ...truth: Fields[]): void;
  remove(id: string): void;
}

const ADMINS = [
  { type: 'admin', id: '42', name: 'Ann', email: 'ann@acme.example' },
  { type: 'admin', id: '43', name: 'Bob', email: 'bob@acme.example' },
];
const TEAMS = [{ type: 'team', id: '5', name: 'Billing' }];
const TAGS = [
  { type: 'tag', id: '11', name: 'vip' },
  { type: 'tag', id: '12', name: 'refund' },
];
const CHANNELS: Readonly<Record<string, string>> = { conversation: 'Messaging', email: 'Email', whatsapp: 'WhatsApp' };
const CUSTOMER = { type: 'user', id: '6f00', name: 'SECRET NAME', email: 'SECRET@example.com' };
const BOT = { type: 'bot', id: '9', name: 'Fin' };
const seconds = (at: number): number => Math.floor(at / 1000);
const IN = { type: 'interaction', direction: 'inbound' };
const out = (agent: number): Fields => ({ type: 'interaction', direction: 'outbound', agent });

/** The histories of some conversations. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: all that can happen to a conversation
function newHistories(random: () => number) {
  const conversations: IntercomConversation[] = [];
  const truth: Fields[] = [];
  let [nth, fact] = [1000, 0];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const byId = (id: string): IntercomConversation => conversations.find((one) => one.id === id) as IntercomConversation;
  const tell = (id: string, at: number, records: readonly Fields[]): void => {
    for (const record of records)
      truth.push({ id: `t${(fact += 1)}`, at: new Date(seconds(at) * 1000).toISOString(), case: id, ...record });
    byId(id).updated_at = Math.max(byId(id).updated_at, seconds(at));
  };
  const part = (id: string, at: number, fields: Fields, ...told: Fields[]): void => {
    byId(id).parts.push({
      type: 'conversation_part',
      id: String((nth += 1)),
      created_at: seconds(at),
      body: null,
      ...fields,
    });
    tell(id, at, told);
  };
  const add = (count: number, from: number, to: number): void => {
    for (let more = 0; more < count; more += 1) {
      const at = Math.floor(from + random() * (to - from - 20_000_000));
      const id = String(21_000_001 + conversations.length);
      const [type, priority, tags] = [
        pick(Object.keys(CHANNELS)),
        pick(['priority', 'not_priority']),
        pick([[], [TAGS[0]], TAGS]),
      ];
      const author = pick([CUSTOMER, CUSTOMER, ADMINS[0], BOT]);
      conversations.push({
        ...{ type: 'conversation', id, created_at: seconds(at), updated_at: seconds(at), title: 'SECRET', open: true },
        source: { type, id: '1', delivered_as: 'customer_initiated', subject: 'SECRET', body: '<p>SECRET</p>', author },
        ...{ priority, tags: { type: 'tag.list', tags }, conversation_rating: null, parts: [] },
      });
      const created = { type: 'case.created', channel: memberId('channel', CHANNELS[type] ?? '') };
      const labels = tags.map((tag) => Number(tag?.id));
      const first =
        author === CUSTOMER ? IN : author === BOT ? { ...out(0), agent: undefined, automated: true } : out(42);
      tell(id, at, [
        { ...created, ...(priority === 'priority' && { priority: 8 }), ...(labels.length > 0 && { labels }) },
        first,
      ]);
      const admin = pick(ADMINS);
      const agent = Number(admin.id);
      part(
        id,
        at + 1000,
        { part_type: 'default_assignment', author: BOT, assigned_to: TEAMS[0] },
        { type: 'case.assigned', automated: true, group: 5 },
      );
      if (random() > 0.3)
        part(
          id,
          at + 2_000_000,
          { part_type: 'assignment', author: admin, assigned_to: admin },
          { type: 'case.assigned', agent },
        );
      if (random() > 0.2) part(id, at + 3_600_000, { part_type: 'comment', author: admin, body: 'SECRET' }, out(agent));
      if (random() > 0.8)
        part(id, at + 3_700_000, { part_type: 'note', author: admin, body: 'SECRET' }, { type: 'note', agent });
      if (random() > 0.8)
        part(id, at + 3_800_000, { part_type: 'comment', author: { ...CUSTOMER, type: 'lead' }, body: 'SECRET' }, IN);
      if (random() > 0.9)
        part(
          id,
          at + 4_000_000,
          { part_type: 'snoozed', author: admin },
          { type: 'case.status', to: 'pending', agent },
        );
      if (random() > 0.3)
        part(id, at + 7_200_000, { part_type: 'close', author: admin, body: 'SECRET' }, out(agent), {
          type: 'case.status',
          to: 'resolved',
          agent,
        });
      if (random() > 0.8)
        part(
          id,
          at + 9_000_000,
          { part_type: 'note_and_reopen', author: admin, body: 'SECRET' },
          { type: 'note', agent },
          { type: 'case.status', to: 'open', agent },
        );
      part(id, at + 9_100_000, { part_type: 'conversation_attribute_updated_by_admin', author: admin });
    }
  };
  return {
    ...{ conversations, truth, add, part },
    set: (id: string, at: number, values: Fields, ...told: Fields[]): void => {
      Object.assign(byId(id), values);
      tell(id, at, told);
    },
    remove: (id: string): void => {
      conversations.splice(conversations.indexOf(byId(id)), 1);
    },
  };
}

/** Its own figures, by what happened. */
function statisticsOf({ id, created_at, parts }: IntercomConversation, truth: readonly Fields[]): Fields {
  const own = truth.filter((fact) => fact.case === id);
  const since = (fact: Fields | undefined): number | null =>
    fact === undefined ? null : Date.parse(String(fact.at)) / 1000 - created_at;
  const closes = own.filter(({ to }) => to === 'resolved');
  return {
    time_to_admin_reply: since(own.find(({ type, agent }) => type === 'interaction' && agent !== undefined)),
    time_to_last_close: since(closes.at(-1)),
    count_reopens: own.filter(({ to }, nth) => to === 'open' && own.slice(0, nth).some((one) => one.to === 'resolved'))
      .length,
    count_conversation_parts: parts.length,
  };
}

interface Search {
  readonly query: {
    readonly value: readonly [{ readonly field: string; readonly operator: string; readonly value: number }];
  };
  readonly pagination: { readonly per_page: number; readonly starting_after?: string };
}

/** Starts it. */
export async function startIntercom(): Promise<IntercomDesk> {
  const histories = newHistories(seeded(3));
  const { conversations } = histories;
  const shown = ({ parts: _, ...conversation }: IntercomConversation): Fields => conversation;
  /** A page begins behind the place that its cursor names, as its list was then. */
  const search = ({ query, pagination }: Search): unknown => {
    const { starting_after: after, per_page } = pagination;
    const sorted = conversations
      .filter(({ updated_at }) => updated_at > query.value[0].value)
      .sort(
        (a, b) =>
          (desk.isOrdered ? a.updated_at - b.updated_at : b.updated_at - a.updated_at) || Number(a.id) - Number(b.id),
      );
    const [time, id] = (after === undefined ? '' : Buffer.from(after, 'base64').toString()).split(' ').map(Number);
    const place = ({ updated_at, id: own }: IntercomConversation): number =>
      time === undefined || after === undefined
        ? 1
        : (desk.isOrdered ? updated_at - time : time - updated_at) || Number(own) - Number(id);
    const rest = sorted.filter((one) => place(one) > 0);
    const some = rest.slice(0, Math.min(per_page, desk.pageSize));
    const last = some.at(-1);
    const next = last && rest.length > some.length && Buffer.from(`${last.updated_at} ${last.id}`).toString('base64');
    const pages = {
      type: 'pages',
      page: 1,
      per_page,
      total_pages: 1,
      ...(next && { next: { per_page, starting_after: next } }),
    };
    return { type: 'conversation.list', pages, total_count: sorted.length, conversations: some.map(shown) };
  };
  const lists: Readonly<Record<string, unknown>> = {
    '/me': { ...ADMINS[0], app: { id_code: 'x' } },
    '/admins': { type: 'admin.list', admins: ADMINS.slice(0, 1) }, // Bob left
    '/teams': { type: 'team.list', teams: TEAMS },
    '/tags': { type: 'list', data: TAGS },
  };
  const desk: IntercomDesk = Object.assign(
    await startDesk(
      ({ pathname }, _request, body) => {
        if (pathname === '/conversations/search') return search(JSON.parse(body));
        if (pathname in lists) return lists[pathname];
        const one = conversations.find(({ id }) => pathname === `/conversations/${id}`);
        if (one === undefined) return undefined;
        const list = { type: 'conversation_part.list', conversation_parts: one.parts, total_count: one.parts.length };
        return { ...shown(one), conversation_parts: list, statistics: statisticsOf(one, histories.truth) };
      },
      ({ headers }, token) => headers.authorization === `Bearer ${token}`,
    ),
    { ...histories, pageSize: 1_000, isOrdered: true },
  );
  return desk;
}

import type { CaseEvent } from '../../history/cases/event.ts';
import { caseSubject } from '../../history/cases/subject.ts';
import { isJsonObject } from '../../json.ts';
import type { JsonFields } from '../../json-readers.ts';
import type { CaseStatus } from '../../vocabulary.ts';
import { idIn, type Line, listIn, objectIn, timeIn } from '../call.ts';
import type { VendorCheck } from '../check/check.ts';
import type { CaseReader, DeskSetting, ListedCase, ListFrom, ListPage, Vendor } from '../desk.ts';
import { deskRecords, fieldOf, isoTime, memberRecord, type RawRecord, shortName, textsOf } from '../records.ts';
import { isHmac } from '../signatures.ts';
import { checkEventCount, DeskTrouble, Unfit } from '../trouble.ts';
import { listInTurn } from './by-time.ts';
import { newestPage } from './newest-first.ts';
import { heldBy, ownEvents, type PresentCase, presentEvents } from './present.ts';
import { ratingsPage } from './ratings.ts';

const RATINGS_PAGE = 25;
const MESSAGES_PAGE = 100;
const OVERLAP = 20; // messages of a page that the next one has again: they come by time, and are asked for by id
const EVER = 4_102_444_800; // epoch s, 2100
const PREFIX = 'cw';
const PRIORITIES: Readonly<Record<string, number>> = { low: 2, medium: 5, high: 8, urgent: 10 };
const STATUSES: Readonly<Record<string, CaseStatus>> = {
  open: 'open',
  resolved: 'resolved',
  pending: 'pending',
  snoozed: 'pending',
};
/** Reporting events that tell a status. */
const TOLD: Readonly<Record<string, CaseStatus>> = { conversation_resolved: 'resolved', conversation_opened: 'open' };
const [INCOMING, ACTIVITY] = [0, 2]; // types of messages

const check: VendorCheck = {
  unit: 1,
  resolution: 'last',
  async figures(line, id, account) {
    const path = pathOf(account, `conversations/${id}/reporting_events`);
    const answer = await notForbidden(line.get(path));
    if (answer === undefined) return {}; // nothing to compare with
    const values = new Map(listIn(answer.value, path).map(({ name, value }) => [String(name), Number(value)]));
    return {
      first_reply: values.get('first_response') ?? null,
      resolution: values.get('conversation_resolved') ?? null,
    };
  },
};

/** An answer; undefined also where the account may not ask (403). */
const notForbidden = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof DeskTrouble && error.status === 403) return undefined;
    throw error;
  });

/** Chatwoot: conversations by their last activity, each with its messages and, where it has them, reporting events. */
export const chatwoot: Vendor = {
  title: 'Chatwoot',
  hosts: {},
  prefix: PREFIX,
  check,
  needsAccount: true,
  delay: 0,
  packs: [],
  headers: ({ token }) => ({ api_access_token: token }),
  async test(line, account) {
    const path = 'api/v1/profile';
    const accounts = listIn((await line.get(path))?.value, path, 'accounts');
    const own = accounts.find(({ id }) => id === account);
    if (own === undefined) throw new Unfit(`The token's user has no account ${account}.`, 'account');
    if (own.role !== 'administrator')
      throw new DeskTrouble(
        'refused',
        `The token's user has the role ${String(own.role)}: an administrator's is needed.`,
      );
  },
  list: (line, from, account, setting) =>
    listInTurn([(part) => conversations(line, part, account), (part) => ratings(line, part, account, setting)], from),
  async *members(line, account) {
    for (const [name, type, field] of [
      ['teams', 'group', []],
      ['inboxes', 'channel', ['payload']],
      ['labels', 'label', ['payload']],
      ['agents', 'agent', []],
    ] as const) {
      const path = pathOf(account, name);
      const list = listIn((await line.get(path))?.value, path, ...field);
      yield deskRecords(
        path,
        list.map((fields) => memberRecord(type, fields, fields.title)),
      );
    }
  },
  reader: async (line, setting, account) => readConversations(line, setting, account),
  proof: {
    signed: (body, header, secret) =>
      isHmac(
        header('x-chatwoot-signature').replace(/^sha256=/, ''),
        secret,
        [header('x-chatwoot-timestamp'), '.', body],
        { hash: 'sha256', form: 'hex' },
      ),
    sentAt: (header) => Number(header('x-chatwoot-timestamp')) * 1000,
    caseOf: ({ event, id, conversation }) =>
      fieldOf(conversation, 'id') ?? (String(event).startsWith('conversation_') ? id : undefined),
  },
};

const pathOf = (account: number | undefined, rest: string): string => `api/v1/accounts/${account}/${rest}`;

/** A page of the conversations that changed, the newest first. */
const conversations = (line: Line, from: ListFrom, account: number | undefined): Promise<ListPage> =>
  newestPage(from, async (page) => {
    const path = pathOf(account, 'conversations');
    const query = { status: 'all', assignee_type: 'all', sort_by: 'last_activity_at_desc', page };
    const answer = (await line.get(path, query))?.value;
    const total = fieldOf(fieldOf(fieldOf(answer, 'data'), 'meta'), 'all_count');
    const cases = listIn(answer, path, 'data', 'payload').map(
      (fields): ListedCase => ({ id: idIn(fields, 'id', path), changed: timeIn(fields, 'last_activity_at', path) }),
    );
    return { cases, total: typeof total === 'number' ? total : undefined };
  });

/** A page of ratings; a rating is no activity of its conversation. */
function ratings(
  line: Line,
  from: ListFrom,
  account: number | undefined,
  setting: Pick<DeskSetting, 'rating'>,
): Promise<ListPage> {
  const path = pathOf(account, 'csat_survey_responses');
  return ratingsPage(from, {
    ...{ path, prefix: PREFIX, caseField: 'conversation_id', size: RATINGS_PAGE, setting },
    ask: async (since, page) => {
      const query = { since: Math.floor(since / 1000), until: EVER, sort: 'created_at', page };
      return listIn((await line.get(path, query))?.value, path);
    },
    isGood: ({ rating }) => (Number(rating) > 3 ? true : Number(rating) < 3 ? false : undefined),
  });
}

/** What of a conversation is read. */
interface Conversation {
  readonly id: string;
  readonly fields: JsonFields;
  readonly messages: readonly JsonFields[]; // by id
  readonly events: readonly JsonFields[] | undefined; // undefined: this Chatwoot has no such endpoint
}

function messageOf({ id: conversation }: Conversation, message: JsonFields): RawRecord[] {
  const { id, message_type: kind, private: isPrivate, sender, created_at } = message;
  if (kind === ACTIVITY) return [];
  const by =
    kind === INCOMING
      ? {}
      : fieldOf(sender, 'type') === 'user'
        ? { agent: fieldOf(sender, 'id') }
        : { automated: true };
  const at = isoTime(timeIn({ created_at }, 'created_at', `messages of ${conversation}`));
  const base = { id: `${PREFIX}:m:${String(id)}`, at, case: conversation, ...by };
  if (isPrivate === true) return [{ type: 'note', ...base }];
  return [{ type: 'interaction', ...base, direction: kind === INCOMING ? 'inbound' : 'outbound' }];
}

function eventOf({ id: conversation }: Conversation, event: JsonFields): RawRecord[] {
  const to = TOLD[String(event.name)];
  if (to === undefined) return [];
  const { id, user_id: agent, event_end_time, created_at } = event;
  const at = event_end_time ?? created_at;
  return [
    { type: 'case.status', id: `${PREFIX}:e:${String(id)}`, at, case: conversation, agent: agent ?? undefined, to },
  ];
}

/** Since when a conversation has its status, in epoch s: by the newest activity since it was last read, if there is one. */
function statusAt({ messages, fields }: Conversation, own: readonly CaseEvent[]): number {
  const seen = Math.max(0, ...own.map(({ at }) => at / 1_000_000));
  const activities = messages.flatMap(({ message_type: kind, created_at: at }) =>
    kind === ACTIVITY ? [Number(at)] : [],
  );
  const newest = Math.max(0, ...activities);
  return newest >= Math.floor(seen) ? newest : Number(fields.last_activity_at);
}

/** What a conversation has now; its status only if no reporting events tell it, or it was taken for deleted. */
function presentOf(conversation: Conversation, own: readonly CaseEvent[], labels: readonly unknown[]): PresentCase {
  const { id, fields, events } = conversation;
  const path = `conversations/${id}`;
  const meta = objectIn(fields.meta, `${path}: meta`);
  const tellsStatus = events === undefined || heldBy(own).status === 'deleted';
  return {
    ...{ prefix: PREFIX, id, created: isoTime(timeIn(fields, 'created_at', path)) },
    channel: Number(idIn(fields, 'inbox_id', path)),
    changed: timeIn(fields, 'last_activity_at', path) / 1000,
    statusAt: statusAt(conversation, own),
    values: {
      agent: idOrNull(meta.assignee),
      group: idOrNull(meta.team),
      priority: PRIORITIES[String(fields.priority)] ?? null,
      labels: labels.map(Number),
      ...(tellsStatus && { status: STATUSES[String(fields.status)] ?? 'open' }),
    },
  };
}

/** All messages of a conversation; undefined if it is not there. */
async function messagesOf(line: Line, path: string, id: string): Promise<JsonFields[] | undefined> {
  const messages = new Map<number, JsonFields>();
  for (let after = 0; ; ) {
    const answer = await line.get(path, { after });
    if (answer === undefined) return undefined;
    const before = messages.size;
    const page = listIn(answer.value, path, 'payload');
    const ids = page.map((message) => Number(idIn(message, 'id', path)));
    for (const [nth, message] of page.entries()) messages.set(Number(ids[nth]), message);
    checkEventCount(id, messages.size);
    if (page.length < MESSAGES_PAGE || messages.size === before) break;
    after = Math.max(after + 1, Math.min(...ids.slice(-OVERLAP)) - 1);
  }
  return [...messages].sort(([a], [b]) => a - b).map(([, message]) => message);
}

/** Reads conversations; it keeps the ids of labels, and whether there are reporting events. */
function readConversations(line: Line, setting: DeskSetting, account: number | undefined): CaseReader {
  const agentIds = new Set(setting.agents);
  let labels: ReadonlyMap<string, unknown> | undefined; // title → id
  let hasEvents: boolean | undefined;

  async function labelIds(titles: readonly string[]): Promise<readonly unknown[]> {
    if (titles.length === 0) return [];
    const path = pathOf(account, 'labels');
    labels ??= new Map(
      listIn((await line.get(path))?.value, path, 'payload').map(({ id, title }) => [String(title), id]),
    );
    return titles.flatMap((title) => labels?.get(title) ?? []);
  }

  /** The reporting events of a conversation that is there; undefined: this Chatwoot has none. */
  async function eventsOf(path: string): Promise<readonly JsonFields[] | undefined> {
    if (hasEvents === false) return undefined;
    const events = `${path}/reporting_events`;
    const answer = await notForbidden(line.get(events));
    hasEvents ??= answer !== undefined;
    return answer && listIn(answer.value, events);
  }

  async function readConversation(id: string): Promise<Conversation | undefined> {
    const path = pathOf(account, `conversations/${id}`);
    const answer = await line.get(path);
    const messages = answer && (await messagesOf(line, `${path}/messages`, id));
    if (messages === undefined) return undefined;
    return { id, fields: objectIn(answer?.value, path), messages, events: await eventsOf(path) };
  }

  /** The agents who wrote and whom the site does not know, as of those who left. */
  function meet({ messages }: Conversation): RawRecord[] {
    return messages.flatMap(({ sender }) => {
      const id = Number(fieldOf(sender, 'id'));
      if (fieldOf(sender, 'type') !== 'user' || agentIds.has(id)) return [];
      agentIds.add(id);
      return [{ type: 'agent', id, name: shortName(fieldOf(sender, 'name')) }];
    });
  }

  return {
    async read({ id, isRated }) {
      const own = ownEvents((await setting.eventsOf([caseSubject(id)])).get(caseSubject(id)) ?? [], PREFIX);
      if (isRated && own.some((event) => event.id === `${PREFIX}:${id}`)) return [];
      const conversation = await readConversation(id);
      if (conversation === undefined) return undefined;
      const { messages, events } = conversation;
      const present = presentOf(conversation, own, await labelIds(textsOf(conversation.fields.labels)));
      return deskRecords(pathOf(account, `conversations/${id}`), [
        ...meet(conversation),
        ...presentEvents(present, own),
        ...messages.flatMap((message) => messageOf(conversation, message)),
        ...(events ?? []).flatMap((event) => eventOf(conversation, event)),
      ]);
    },
  };
}

const idOrNull = (member: unknown): number | null => (isJsonObject(member) ? Number(member.id) : null);

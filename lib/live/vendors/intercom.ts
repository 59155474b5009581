import { caseSubject } from '../../history/cases/subject.ts';
import { isJsonObject } from '../../json.ts';
import type { JsonFields } from '../../json-readers.ts';
import { idIn, type Line, listIn, objectIn, timeIn } from '../call.ts';
import type { VendorCheck } from '../check/check.ts';
import type { CaseReader, DeskSetting, ListedCase, ListFrom, ListPage, Vendor } from '../desk.ts';
import {
  deskRecords,
  fieldOf,
  isoTime,
  memberRecord,
  newNames,
  type RawRecord,
  ratingOf,
  shortName,
} from '../records.ts';
import { isHmac } from '../signatures.ts';
import { DeskTrouble } from '../trouble.ts';
import { OVERLAP } from './by-time.ts';
import { heldBy, ownEvents, presentEvents } from './present.ts';

const PAGE = 150; // conversations of a list
const PREFIX = 'ic';
const SEARCH = 'conversations/search';
const PRIORITY = 8; // of a conversation that has the priority of Intercom
const ANYBODY = new Set(['user', 'lead', 'contact']); // authors outside
const NOTES = new Set(['note', 'note_and_reopen', 'note_and_unsnooze']);
/** The statuses that parts set. */
const STATUSES: Readonly<Record<string, string>> = {
  close: 'resolved',
  ...{ open: 'open', unsnoozed: 'open', timer_unsnooze: 'open', snoozed: 'pending' },
  ...{ note_and_reopen: 'open', note_and_unsnooze: 'open', assign_and_reopen: 'open', assign_and_unsnooze: 'open' },
};
const ASSIGNMENT = /(?:^|_)assignment$|^assign_and_/;

const check: VendorCheck = {
  unit: 1,
  resolution: 'last',
  isPart: /^ic:p:\d+/,
  async figures(line, id) {
    const path = `conversations/${id}`;
    const answer = await line.get(path);
    if (answer === undefined) return undefined;
    const { statistics, conversation_parts: parts } = objectIn(answer.value, path);
    const count = (field: string): number | null => {
      const value = fieldOf(statistics, field);
      return typeof value === 'number' ? value : null;
    };
    const says = listIn(parts, path, 'conversation_parts').every((part) => partEvents(id, part).length > 0);
    return {
      first_reply: count('time_to_admin_reply'),
      resolution: count('time_to_last_close'),
      reopens: count('count_reopens'),
      parts: says ? count('count_conversation_parts') : null, // it counts those that say nothing here, too
    };
  },
  /** Intercom subtracts the hours outside office hours. */
  explain: ({ measure, ours, theirs }) =>
    (measure === 'first_reply' || measure === 'resolution') && ours !== null && theirs !== null && theirs < ours
      ? 'schedule'
      : undefined,
};

/** Intercom: conversations by the search, each with its parts. */
export const intercom: Vendor = {
  title: 'Intercom',
  hosts: { named: /^api(?:\.eu|\.au)?\.intercom\.io$/, url: 'https://api.intercom.io' },
  prefix: PREFIX,
  check,
  delay: 0,
  packs: ['fivetran-intercom'],
  headers: ({ token }) => ({ authorization: `Bearer ${token}`, 'intercom-version': '2.11' }),
  async test(line) {
    idIn(objectIn((await line.get('me'))?.value, 'me'), 'id', 'me');
  },
  list,
  async *members(line) {
    for (const [name, type, field] of [
      ['admins', 'agent', 'admins'],
      ['teams', 'group', 'teams'],
      ['tags', 'label', 'data'],
    ] as const)
      yield deskRecords(
        name,
        listIn((await line.get(name))?.value, name, field).map((fields) => named(type, fields, name)),
      );
  },
  reader: async (line, setting) => readConversations(line, setting),
  proof: {
    signed: (body, header, secret) =>
      isHmac(header('x-hub-signature').replace(/^sha1=/, ''), secret, [body], { hash: 'sha1', form: 'hex' }),
    caseOf: ({ data }) => {
      const item = fieldOf(data, 'item');
      return fieldOf(item, 'type') === 'conversation' ? fieldOf(item, 'id') : undefined;
    },
  },
};

/** A member; Intercom writes ids as texts. */
const named = (type: string, fields: JsonFields, path: string): RawRecord =>
  memberRecord(type, { ...fields, id: Number(idIn(fields, 'id', path)) });

/**
 * A page of the conversations that changed, the earliest first. The cursor has the time from which they are listed, the
 * largest change so far, whether they came in order, and where the next page begins; one that was stopped goes on from
 * the largest change, or from the beginning if the search knows no order.
 */
async function list(line: Line, { since, cursor, begins }: ListFrom): Promise<ListPage> {
  const [from = String(since), most = from, order = '', after = ''] = cursor?.split(' ') ?? [];
  const isOrdered = order !== 'unordered';
  const isNext = !begins && after !== '';
  const start = Math.max(0, Number(isOrdered ? most : from) - (cursor === null ? 0 : OVERLAP));
  const low = isNext ? Number(from) : start;
  const answer = objectIn(
    (
      await line.post(SEARCH, {
        query: { operator: 'AND', value: [{ field: 'updated_at', operator: '>', value: Math.floor(low / 1000) - 1 }] },
        sort: { field: 'updated_at', order: 'ascending' },
        pagination: { per_page: PAGE, ...(isNext && { starting_after: after }) },
      })
    )?.value,
    SEARCH,
  );
  const cases = listIn(answer, SEARCH, 'conversations').map(
    (fields): ListedCase => ({ id: idIn(fields, 'id', SEARCH), changed: timeIn(fields, 'updated_at', SEARCH) }),
  );
  const times = cases.map(({ changed }) => changed);
  const high = Math.max(Number(most), low, ...times);
  const stays = isOrdered && (!isNext || Math.min(high, ...times) >= Number(most) - OVERLAP);
  const next = fieldOf(fieldOf(answer.pages, 'next'), 'starting_after');
  if (next !== undefined && (typeof next !== 'string' || next === after))
    throw new DeskTrouble('changed', `${SEARCH}: pages.next.starting_after leads nowhere.`);
  const place = next === undefined ? `${high} ${high}` : `${low} ${high} ${stays ? 'ordered' : 'unordered'} ${next}`;
  return { cases: cases.filter(({ changed }) => changed >= low), cursor: place, isLast: next === undefined };
}

/** The author of a part: whose message it is, and who acted. */
function authorOf(author: unknown): { readonly direction: string; readonly by: RawRecord } {
  const type = String(fieldOf(author, 'type'));
  if (ANYBODY.has(type)) return { direction: 'inbound', by: {} };
  if (type === 'bot') return { direction: 'outbound', by: { automated: true } };
  const id = Number(fieldOf(author, 'id'));
  return { direction: 'outbound', by: type === 'admin' && id > 0 ? { agent: id } : {} };
}

/** Whom a part assigns to: an admin, a team, or nobody. */
function assigneeOf(assigned: unknown): RawRecord {
  const id = Number(fieldOf(assigned, 'id'));
  if (fieldOf(assigned, 'type') === 'team' && id > 0) return { group: id };
  return { agent: fieldOf(assigned, 'type') === 'admin' && id > 0 ? id : null };
}

const hasBody = (body: unknown): boolean => typeof body === 'string' && body.trim() !== '';

/** The events of a part: a message or note, whom it assigns to, and the status that it sets. */
function partEvents(id: string, part: JsonFields): RawRecord[] {
  const path = `conversations/${id}: conversation_parts`;
  const kind = String(part.part_type);
  const base = { at: isoTime(timeIn(part, 'created_at', path)), case: id };
  const own = `${PREFIX}:p:${idIn(part, 'id', path)}`;
  const { direction, by } = authorOf(part.author);
  const events: RawRecord[] = [];
  const status = STATUSES[kind];
  const isAssignment = ASSIGNMENT.test(kind);
  if (NOTES.has(kind)) events.push({ type: 'note', id: own, ...base, ...by });
  else if (kind === 'comment' || ((status !== undefined || isAssignment) && hasBody(part.body)))
    events.push({ type: 'interaction', id: own, ...base, direction, ...by });
  if (isAssignment) {
    const automated = by.automated === undefined ? {} : { automated: true };
    events.push({ type: 'case.assigned', id: `${own}:a`, ...base, ...automated, ...assigneeOf(part.assigned_to) });
  }
  if (status !== undefined) events.push({ type: 'case.status', id: `${own}:s`, ...base, ...by, to: status });
  return events;
}

function ratingEvents(id: string, rating: unknown, setting: DeskSetting): RawRecord[] {
  const stars = fieldOf(rating, 'rating');
  if (typeof stars !== 'number' || !isJsonObject(rating)) return [];
  const at = timeIn(rating, 'created_at', `conversations/${id}: conversation_rating`);
  const event = `${PREFIX}:r:${id}:${Math.floor(at / 1000)}`;
  return [{ type: 'csat.rated', id: event, at: isoTime(at), case: id, score: ratingOf(stars >= 4, setting) }];
}

/** Reads conversations; it keeps which members were told. */
function readConversations(line: Line, setting: DeskSetting): CaseReader {
  const names = newNames();
  const agents = new Set(setting.agents.map((id) => `agent ${id}`));

  /** The records of members that a conversation names for the first time. */
  function meet(type: 'agent' | 'label', members: readonly unknown[], path: string): RawRecord[] {
    return members.filter(isJsonObject).flatMap((member) => {
      const key = `${type} ${String(member.id)}`;
      if (agents.has(key)) return [];
      agents.add(key);
      return [{ type, id: Number(idIn(member, 'id', path)), name: shortName(member.name) }];
    });
  }

  return {
    async read({ id }) {
      const path = `conversations/${id}`;
      const answer = await line.get(path);
      if (answer === undefined) return undefined;
      const own = ownEvents((await setting.eventsOf([caseSubject(id)])).get(caseSubject(id)) ?? [], PREFIX);
      const fields = objectIn(answer.value, path);
      const source = objectIn(fields.source, `${path}: source`);
      const parts = listIn(fields, path, 'conversation_parts', 'conversation_parts');
      const tags = listIn(fields, path, 'tags', 'tags');
      const created = isoTime(timeIn(fields, 'created_at', path));
      const { direction, by } = authorOf(source.author);
      const present = presentEvents(
        {
          ...{ prefix: PREFIX, id, created, channel: names.channel(String(source.type)) },
          changed: Math.floor(timeIn(fields, 'updated_at', path) / 1000),
          values: {
            priority: fields.priority === 'priority' ? PRIORITY : null,
            labels: tags.map((tag) => Number(idIn(tag, 'id', `${path}: tags`))),
            ...(heldBy(own).status === 'deleted' && { status: fields.open === false ? 'resolved' : 'open' }),
          },
        },
        own,
      );
      const admins = [source, ...parts].map(({ author }) => author).filter((one) => fieldOf(one, 'type') === 'admin');
      return deskRecords(path, [
        ...meet('agent', admins, path),
        ...meet('label', tags, path),
        ...names.take(),
        ...present,
        { type: 'interaction', id: `${PREFIX}:${id}:m`, at: created, case: id, direction, ...by },
        ...parts.flatMap((part) => partEvents(id, part)),
        ...ratingEvents(id, fields.conversation_rating, setting),
      ]);
    },
  };
}

import { memberId } from '../../access/member-id.ts';
import { formatInstant } from '../../history/cases/instant.ts';
import { caseSubject } from '../../history/cases/subject.ts';
import { newMembers } from '../../import/mapping/member-ids.ts';
import type { HistoryRecord } from '../../import/records/records.ts';
import type { TicketSetting } from '../../import/zendesk/change-events.ts';
import { storedComments } from '../../import/zendesk/earlier-comments.ts';
import type { ZendeskKind } from '../../import/zendesk/kinds.ts';
import { MERGED_TAG, ZENDESK_DEFAULTS, type ZendeskOptions } from '../../import/zendesk/options.ts';
import { agentsIn, newPeople } from '../../import/zendesk/people.ts';
import { storableRows, timeFieldOf } from '../../import/zendesk/read.ts';
import { isAgentUser, isCustomField, recordsOfObject } from '../../import/zendesk/reference-objects.ts';
import { readUpdate, type Update } from '../../import/zendesk/update.ts';
import { isJsonObject } from '../../json.ts';
import { type JsonFields, Rejection } from '../../json-readers.ts';
import { idIn, type Line, listIn, objectIn, timeIn } from '../call.ts';
import type { VendorCheck } from '../check/check.ts';
import type { CaseReader, DeskSetting, ListedCase, Vendor } from '../desk.ts';
import { deskRecords } from '../records.ts';
import { isHmac } from '../signatures.ts';
import { checkEventCount, DeskTrouble } from '../trouble.ts';
import { areBeyond } from './by-time.ts';

const PAGE = 100; // objects an answer
const LIST = 'api/v2/incremental/tickets/cursor.json';

/** Lists of members, each with the kind of its objects. */
const MEMBERS: readonly (readonly [path: string, field: string, kind: ZendeskKind])[] = [
  ['api/v2/users.json?role[]=agent&role[]=admin', 'users', 'user'],
  ['api/v2/groups.json', 'groups', 'group'],
  ['api/v2/organizations.json', 'organizations', 'organization'],
  ['api/v2/ticket_fields.json', 'ticket_fields', 'ticket field'],
  ['api/v2/brands.json', 'brands', 'brand'],
  ['api/v2/macros.json', 'macros', 'macro'],
];

const MERGED = memberId('label', MERGED_TAG);

const check: VendorCheck = {
  unit: 60,
  resolution: 'last',
  async figures(line, id) {
    const path = `api/v2/tickets/${id}/metrics.json`;
    const answer = await line.get(path);
    if (answer === undefined) return undefined;
    const metric = objectIn(objectIn(answer.value, path).ticket_metric, `${path}: ticket_metric`);
    const minutes = (value: unknown): number | null => countOf(isJsonObject(value) ? value.calendar : undefined);
    return {
      first_reply: minutes(metric.reply_time_in_minutes),
      resolution: minutes(metric.full_resolution_time_in_minutes),
      reopens: countOf(metric.reopens),
      replies: countOf(metric.replies),
    };
  },
  explain: (_, events) =>
    events.some((event) => event.type === 'case.labels' && event.add?.includes(MERGED)) ? 'merge' : undefined,
};

const countOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Zendesk: tickets by the incremental export, each by its audits, read as files of audits are. */
export const zendesk: Vendor = {
  title: 'Zendesk',
  hosts: { named: /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.zendesk\.com$/ },
  prefix: 'zd',
  check,
  delay: 60_000,
  packs: ['fivetran-zendesk', 'zendesk-tickets-csv'],
  headers: ({ token, login }) => ({
    authorization:
      login === undefined ? `Bearer ${token}` : `Basic ${Buffer.from(`${login}/token:${token}`).toString('base64')}`,
  }),
  async test(line) {
    const path = 'api/v2/users/me.json';
    const user = objectIn(objectIn((await line.get(path))?.value, path).user, `${path}: user`);
    if (user.id === null || user.id === undefined) throw new DeskTrouble('refused', 'The token signs in as nobody.');
    if (user.role !== 'admin')
      throw new DeskTrouble('refused', `The token's user has the role ${String(user.role)}: an admin's is needed.`);
  },
  async list(line, { since, cursor, until }) {
    const from = cursor === null ? { start_time: Math.floor(since / 1000) } : { cursor };
    const answer = objectIn((await line.get(LIST, { ...from, per_page: PAGE }))?.value, LIST);
    const cases = listIn(answer, LIST, 'tickets').map(
      (record): ListedCase => ({
        id: idIn(record, 'id', LIST),
        changed: timeIn(record, 'updated_at', LIST),
        record,
      }),
    );
    const { after_cursor: after, end_of_stream: isLast } = answer;
    if (typeof after !== 'string' && !(after === null && cursor !== null))
      throw new DeskTrouble('changed', `${LIST}: after_cursor is no text.`);
    return {
      cases,
      cursor: after ?? cursor ?? '',
      isLast: isLast === true || areBeyond(cases, until) || cases.length === 0,
    };
  },
  async *members(line, _account, setting) {
    const fieldNames = new Map<number, string>();
    for (const [path, field, kind] of MEMBERS)
      for await (const page of pages(line, path, field)) {
        if (kind === 'ticket field') learnFields(page, fieldNames);
        const read = { options: { ...optionsOf(setting), withLogins: false }, fieldNames, ignore: () => undefined };
        yield page.flatMap((fields) => checked(path, () => recordsOfObject(kind, fields, read)));
      }
  },
  async reader(line, setting) {
    const options = optionsOf(setting);
    const names = new Map<number, string>();
    if (options.timeField !== undefined)
      for await (const page of pages(line, 'api/v2/ticket_fields.json', 'ticket_fields')) learnFields(page, names);
    return readTickets(line, setting, { options, names });
  },
  proof: {
    signed: (body, header, secret) =>
      isHmac(header('x-zendesk-webhook-signature'), secret, [header('x-zendesk-webhook-signature-timestamp'), body], {
        hash: 'sha256',
        form: 'base64',
      }),
    sentAt: (header) => Date.parse(header('x-zendesk-webhook-signature-timestamp')),
    caseOf: ({ detail, subject, ticket_id, id }) => {
      const [, digits] = /(?<!\d)(\d+)$/.exec(typeof subject === 'string' ? subject : '') ?? [];
      const inDetail = typeof detail === 'object' && detail !== null && 'id' in detail ? detail.id : undefined;
      return inDetail ?? digits ?? ticket_id ?? id;
    },
  },
};

function optionsOf({ options, rating, agents }: DeskSetting): ZendeskOptions {
  const { automated = [], statuses = {}, merged = 'keep', time_field: timeField } = options;
  return {
    ...ZENDESK_DEFAULTS,
    automated,
    merged,
    timeField,
    rating,
    agents,
    statuses,
  };
}

const learnFields = (page: readonly JsonFields[], names: Map<number, string>): void => {
  for (const field of page) if (isCustomField(field)) names.set(Number(field.id), String(field.title ?? ''));
};

/** The pages of a list; only the cursor is taken from an answer, never an address. */
async function* pages(line: Line, path: string, field: string): AsyncGenerator<readonly JsonFields[]> {
  for (let after: string | undefined; ; ) {
    const answer = await line.get(path, {
      'page[size]': PAGE,
      ...(after !== undefined && { 'page[after]': after }),
    });
    if (answer === undefined) return;
    yield listIn(answer.value, path, field);
    const { meta } = objectIn(answer.value, path);
    if (typeof meta !== 'object' || meta === null || !('has_more' in meta) || meta.has_more !== true) return;
    const next = 'after_cursor' in meta ? meta.after_cursor : undefined;
    if (typeof next !== 'string' || next === after)
      throw new DeskTrouble('changed', `${path}: meta.after_cursor is no text.`);
    after = next;
  }
}

function checked<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Rejection) throw new DeskTrouble('changed', `${path}: ${error.message}.`);
    throw error;
  }
}

/** Reads tickets; it learns who is an agent as it goes. */
function readTickets(
  line: Line,
  { agents, eventsOf }: DeskSetting,
  { options, names }: { readonly options: ZendeskOptions; readonly names: ReadonlyMap<number, string> },
): CaseReader {
  const people = newPeople(agents, new Set(options.automated));
  const asked = new Set(agents);
  const setting: TicketSetting = {
    options,
    people,
    members: newMembers(),
    ignore: () => undefined,
    timeField: timeFieldOf(options.timeField, names),
  };

  /** Asks the roles of users that updates show as agents and nobody has named yet. */
  async function meet(updates: readonly Update[]): Promise<HistoryRecord[]> {
    const unknown = [...new Set(updates.flatMap(agentsIn))].filter((id) => !asked.has(id));
    const records: HistoryRecord[] = [];
    for (let at = 0; at < unknown.length; at += PAGE) {
      const path = 'api/v2/users/show_many.json';
      const answer = await line.get(path, { ids: unknown.slice(at, at + PAGE).join(',') });
      for (const user of answer === undefined ? [] : listIn(answer.value, path, 'users')) {
        if (isAgentUser(user))
          records.push(
            ...checked(path, () =>
              recordsOfObject('user', user, { options, fieldNames: names, ignore: () => undefined }),
            ),
          );
        else if (typeof user.role === 'string') people.addOutsider(Number(user.id));
      }
    }
    for (const id of unknown) asked.add(id);
    return records;
  }

  async function readAudits(id: string): Promise<Update[]> {
    const path = `api/v2/tickets/${id}/audits.json`;
    const updates: Update[] = [];
    for await (const page of pages(line, path, 'audits')) {
      for (const audit of page)
        updates.push(checked(path, () => readUpdate('audit', audit, updates.length + 1, () => undefined)));
      checkEventCount(id, updates.length);
    }
    return updates;
  }

  return {
    async read({ id, record, changed }) {
      const updates = await readAudits(id);
      if (updates.length === 0) return record?.status === 'deleted' ? deleted(id, changed) : undefined;
      if (record !== undefined) updates.push(checked(LIST, () => readUpdate('ticket', record, 0, () => undefined)));
      const members = await meet(updates);
      for (const update of updates) people.learn(update);
      const stored = await storedComments([updates], eventsOf);
      const rows = storableRows(updates, setting, stored.get(id));
      return [...members, ...rows.flatMap((row) => ('records' in row ? row.records : []))];
    },
  };

  /** The deletion of a ticket of which nothing else is told any more, unless its history ends in one. */
  async function deleted(id: string, changed: number): Promise<readonly HistoryRecord[]> {
    const subject = caseSubject(id);
    const events = [...((await eventsOf([subject])).get(subject) ?? [])].sort((a, b) => a.at - b.at);
    const last = events.findLast(({ type }) => type === 'case.deleted' || type === 'case.status');
    if (last?.type === 'case.deleted') return [];
    const at = formatInstant(changed * 1000);
    return deskRecords(LIST, [{ type: 'case.deleted', id: `zd:t:${id}:deleted`, at, case: id }]);
  }
}

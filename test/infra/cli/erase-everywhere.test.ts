import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eraseEverywhere } from '../../../infra/cli/erase-everywhere.ts';
import { uploadFolderIn, uploadPath } from '../../../infra/local/uploads/files.ts';
import { auditItem, serviceEntry } from '../../../lib/access/audit.ts';
import { memberId } from '../../../lib/access/member-id.ts';
import { readUser } from '../../../lib/access/users.ts';
import { compact } from '../../../lib/history/compact.ts';
import { sweep } from '../../../lib/history/compaction/sweep.ts';
import { inflateText } from '../../../lib/history/segments/deflated-json.ts';
import { type Erasing, planErasure } from '../../../lib/import/erasing/erase.ts';
import { takeRecords } from '../../../lib/import/live.ts';
import { parseRecord } from '../../../lib/import/records/records.ts';
import { openUnlinkedFile } from '../../../lib/import/spill/unlinked-file.ts';
import { createCollections } from '../../../lib/store/collection.ts';
import { keys, members } from '../../../lib/store/keys.ts';
import { endTurn, takeTurn } from '../../../lib/uploads/turn.ts';
import { finishUpload, readUpload, type Upload } from '../../../lib/uploads/upload.ts';
import { exportWarehouse } from '../../../lib/warehouse/export.ts';
import { exportContext } from '../../../lib/warehouse/export-site.ts';
import { openFolder } from '../../../lib/warehouse/folder.ts';
import { loadEvents, orphans } from '../../support/generators/history.ts';
import { storedText } from '../../support/generators/stored-text.ts';
import { type ImportSite, startImportSite } from '../../support/service/import-site.ts';
import { addToken } from '../../support/service/tokens.ts';

const NAME = 'Bob "B." Secret';
const LOGIN = 'Bob/s@secret.example';
const SIGNED_IN = { login: LOGIN, generation: 0, credential: { kind: 'password' } } as const;
const STORED_LOGIN = LOGIN.toLowerCase();
const COMPANY = 'Secretive Ltd';
const [ID, COMPANY_ID] = [memberId('agent', NAME), memberId('company', COMPANY)];
const CASE = 'SECRET-1';
const VALUE = 'Secretville';

const AGENT: Erasing = { kind: 'agent', id: ID };
const USER: Erasing = { kind: 'user', id: LOGIN };
const OF_COMPANY: Erasing = { kind: 'company', id: COMPANY_ID };
const OF_CASE: Erasing = { kind: 'case', id: CASE };

/** What must be nowhere once it was erased, each part as JSON has it. */
const TRACES: Readonly<Record<Erasing['kind'], RegExp>> = {
  agent: new RegExp(`Bob|bob/s@|${ID}`),
  user: new RegExp(`Bob|bob/s@|${ID}`),
  company: new RegExp(`${COMPANY}|${VALUE}|${COMPANY_ID}`),
  case: new RegExp(`${CASE}|${VALUE}`),
};

const at = (day: number): string => `2026-02-0${day}T09:00:00Z`;
const AT = Date.parse(at(2)) * 1000;
const PERSON = [
  { type: 'agent', id: ID, name: NAME, public_name: 'Bob', login: LOGIN, role: 'Agent' },
  { type: 'company', id: COMPANY_ID, name: COMPANY },
  { type: 'custom_field', id: 12, name: 'Town', object: 'case', values: ['Berlin'] },
  { type: 'case.created', id: 'a', at: at(1), case: CASE, company: COMPANY_ID },
];

/** A site that knows the person and nothing else, and the folder of its files. */
interface Place extends ImportSite {
  readonly folder: string;
  readonly context: Parameters<typeof planErasure>[0] & { readonly site: ImportSite['site'] };
}

async function freshPlace(): Promise<Place> {
  const site = await startImportSite({ name: `erase-${randomUUID().slice(0, 8)}` });
  await site.load(...PERSON);
  const clock = () => Date.parse('2026-03-02T12:00:00Z');
  const context = { table: site.table, site: site.site, collections: createCollections(), clock, newId: randomUUID };
  return { ...site, context, folder: await mkdtemp(join(tmpdir(), 'erase-')) };
}

/** Everything that is stored of a site: its items and blobs as text, kept answers unpacked, and its files. */
const everything = async (place: Place): Promise<string> =>
  [await storedText(place.context), ...(await answersOf(place)), ...filesOf(place)].join('\n');

const answersOf = async ({ table: from, site }: Place): Promise<string[]> =>
  (await from.query(keys.repeats(site.name, '').pk)).map(({ body }) =>
    gunzipSync(Buffer.from(body as Uint8Array)).toString(),
  );

const filesOf = ({ folder }: Place): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${name}\n${readFileSync(join(parentPath, name), 'latin1')}`);

/** Erases as the command does, and deletes the replaced bytes. */
async function eraseAll(place: Place, erasing: Erasing): Promise<readonly string[]> {
  const context = { ...place.context, collections: createCollections() };
  const plan = await planErasure(context, erasing);
  if (plan === undefined) throw new Error('the site knows nothing of whom to erase');
  const { named } = await eraseEverywhere({ folder: place.folder }, context, plan);
  const later = { ...context, clock: () => context.clock() + 3_600_000 };
  await compact(later);
  await sweep(later, { graceMs: 0 });
  expect(await orphans(context)).toEqual([]);
  return named;
}

const audit = (place: Place, user: string | null, resource: string) =>
  place.table.put(
    auditItem(
      place.site.name,
      serviceEntry({ action: 'update', user, resource }, { id: randomUUID(), at: Date.parse(at(1)) }),
    ),
  );

const OUTCOME = {
  ...{ records: {}, events: 1, added: 1, replaced: 0, unchanged: 0, superseded: 0, removed: 0, left_out: 0 },
  ...{
    cases: null,
    first_at: null,
    last_at: null,
    rejected: 1,
    rejections: [],
    ignored: {},
    warnings: [],
    stories: [],
  },
};
const FOUND = {
  ...{ format: 'csv', why: 'commas', mapping: null, notes: [], preview: { lines: [] }, questions: [], proposal: null },
  ...{ form: null, source: 'upload-1', sources: ['upload-1'] },
};
const UPLOAD: Upload = {
  ...{ id: 1, name: 'file.csv', size: 1, login: 'ann@acme.example', given: {}, created_at: 1, updated_at: 1 },
  ...{ work: 'load', status: 'done', problem: null, progress: null, touched: true },
  ...{ found: FOUND, checked: OUTCOME, loaded: OUTCOME, merged: null, changes: [] },
};

async function bring(place: Place, fields: Partial<Upload>): Promise<void> {
  const turn = await takeTurn(place.context, { site: place.site.name, owner: randomUUID() });
  await finishUpload(place.context, turn!, { ...UPLOAD, ...fields });
}

const post = async (place: Place, path: string, body: object, headers = {}) => {
  const reply = await place.ask('POST', `/api/v2/${path}`, { body, headers });
  expect([reply.status, reply.text]).toEqual([201, expect.anything()]);
};

const CHOSEN = [[['Include', 'Agents', 'Is', '', false, [{ id: String(ID) }]]]];
const TIME = { last: 4, unit: 'week', window_size: 'week' };

/** How the person comes to each place of the first table, as `support erase` finds it. */
interface Written {
  readonly erasing?: readonly Erasing[]; // default: the agent, and the user
  readonly write: (place: Place) => Promise<unknown>;
  /** What lies at the place then: the person is in it. Absent: nothing does. */
  readonly seen?: (place: Place) => Promise<unknown>;
  /** What must be done after the erasure. */
  readonly after?: (place: Place) => Promise<unknown>;
}

const ofSite = (place: Place, partition: { readonly pk: string }) => place.table.query(partition.pk);
const uploaded = ({ table: from, site }: Place) => readUpload(from, site.name, 1);
const references = (place: Place, kind: Parameters<typeof keys.reference>[1]) =>
  ofSite(place, keys.reference(place.site.name, kind));

const file = ({ folder, site }: Place): string =>
  uploadPath(uploadFolderIn(folder), { site: site.name, id: 1, name: 'file.csv' });
const exported = async (place: Place) => {
  const to = await openFolder(join(place.folder, 'warehouse'));
  const from = { ...place.context, all: [place.site.name] };
  await exportWarehouse([exportContext(from, place.site)], to, from);
};

/** Puts a link to a board that somebody made. */
async function putLink({ table: to, site }: Place, name = 'Meeting') {
  const partition = keys.boardLinks(site.name);
  const times = { created_at: 1, updated_at: 1, expires_at: 2 };
  const link = { sk: members.boardLink(7), id: 7, name, board: 1, digest: 'd', owner: STORED_LOGIN, generation: 0 };
  await to.put({ ...partition, ...link, ...times });
  await to.put({ ...keys.order(partition), ids: '7' });
  await to.put({ ...keys.head(partition), version: 1 });
}

const ALERT = {
  ...{ sk: members.alert(7), id: 7, name: 'Backlog', saved_report: 1, comparison: 'above', bound: 5, check: 'hour' },
};

/** A subscription or an alert of the person, which also goes to another one. */
async function ofPerson(
  { table: to }: Place,
  partition: { readonly pk: string },
  item: { readonly sk: string; readonly id: number; readonly name?: string },
) {
  const usual = { at: '07:30', enabled: true, since: 1, created_at: 1, updated_at: 1, pk: partition.pk };
  await to.put({ ...usual, ...item, owner: STORED_LOGIN, recipients: [STORED_LOGIN, 'ann@acme.example'] });
  await to.put({ ...keys.order(partition), ids: String(item.id) });
  await to.put({ ...keys.head(partition), version: 1 });
}

const WRITTEN: Readonly<Record<string, Written>> = {
  users: {
    write: async () => undefined,
    seen: ({ context, site }) => readUser(context.table, site.name, LOGIN),
  },
  'tokens and sessions': {
    write: ({ context, site }) =>
      addToken(context.table, site.name, { hash: 'h', login: STORED_LOGIN, name: 'phone of Bob', created: 1 }),
    seen: (place) => ofSite(place, keys.tokens(place.site.name)),
  },
  'kept answers': {
    write: (place) => post(place, 'topics', { name: `Ask ${NAME}` }, { 'Idempotency-Key': 'k' }),
    seen: answersOf,
    after: (place) => place.ask('PATCH', '/api/v2/topics/1', { body: { name: 'Ask somebody' } }),
  },
  'audit: who': {
    write: (place) => audit(place, LOGIN, 'topics/1'),
    seen: (place) => ofSite(place, keys.audit(place.site.name)),
  },
  'audit: users and tokens': {
    write: async (place) => {
      await audit(place, null, `users/${STORED_LOGIN}`);
      await audit(place, null, `tokens/${STORED_LOGIN}/phone of Bob`);
    },
    seen: (place) => ofSite(place, keys.audit(place.site.name)),
  },
  'audit: files and sources': {
    write: async (place) => {
      await audit(place, null, `imports/cases of ${NAME}.csv`);
      await audit(place, null, `sources/${STORED_LOGIN}`);
    },
    seen: (place) => ofSite(place, keys.audit(place.site.name)),
  },
  'imports: sender': { write: (place) => bring(place, { login: LOGIN }), seen: uploaded },
  'imports: who agreed and who undid': {
    write: (place) => bring(place, { given: { agreed: { 'Agent 1: is removed.': SIGNED_IN } }, asked: SIGNED_IN }),
    seen: uploaded,
  },
  'imports: changes of users': {
    write: (place) => {
      const before = { login: LOGIN, role: 'Agent', deleted: false } as const;
      const agent = { id: ID, before, after: { ...before, deleted: true }, user: 'Agent' } as const;
      const named = { text: `Agent ${ID}: is removed.`, resource: `users/${STORED_LOGIN}`, fields: ['deleted'], agent };
      return bring(place, { changes: [named] });
    },
    seen: uploaded,
  },
  'imports: name of the file': { write: (place) => bring(place, { name: `${STORED_LOGIN}.csv` }), seen: uploaded },
  'imports: mapping and answers': {
    write: (place) =>
      bring(place, {
        given: { mapping: { agents: { 'Secret, Bob': 1 } }, answers: { agent: { 'Bob S.': true } } },
        found: { ...FOUND, mapping: { agents: { Bob: 1 } } },
      }),
    seen: uploaded,
  },
  'imports: preview and questions': {
    write: (place) =>
      bring(place, {
        ...{ work: 'check', touched: false, loaded: null },
        found: {
          ...FOUND,
          notes: [{ what: 'agent', why: 'Bob looks like one', is_sure: false }],
          preview: { header: ['Agent'], rows: [['Secret, Bob']] },
          questions: [
            {
              ...{ id: 'agent', about: 'access', text: 'Who is Bob?', choices: [], proposed: 'Bob' },
              examples: [['Bob']],
            },
          ],
          proposal: {
            ...{ kind: null, roles: [], units: [], fields: [], columns: ['Bob'] },
            meanings: [
              {
                ...{ role: 'status', column: 'Agent', choices: [] },
                values: [{ value: 'Bob', rows: 1, state: 'open', why: 'Bob' }],
              },
            ],
          },
        },
      }),
    seen: uploaded,
  },
  'imports: results': {
    write: (place) => {
      const told = {
        ...OUTCOME,
        ...{
          ignored: { 'Bob, S.': 1 },
          warnings: ['Bob is twice'],
          stories: [{ case: '1', events: [{ at: '2026-03-01T09:00:00Z', type: 'interaction', what: 'Bob replied' }] }],
        },
        rejections: [{ reason: 'Bob is no time', count: 1, first: ['line 1: Bob'] }],
      };
      return bring(place, { checked: told, loaded: told, status: 'failed', problem: 'Bob is no time' });
    },
    seen: uploaded,
  },
  'uploaded files': {
    write: async (place) => {
      await mkdir(dirname(file(place)), { recursive: true });
      for (const ending of ['', '~part', '.rejected.csv']) await writeFile(`${file(place)}${ending}`, 'Bob');
    },
    seen: (place) => readFile(file(place), 'utf8'),
  },
  agents: { write: async () => undefined, seen: (place) => references(place, 'agent') },
  'agents made for a login': {
    write: async (place) => {
      const id = memberId('agent', STORED_LOGIN);
      await place.load({ type: 'agent', id, name: STORED_LOGIN, login: LOGIN, deleted: true });
    },
    seen: (place) => references(place, 'agent'),
  },
  companies: {
    erasing: [OF_COMPANY],
    write: (place) =>
      place.table.put({
        ...keys.reference(place.site.name, 'company'),
        ...{
          sk: `item#${COMPANY_ID}`,
          id: COMPANY_ID,
          name: COMPANY,
          domains: [VALUE],
          custom_fields: { Town: VALUE },
        },
      }),
    seen: (place) => references(place, 'company'),
  },
  'values of custom fields': {
    erasing: [OF_COMPANY, OF_CASE],
    write: (place) =>
      place.load(
        { type: 'custom_field', id: 12, name: 'Town', object: 'case', values: ['Berlin', VALUE] },
        { type: 'case.custom_field', id: 'v', at: at(2), case: CASE, field: 12, value: VALUE },
      ),
    seen: (place) => references(place, 'custom_field'),
  },
  'authors of articles': {
    write: (place) =>
      place.load({ type: 'article', id: 70, subject: 'Help', topics: [], created_by: ID, updated_by: ID }),
    seen: (place) => references(place, 'article'),
  },
  'actions of macros': {
    write: (place) =>
      place.load(
        { type: 'macro', id: 8, name: 'Hand over' },
        { type: 'macro_action', id: 9, macro: 8, action: 'set-case-agent', value: ID },
      ),
    seen: (place) => ofSite(place, keys.actions(place.site.name, 8)),
  },
  'saved reports': {
    write: (place) =>
      post(place, 'saved_reports', {
        name: 'Week',
        request: { fields: ['case_creates'], time: TIME, filters: CHOSEN },
      }),
    seen: (place) => ofSite(place, keys.savedReports(place.site.name)),
  },
  boards: {
    write: (place) => post(place, 'boards', { name: 'Week', filters: CHOSEN }),
    seen: (place) => ofSite(place, keys.boards(place.site.name)),
  },
  promises: {
    write: (place) =>
      place.load({
        ...{ type: 'sla_policy', id: 3, name: 'Gold', filters: CHOSEN },
        targets: [{ metric: 'reply', seconds: 3_600, hours: 'calendar', priorities: null }],
      }),
    seen: (place) => references(place, 'sla_policy'),
  },
  subscriptions: {
    write: async (place) => {
      await ofPerson(place, keys.subscriptions(place.site.name), {
        ...{ sk: members.subscription(7), id: 7, every: 'day', weekday: 'monday', day: 1 },
        ...{ board: 1, saved_report: null },
      });
    },
    seen: (place) => ofSite(place, keys.subscriptions(place.site.name)),
  },
  alerts: {
    write: (place) => ofPerson(place, keys.alerts(place.site.name), ALERT),
    seen: (place) => ofSite(place, keys.alerts(place.site.name)),
  },
  'links to boards': {
    write: (place) => putLink(place),
    seen: (place) => ofSite(place, keys.boardLinks(place.site.name)),
  },
  'numbers that links show': {
    write: ({ table: to, site }) =>
      to.put({ ...keys.sharedBoard(site.name, 1), of: STORED_LOGIN, at: 1, packed: Buffer.from('x') }),
    seen: (place) => place.table.get(keys.sharedBoard(place.site.name, 1)),
  },
  deliveries: {
    write: ({ table: to, site }) =>
      to.put({
        ...keys.delivery(site.name, members.alert(7)),
        ...{ change: 'x is done', done: '2026-03-01', key: '', sent: [STORED_LOGIN], secret: 's', since: 1, on: false },
        ...{ ended: [{ login: STORED_LOGIN, at: 1, why: 'left' }], problem: `${STORED_LOGIN}: 550 Bob is no more` },
      }),
    seen: (place) => ofSite(place, keys.deliveries(place.site.name)),
  },
  'addresses that take no mail': {
    write: ({ table: to, site }) =>
      to.put({ ...keys.endedAddress(site.name, STORED_LOGIN), login: STORED_LOGIN, at: 1, why: 'refused' }),
    seen: (place) => ofSite(place, keys.endedAddresses(place.site.name)),
  },
  'events and sessions': {
    erasing: [AGENT, USER, OF_COMPANY, OF_CASE],
    write: async (place) => {
      await place.load(
        { type: 'interaction', id: 'i', at: at(3), case: CASE, direction: 'outbound', agent: ID },
        { type: 'case.custom_field', id: 'v', at: at(2), case: CASE, field: 12, value: VALUE },
        { type: 'agent.session', id: 's', agent: ID, from: at(1), to: at(2) },
      );
      await compact(place.context);
    },
    seen: everything,
  },
  'live events': {
    erasing: [AGENT, USER, OF_COMPANY, OF_CASE],
    write: ({ context, site }) =>
      takeRecords(
        context,
        [
          { type: 'note', id: 'n', at: at(3), case: CASE, agent: ID },
          { type: 'case.custom_field', id: 'w', at: at(4), case: CASE, field: 12, value: VALUE },
        ].map((record, place) => ({
          message: { id: String(place), group: 'g', site: site.name, body: '' },
          site,
          record: parseRecord(record),
        })),
      ),
    seen: everything,
  },
  'digests of sources': {
    erasing: [OF_CASE],
    write: ({ table: to, site }) => to.put({ ...keys.known(site.name, 'csv'), cases: [CASE] }),
    seen: (place) => place.table.query(keys.history(place.site.name).pk, { prefix: 'known#' }),
  },
  'notes of imports': {
    erasing: [AGENT, USER, OF_COMPANY, OF_CASE],
    write: async ({ context }) => {
      const origin = { source: 'export', isChosen: true, replaces: true };
      const field = { type: 'case.custom_field', id: 'v', at: AT, case: CASE, agent: ID, field: 12 } as const;
      for (const value of [VALUE, 'Berlin'])
        await loadEvents({ ...context, importId: String(value.length) }, [{ ...field, value }], { origin });
    },
    seen: async ({ context, site }) =>
      Promise.all(
        (await context.table.query(keys.history(site.name).pk, { prefix: 'changes#' })).map(async ({ blob }) => {
          const [item] = await context.table.query(keys.changeNotes(site.name, Number(blob), 0).pk);
          return [COMPANY, inflateText(item?.bytes as Uint8Array)];
        }),
      ),
  },
  warehouse: {
    write: exported,
    seen: async (place) => filesOf(place),
    after: exported,
  },
  'removed articles': {
    write: async (place) => {
      const body = `By ${NAME}`;
      const german = { type: 'article_translation', article: 70, locale: 'de', subject: 'Von Bob', body };
      await place.load({ type: 'article', id: 70, subject: 'Help', topics: [], body, internal_notes: body }, german);
      expect(await everything(place)).toContain('Von Bob');
      await place.load({ type: 'article', id: 70, deleted: true });
    },
  },
  'sorted parts of imports': {
    write: async ({ folder }) => {
      const part = await openUnlinkedFile(folder);
      await part.write(NAME);
      await part.close();
    },
  },
  'memory of a process': {
    write: (place) => place.ask('GET', '/api/v2/users'),
    seen: async (place) => (await place.ask('GET', '/api/v2/users')).body,
    after: async (place) => expect((await place.ask('GET', '/api/v2/users')).text).not.toMatch(TRACES.user),
  },
};

/** How people write the person's name, and how `support erase` calls the places. */
const NAMED: Readonly<Record<string, readonly [write: (place: Place) => Promise<unknown>, listed: readonly string[]]>> =
  {
    'settings of the site': [({ load }) => load({ type: 'site', name: `Desk of ${NAME}` }), ['settings of the site']],
    topics: [
      ({ load }) =>
        load(
          { type: 'topic', id: 20, name: 'Who', description: `Ask ${NAME}.` },
          { type: 'topic_translation', topic: 20, locale: 'de', name: `Frag ${STORED_LOGIN}` },
        ),
      ['topic 20 en_us', 'topic 20 de'],
    ],
    articles: [
      ({ load }) =>
        load(
          { type: 'article', id: 70, subject: NAME, topics: [], body: `<p>${LOGIN}</p>`, internal_notes: NAME },
          { type: 'article_translation', article: 70, locale: 'de', subject: 'Hilfe', body: LOGIN },
        ),
      ['article 70', 'text of article 70', 'text of article 70', 'text of article 70 de'],
    ],
    macros: [
      ({ load }) =>
        load(
          { type: 'macro', id: 8, name: 'Hand over', folders: [NAME] },
          { type: 'macro_action', id: 9, macro: 8, action: 'set-case-note', value: `To ${NAME}` },
        ),
      ['macro 8', 'macro 8, action 9'],
    ],
    'other records': [
      ({ load }) => load({ type: 'label', id: 7, name: `vip ${NAME}` }, { type: 'group', id: 1, name: NAME }),
      ['group 1', 'label 7'],
    ],
    'saved reports, boards, links to them and alerts': [
      async (place) => {
        const request = { fields: ['case_creates'], time: TIME };
        await post(place, 'saved_reports', { name: NAME, request });
        await post(place, 'boards', { name: `Of ${NAME}` });
        await ofPerson(place, keys.alerts(place.site.name), { ...ALERT, name: `Backlog of ${NAME}` });
        await putLink(place, `For ${NAME}`);
      },
      ['saved report 1', 'board 2', 'link to a board 7', 'alert 7'],
    ],
    sources: [
      ({ load }) => load({ type: 'note', id: 'x', at: at(3), case: CASE, source: NAME, as_of: at(4) }),
      [`source ${NAME}`],
    ],
  };

/** The first cells of the document's two tables of places. */
const [places = [], written = []] =
  readFileSync('docs/design/erasing.md', 'utf8')
    .split('## Where a person can lie')[1]
    ?.split('## ')[0]
    ?.split(/\n\n(?=What people wrote)/)
    .map((part) => [...part.matchAll(/^\| ([^|]+?) \| .* \|$/gm)].map(([, cell = '']) => cell).slice(1)) ?? [];

describe('docs/design/erasing.md', () => {
  it('has the places that are tried here', () => {
    expect(places).toEqual(Object.keys(WRITTEN));
    expect(written).toEqual(Object.keys(NAMED));
  });
});

const cases = Object.entries(WRITTEN).flatMap(([place, one]) =>
  (one.erasing ?? [AGENT, USER]).map((erasing) => [place, erasing.kind, erasing, one] as const),
);

it.each(cases)('leaves no byte of a person in %s, erased as %s', async (_, kind, erasing, { write, seen, after }) => {
  const place = await freshPlace();
  await write(place);
  if (seen) expect(JSON.stringify(await seen(place))).toMatch(TRACES[kind]);
  await eraseAll(place, erasing);
  await after?.(place);
  expect(await everything(place)).not.toMatch(TRACES[kind]);
});

it.each(Object.entries(NAMED))(
  'says where people wrote the name in %s, and changes nothing there',
  async (_, [write, listed]) => {
    const place = await freshPlace();
    await write(place);
    expect((await eraseAll(place, USER)).toSorted()).toEqual(listed.toSorted());
  },
);

it('is refused while an import works, and ends an import that was not loaded', async () => {
  const place = await freshPlace();
  await bring(place, { work: 'check', touched: false, loaded: null });
  const turn = await takeTurn(place.context, { site: place.site.name, owner: 'other', id: 1 });
  await expect(eraseAll(place, USER)).rejects.toThrow('An import of this site is at work');
  expect(await readUser(place.table, place.site.name, LOGIN)).toMatchObject({ deleted: false });
  await endTurn(place.context, turn!);
  await eraseAll(place, USER);
  const left = await uploaded(place);
  expect(left).toMatchObject({ status: 'failed', problem: expect.stringContaining('send the file again') });
});

it('leaves the tokens and entries of somebody else whose login begins like the erased one', async () => {
  const place = await freshPlace();
  const other = `${STORED_LOGIN}/too`;
  await place.load({ type: 'agent', id: 5, name: 'Eve', login: other });
  await audit(place, other, `tokens/${other}/phone`);
  await eraseAll(place, USER);
  const entries = await ofSite(place, keys.audit(place.site.name));
  expect(entries).toContainEqual(expect.objectContaining({ user: other, resource: `tokens/${other}/phone` }));
});

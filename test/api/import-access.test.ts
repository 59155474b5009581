import { readAudit } from '../../lib/access/audit.ts';
import { readSite } from '../../lib/access/sites.ts';
import { listUsers, readUser, type User } from '../../lib/access/users.ts';
import { type BucketService, startBucketService } from '../support/service/bucket-service.ts';
import { PASSWORD_HASH } from '../support/service/credentials.ts';
import { importRecords } from '../support/service/import.ts';
import { addUser, byPerson, itInProcess as it } from '../support/service/service.ts';
import { putUser, setSite } from '../support/service/stored-access.ts';

const PATH = '/api/v2/imports';
const BOSS = 'boss@example.com';
const BOB = 'bob@example.com';

let service: BucketService['service'];
let tools: BucketService;
let ask: BucketService['ask'];
beforeEach(async () => {
  tools = await startBucketService();
  ({ service, ask } = tools);
  await addUser(service.table, service.site.name, 'Billing Administrator');
  const user = { deleted: false, password: PASSWORD_HASH } as const;
  await putUser(service.table, service.site.name, { ...user, login: BOSS, role: 'Administrator', agent: 1 }, true);
  await putUser(service.table, service.site.name, { ...user, login: BOB, role: 'Agent', agent: 2 }, true);
  await importRecords(service.table, service.site, [
    { type: 'agent', id: 1, name: 'Boss', login: BOSS, role: 'Administrator' },
    { type: 'agent', id: 2, name: 'Bob', login: BOB, role: 'Agent' },
  ]);
});

const DEMOTED = 'Agent 1 (Boss): role Administrator becomes Agent.';
const RAISED = 'Agent 2 (Bob): role Agent becomes Administrator, login bob@example.com becomes rob@example.com.';
const REMOVED = 'Agent 1 (Boss): is removed.';
const ADDED = 'Agent 3 (Cid): role none becomes Agent, login none becomes cid@example.com.';
const RENAMED = expect.stringMatching(
  /^The site: name .* becomes Mine, time zone .* becomes Asia\/Tokyo, rating scale four_star becomes yes_no\.$/,
);

const RECORDS: Readonly<Record<string, object>> = {
  [DEMOTED]: { type: 'agent', id: 1, name: 'Boss', role: 'Agent' },
  [RAISED]: { type: 'agent', id: 2, name: 'Bob', role: 'Administrator', login: 'rob@example.com' },
  [REMOVED]: { type: 'agent', id: 1, deleted: true },
  [ADDED]: { type: 'agent', id: 3, name: 'Cid', role: 'Agent', login: 'cid@example.com' },
};
const SITE = { type: 'site', name: 'Mine', time_zone: 'Asia/Tokyo', rating: 'yes_no' };
const EVENT = { type: 'case.created', id: 'a', case: 7, at: '2026-01-05T10:00:00Z' };

/** Brings a file of records, each a line. */
const bring = (...records: readonly object[]) =>
  tools.bring([...records, EVENT].map((record) => JSON.stringify(record)).join('\n'), 'records.ndjson');
const answer = (id: number, access: Readonly<Record<string, unknown>>) => tools.answer(id, { access });
const step = (id: number, what: 'load' | 'undo') => tools.step(id, what);

const shownUser = ({ login, role, deleted, password }: User) => ({
  login,
  role,
  deleted,
  signsIn: password !== undefined,
});

/** Who may sign in as what, and the settings of the site. */
async function access() {
  const { table, site } = service;
  const { version: _, updated_at: __, ...settings } = (await readSite(table, site.name))!;
  const users = (await listUsers(table, site.name)).filter(
    ({ deleted, login }) => !deleted && login.endsWith('example.com'),
  );
  return { settings, users: users.map(shownUser) };
}

async function audited(): Promise<unknown[]> {
  const { entries } = await readAudit(service.table, service.site.name, { limit: 100 });
  return entries
    .filter(({ resource }) => /^users\/|^site$/.test(resource))
    .map(({ resource, fields, user, via }) => ({ resource, fields, user, via }));
}

describe('records that change who may do what, in an import over HTTP', () => {
  it('are shown at the check one by one, and change nothing before an Administrator agrees', async () => {
    const before = await access();
    const { id, questions, state } = await bring(...Object.values(RECORDS), SITE);
    expect(state).toBe('checked');
    expect(questions).toEqual([
      expect.objectContaining({
        id: 'access',
        values: [RENAMED, DEMOTED, RAISED, REMOVED, ADDED].map((value) => ({ value, rows: 1, proposed: false })),
      }),
    ]);
    const early = await ask('POST', `${PATH}/${id}/load`);
    expect([early.status, early.body.errors]).toEqual([422, { questions: ['blank'] }]);
    const said = { [DEMOTED]: true };
    const asked = { body: { answers: { access: said } } };
    const other = await ask('PATCH', `${PATH}/${id}`, { ...byPerson('Billing Administrator'), ...asked });
    expect([other.status, other.body.details]).toEqual([
      422,
      [expect.objectContaining({ message: expect.stringContaining('Only an Administrator') })],
    ]);
    const wrong = await ask('PATCH', `${PATH}/${id}`, { body: { answers: { access: true } } });
    expect([wrong.status, wrong.body.errors]).toEqual([422, { answers: ['invalid'] }]);
    expect([await access(), await audited()]).toEqual([before, []]);
  });

  it('are refused with a sentence where they are left out, and the rest is loaded', async () => {
    const before = await access();
    const { id, questions } = await bring(...Object.values(RECORDS), SITE);
    const all: readonly string[] = questions[0].values.map(({ value }: { readonly value: string }) => value);
    await answer(id, Object.fromEntries(all.slice(0, 2).map((text) => [text, false])));
    const rest = await answer(id, Object.fromEntries(all.slice(2).map((text) => [text, false])));
    expect(rest).toMatchObject({ questions: [], check: { rejected: 5 } });
    expect(rest.check.rejections[0].reason).toContain('unless an Administrator says so');
    expect(await step(id, 'load')).toMatchObject({ state: 'loaded', result: { rejected: 5, added: 1 } });
    expect([await access(), await audited()]).toEqual([before, []]);
  });

  it.each([
    ['a role', DEMOTED, RECORDS[DEMOTED]!, { resource: `users/${BOSS}`, fields: ['role'] }],
    ['a login and a role', RAISED, RECORDS[RAISED]!, { resource: 'users/rob@example.com', fields: ['role', 'login'] }],
    ['somebody new', ADDED, RECORDS[ADDED]!, { resource: 'users/cid@example.com', fields: ['role'] }],
    ['settings of the site', RENAMED, SITE, { resource: 'site', fields: ['title', 'timeZone', 'rating'] }],
  ])(
    'change %s where an Administrator agrees, with an entry in the audit, and undo takes it back',
    async (_, text, record, entry) => {
      const before = await access();
      const { id, questions } = await bring(record);
      const [{ value }] = questions[0].values;
      expect(value).toEqual(text);
      expect(await answer(id, { [value]: true })).toMatchObject({ questions: [], check: { rejected: 0 } });
      expect(await access()).toEqual(before);
      expect(await step(id, 'load')).toMatchObject({
        state: 'loaded',
        can: ['correct', 'undo'],
        result: { rejected: 0, added: 1 },
      });
      expect(await access()).not.toEqual(before);
      const agreed = { ...entry, user: 'administrator@test.example', via: 'api' };
      expect(await audited()).toEqual([agreed]);
      expect((await ask('POST', `${PATH}/${id}/undo`, { as: 'Billing Administrator' })).status).toBe(403);
      expect(await step(id, 'undo')).toMatchObject({ state: 'undone', problem: null });
      const { settings, users } = await access();
      expect({ settings, users }).toEqual(before);
      expect(await audited()).toEqual([agreed, agreed]);
    },
  );

  it('remove somebody, whom undoing makes a user again without the password that is gone', async () => {
    const { id } = await bring(RECORDS[REMOVED]!);
    await answer(id, { [REMOVED]: true });
    await step(id, 'load');
    expect(await readUser(service.table, service.site.name, BOSS)).toMatchObject({ deleted: true });
    const undone = await step(id, 'undo');
    expect(undone).toMatchObject({ state: 'undone', problem: expect.stringContaining('without a password') });
    const boss = await readUser(service.table, service.site.name, BOSS);
    expect(shownUser(boss!)).toEqual({ login: BOSS, role: 'Administrator', deleted: false, signsIn: false });
  });

  it('are taken as they were shown alone: what changed since the check is refused, and what changed since the load stays', async () => {
    const { table, site } = service;
    const { id, questions } = await bring(RECORDS[DEMOTED]!, SITE);
    const texts = questions[0].values.map(({ value }: { readonly value: string }) => [value, true]);
    await answer(id, Object.fromEntries(texts));
    const boss = (await readUser(table, site.name, BOSS))!;
    await putUser(table, site.name, { ...boss, role: 'Content Manager' }, false);
    expect(await step(id, 'load')).toMatchObject({ result: { rejected: 1, rejections: [{ first: ['1'] }] } });
    expect(await readUser(table, site.name, BOSS)).toMatchObject({ role: 'Content Manager' });
    const now = (await readSite(table, site.name))!;
    await setSite(table, now, { ...now, timeZone: 'Europe/Paris' });
    const { problem } = await step(id, 'undo');
    expect(problem).toContain('was changed again since, and stays');
    expect(await readSite(table, site.name)).toMatchObject({ timeZone: 'Europe/Paris', rating: 'four_star' });
  });

  it('of a site are judged as what they leave: ratings of a scale that was refused are refused', async () => {
    const rated = { type: 'csat.rated', id: 'r', case: 7, at: '2026-01-06T10:00:00Z', score: 0 };
    const { id, questions } = await bring(SITE, rated);
    const refused = await answer(id, { [questions[0].values[0].value]: false });
    expect(refused.check.rejections.map(({ reason }: { readonly reason: string }) => reason)).toEqual([
      expect.stringMatching(/^type: /),
      expect.stringMatching(/^score: 0 is not 1 to 4/),
    ]);
  });
});

import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { isEvent } from '../../../lib/import/records/records.ts';
import { keys } from '../../../lib/store/keys.ts';
import type { LiveSite } from '../../support/desks/live-site.ts';
import { startZammad, type ZammadDesk } from '../../support/desks/zammad-desk.ts';
import type { ZendeskDesk } from '../../support/desks/zendesk-desk.ts';
import { startZendeskSite } from '../../support/desks/zendesk-site.ts';
import { itAtLength } from '../../support/generators/depth.ts';
import { readZendeskFiles } from '../../support/zendesk/read-zendesk.ts';

const DAY = 86_400_000;
const CONNECTION = '/api/v2/connections/1';
let site: LiveSite;
let desk: ZendeskDesk;
beforeEach(async () => {
  ({ site, desk } = await startZendeskSite());
});
afterEach(() => desk.close());

const credentials = { login: 'ann@acme.example', token: 'right-token' };
const connect = (more: object = {}) =>
  site.ask('POST', '/api/v2/connections', { body: { system: 'zendesk', url: desk.url, credentials, ...more } });
const shown = async () => (await site.ask('GET', CONNECTION)).body;
const later = (ms: number) => {
  site.now.at += ms;
  desk.now = site.now.at;
};

/** How many events each case has by files of the same history. */
async function countsOfFiles(): Promise<Map<string, number>> {
  const { records } = await readZendeskFiles(desk.files(), { rating: 'four_star' });
  const found = new Map<string, number>();
  for (const event of records.filter(isEvent))
    if ('case' in event && event.type !== 'case.version') found.set(event.case, (found.get(event.case) ?? 0) + 1);
  return found;
}
const counts = (events: ReadonlyMap<string, readonly HistoryEvent[]>) =>
  new Map([...events].map(([id, list]) => [id, list.length]));
const sorted = (map: ReadonlyMap<string, number>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

async function isWhole(): Promise<void> {
  expect(sorted(counts(await site.events()))).toEqual(sorted(await countsOfFiles()));
  expect(await shown()).toMatchObject({ state: 'live', error: null });
}

describe('a help desk that misbehaves', () => {
  it.each<[string, string, { readonly text: string }, boolean?]>([
    ['a list that begins again where it began', 'incremental', { text: '{"tickets":[],"after_cursor":"1 1"}' }, true],
    ['no list', 'incremental', { text: '{"after_cursor":"1 1","end_of_stream":true}' }],
    ['a list of texts', 'incremental', { text: '{"tickets":["x"],"after_cursor":"1 1","end_of_stream":true}' }],
    ['no id', 'incremental', { text: '{"tickets":[{}],"after_cursor":"1 1","end_of_stream":true}' }],
    ['a time that is none', 'incremental', { text: '{"tickets":[{"id":1,"updated_at":"soon"}],"after_cursor":"1"}' }],
    ['null', 'incremental', { text: 'null' }],
    ['deep JSON', 'incremental', { text: '['.repeat(100_000) }],
    ['audits without a list', 'audits', { text: '{"audits":{}}' }],
    ['an audit without a time', 'audits', { text: '{"audits":[{"id":1,"ticket_id":1,"events":[]}]}' }],
    ['members without a list', 'groups', { text: '{}' }],
    ['a member without an id', 'users.json', { text: '{"users":[{"role":"agent"}]}' }],
  ])('with %s: says what, stores nothing of it, and goes on', async (_, part, fault, isEmpty) => {
    await connect();
    desk.fault = ({ pathname }) => (pathname.includes(part) ? fault : undefined);
    const end = await site.pull();
    if (!isEmpty) expect([end, (await shown()).error]).toMatchObject(['failed', { code: 'changed' }]);
    expect(await site.events()).toEqual(new Map());
    desk.fault = undefined;
    later(3_600_000);
    await site.pull();
    await isWhole();
  });

  it('says where a list of pages never ends', async () => {
    await connect();
    const [ticket] = desk.tickets;
    const page = { tickets: [{ ...ticket, audits: undefined }], after_cursor: 'same', end_of_stream: false };
    desk.fault = ({ pathname }) => (pathname.includes('incremental') ? { text: JSON.stringify(page) } : undefined);
    expect(await site.pull()).toBe('failed');
    expect((await shown()).error).toMatchObject({
      code: 'changed',
      message: expect.stringContaining('list of changes'),
    });
    expect(desk.requests.length).toBeLessThan(100);
    desk.fault = undefined;
    later(3_600_000);
    await site.pull();
    await isWhole();
  });

  it('goes on with a new token at once after the old one was revoked in a backfill', async () => {
    await connect();
    let audits = 0;
    desk.fault = ({ pathname }) => {
      if (pathname.includes('audits') && (audits += 1) === 40) desk.token = 'next';
      return undefined;
    };
    expect(await site.pull()).toBe('failed');
    const half = await site.events();
    expect([half.size > 0, half.size < 60, (await shown()).error.code]).toEqual([true, true, 'refused']);
    later(60_000);
    desk.requests.length = 0;
    expect((await site.ask('POST', `${CONNECTION}/pull`)).status).toBe(202);
    await site.pull();
    const body = { credentials: { ...credentials, token: 'next' } };
    expect((await site.ask('PATCH', CONNECTION, { body })).status).toBe(200);
    expect(await site.pull()).toBe('done');
    await isWhole();
  });

  it('deletes nothing where it is emptied, by whatever it answers', async () => {
    await connect();
    await site.pull();
    const before = await site.events();
    const tickets = desk.tickets.splice(0, desk.tickets.length);
    for (let pulls = 0; pulls < 3; pulls += 1) {
      later(600_000);
      expect(await site.pull()).toBe('done');
    }
    expect(await site.events()).toEqual(before);
    expect((await site.ask('POST', `${CONNECTION}/check`, { body: { case_ids: [1, 2] } })).status).toBe(202);
    await site.pull();
    expect(await site.events()).toEqual(before);
    desk.tickets.push(...tickets);
    later(600_000);
    await site.pull();
    await isWhole();
  });

  it('is pulled once at a time, however many processes try', async () => {
    await connect();
    const ends = await Promise.all([site.pull(), site.pull(), site.pull()]);
    expect(ends.filter((end) => end === 'done')).toHaveLength(1);
    const asked = desk.requests.filter((one) => one.includes('audits'));
    expect(new Set(asked).size).toBe(asked.length);
    await isWhole();
  });
});

describe('a clock that jumps', () => {
  it.each([
    ['a year ahead before the connection', 365 * DAY, 'connect'],
    ['a year ahead before a pull', 365 * DAY, 'pull'],
    ['a year back before a pull', -365 * DAY, 'pull'],
    ['a day back in a pull', -DAY, 'within'],
  ])('%s, and back: all that changes is in', async (_, jump, when) => {
    const jumped = () => void (site.now.at += jump);
    const back = () => void (site.now.at -= jump);
    if (when === 'connect') jumped();
    await connect();
    if (when === 'connect') await site.pull();
    if (when === 'connect') back();
    if (when !== 'connect') await site.pull();
    if (when === 'pull') jumped();
    let calls = 0;
    desk.touch(5, 'solved'); // by the help desk's clock, which is right
    desk.fault = () => {
      if (when === 'within' && (calls += 1) === 2) jumped();
      return undefined;
    };
    await site.pull();
    desk.fault = undefined;
    if (when !== 'connect') back();
    desk.now = site.now.at;
    desk.touch(7, 'open');
    desk.add(2, site.now.at - 2000, site.now.at - 1000);
    later(600_000);
    await site.pull();
    later(600_000);
    await site.pull();
    await isWhole();
    expect(Math.abs(Date.parse((await shown()).as_of) - site.now.at)).toBeLessThanOrEqual(61_000);
  });
});

describe('a very long case', () => {
  let zammad: ZammadDesk;
  beforeEach(async () => {
    zammad = await startZammad();
    zammad.add(4, site.now.at - 20 * DAY, site.now.at - DAY);
  });
  afterEach(() => zammad.close());

  itAtLength.each([
    ['200,000 events are stored', 200_000, null],
    ['more are not, and all other cases are', 200_001, 'case'],
  ])('%s', async (_, events, code) => {
    const ticket = zammad.tickets[1]!;
    ticket.history.splice(0);
    ticket.articles.splice(0);
    // With its creation and its group.
    for (let id = 1; id <= events - 2; id += 1)
      ticket.articles.push({ id, created_at: ticket.created_at, sender: 'Customer', created_by_id: 4 });
    const body = { system: 'zammad', url: zammad.url, credentials: { token: 'right-token' } };
    await site.ask('POST', '/api/v2/connections', { body });
    expect(await site.pull()).toBe('done');
    later(600_000);
    await site.pull();
    const stored = await site.events();
    expect([stored.size, stored.get('2')?.length ?? 0]).toEqual(code === null ? [4, 200_000] : [3, 0]);
    const { error } = await shown();
    expect(error?.code ?? null).toBe(code);
    if (code !== null) expect(error.message).toContain('more than 200000 events');
    expect(await site.table.get(keys.connection(site.site.name, 'lease'))).toBeUndefined();
  });
});

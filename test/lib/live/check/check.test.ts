import { randomUUID } from 'node:crypto';
import { caseSubject } from '../../../../lib/history/cases/subject.ts';
import { rewriteLedger } from '../../../../lib/history/rewrite.ts';
import { type LiveSite, startLiveSite } from '../../../support/desks/live-site.ts';
import { startZammad } from '../../../support/desks/zammad-desk.ts';
import { startZendesk, type ZendeskDesk } from '../../../support/desks/zendesk-desk.ts';

const DAY = 86_400_000;
const CHECK = '/api/v2/connections/1/check';
let site: LiveSite;
let desk: ZendeskDesk;
beforeEach(async () => {
  site = await startLiveSite();
  desk = await startZendesk({ now: site.now.at });
});
afterEach(() => desk.close());

const later = (ms: number) => {
  site.now.at += ms;
  desk.now = site.now.at;
};

/** Connects with 80 tickets of 40 days, and has all of them. */
async function connect(more: object = {}) {
  desk.add(80, site.now.at - 40 * DAY, site.now.at - DAY);
  const credentials = { login: 'ann@acme.example', token: 'right-token' };
  const body = { system: 'zendesk', url: desk.url, credentials, ...more };
  expect((await site.ask('POST', '/api/v2/connections', { body })).status).toBe(201);
  expect(await site.pull()).toBe('done');
}

async function check(body: object = {}) {
  const { status, body: begun } = await site.ask('POST', CHECK, { body });
  expect([status, begun.state, begun.cases]).toEqual([202, 'running', 0]);
  expect(await site.pull()).toBe('done');
  const { body: done } = await site.ask('GET', CHECK);
  const { cases, equal, repaired, explained, unexplained } = done;
  expect([done.state, equal + repaired + explained + unexplained]).toEqual(['done', cases]);
  return done;
}

/** Takes events of a case away, as a fault of ours would. */
const lose = (id: string, isLost: (type: string) => boolean) =>
  rewriteLedger({ table: site.table, site: site.site, clock: site.clock, newId: randomUUID }, (subject, events) =>
    subject === caseSubject(id) ? events.filter(({ type }) => !isLost(type)) : events,
  );

/** A ticket of which these are true. */
const ticketWith = (isRight: (audits: string) => boolean) =>
  desk.tickets.find(({ audits }) => isRight(JSON.stringify(audits)))!;

describe('a check', () => {
  it('has nothing unexplained where nothing is planted, and changes nothing', async () => {
    await connect();
    expect((await site.ask('GET', CHECK)).body).toMatchObject({ state: 'none', at: null, cases: 0, entries: [] });
    const before = await site.events();
    expect(await check()).toMatchObject({ cases: 80, equal: 80, unexplained: 0, reasons: {}, entries: [] });
    expect(await site.events()).toEqual(before);
  });

  it('takes the latest changed, as many as asked for, or those that are named', async () => {
    await connect();
    desk.requests.length = 0;
    expect(await check({ cases: 10 })).toMatchObject({ cases: 10, equal: 10 });
    const asked = desk.requests.flatMap((one) => /tickets\/(\d+)\/metrics/.exec(one)?.[1] ?? []);
    const latest = [...desk.tickets].sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at)).slice(0, 10);
    expect(asked).toEqual(latest.map(({ id }) => String(id)));
    expect(await check({ case_ids: [3, 5, 3] })).toMatchObject({ cases: 2, equal: 2 });
  });

  it('names each planted difference with both figures and the story, and repairs what we had lost', async () => {
    await connect();
    const replied = ticketWith((audits) => audits.includes('"author_id":501') && audits.includes('"public":true,'));
    const other = desk.tickets.find(({ id, audits }) => id !== replied.id && audits.length > 1)!;
    const planted: [number, string, object][] = [
      [replied.id, 'reopens', { reopens: 7 }],
      [other.id, 'replies', { replies: 70 }],
      [other.id + 1, 'first_reply', { reply_time_in_minutes: { calendar: 99_999 } }],
      [other.id + 2, 'resolution', { full_resolution_time_in_minutes: { calendar: 99_999 } }],
    ];
    for (const [id, , metrics] of planted) desk.metrics.set(id, metrics as Record<string, unknown>);
    const lost = desk.tickets.filter(({ id, audits }) => !desk.metrics.has(id) && audits.length > 2).slice(0, 3);
    for (const { id } of lost) await lose(String(id), (type) => type !== 'case.created');
    await lose(String(desk.tickets[79]!.id), () => true);
    const { entries, ...done } = await check();
    expect(done).toMatchObject({ cases: 80, repaired: expect.any(Number), unexplained: planted.length, reasons: {} });
    expect(done.repaired).toBeGreaterThan(0);
    expect(entries.map(({ case: id, measure, verdict }: never) => [id, measure, verdict]).sort()).toEqual(
      planted.map(([id, measure]) => [id, measure, 'unexplained']).sort(),
    );
    const entry = entries.find((one: { case: number }) => one.case === replied.id);
    expect(entry).toMatchObject({ theirs: 7, unit: null, reason: null });
    expect(entry.story[0]).toMatchObject({
      at: expect.stringMatching(/^2026/),
      what: expect.stringMatching(/^is created/),
    });
    desk.metrics.clear();
    expect(await check()).toMatchObject({ cases: 80, equal: 80 });
  });

  it('explains what the events of a case show, and only that', async () => {
    desk.add(6, site.now.at - 10 * DAY, site.now.at - 9 * DAY);
    const at = (minutes: number) => `${new Date(site.now.at - 8 * DAY + minutes * 60_000).toISOString().slice(0, 19)}Z`;
    const audit = (id: number, minutes: number, author_id: number, events: object[]) => ({
      ...{ id: 90_000 + id * 100 + minutes, ticket_id: id, created_at: at(minutes), author_id },
      ...{ via: { channel: 'web' }, events },
    });
    const comment = (id: number, author_id: number) => ({ id, type: 'Comment', author_id, public: true });
    const solve = { id: 1, type: 'Change', field_name: 'status', value: 'solved', previous_value: 'new' };
    const begin = { type: 'Create', field_name: 'status', value: 'new' };
    const histories = [
      // a machine answers after a minute, an agent after ten
      (id: number) => [
        audit(id, 0, 901, [begin, comment(id * 10, 901)]),
        audit(id, 1, 502, [comment(id * 10 + 1, 502)]),
        audit(id, 10, 501, [comment(id * 10 + 2, 501)]),
      ],
      // an agent makes it, with a message
      (id: number) => [
        audit(id, 0, 501, [begin, comment(id * 10, 501)]),
        audit(id, 30, 501, [comment(id * 10 + 1, 501), solve]),
      ],
      // it is merged
      (id: number) => [
        audit(id, 0, 901, [begin, comment(id * 10, 901)]),
        audit(id, 5, 501, [
          { id: 1, type: 'Change', field_name: 'tags', value: ['closed_by_merge'], previous_value: [] },
        ]),
      ],
    ];
    for (const [index, history] of histories.entries()) {
      const ticket = desk.tickets[index]!;
      ticket.audits.splice(0, ticket.audits.length, ...(history(ticket.id) as never[]));
      Object.assign(ticket, { created_at: at(0), updated_at: at(40) });
    }
    desk.metrics.set(1, { reply_time_in_minutes: { calendar: 1 }, replies: 2 });
    desk.metrics.set(2, { reply_time_in_minutes: { calendar: 30 }, replies: 1 });
    desk.metrics.set(3, { replies: 3 });
    const credentials = { login: 'ann@acme.example', token: 'right-token' };
    const body = { system: 'zendesk', url: desk.url, credentials, options: { automated: [502] } };
    await site.ask('POST', '/api/v2/connections', { body });
    await site.pull();
    const { entries } = await check({ case_ids: [1, 2, 3] });
    expect(entries.map(({ case: id, measure, reason }: never) => [id, measure, reason])).toEqual([
      [1, 'first_reply', 'automated'],
      [1, 'replies', 'automated'],
      [2, 'first_reply', 'agent_created'],
      [2, 'replies', 'agent_created'],
      [3, 'replies', 'merge'],
    ]);
    desk.metrics.set(1, { reply_time_in_minutes: { calendar: 2 }, replies: 5 });
    desk.metrics.set(2, { replies: 4 });
    expect(await check({ case_ids: [1, 2] })).toMatchObject({ explained: 0, unexplained: 2 });
  });

  it('tells a case that moves while it is compared, and one that changed before `since`', async () => {
    await connect({ since: new Date(site.now.at - 20 * DAY).toISOString() });
    const old = desk.tickets.find(({ updated_at }) => Date.parse(updated_at) < site.now.at - 21 * DAY)!;
    const moving = [...desk.tickets].sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at))[0]!;
    desk.metrics.set(moving.id, { replies: 40 });
    later(120_000);
    desk.fault = ({ pathname }) => {
      if (pathname.endsWith(`/${moving.id}/audits.json`)) {
        desk.fault = undefined;
        later(1000);
        desk.touch(moving.id);
      }
      return undefined;
    };
    const stored = await site.events();
    const { reasons, entries } = await check({ case_ids: [old.id, moving.id] });
    expect(reasons).toEqual({ before_since: 1, moving: 1 });
    expect(entries).toHaveLength(2);
    expect((await site.events()).has(String(old.id))).toBe(stored.has(String(old.id)));
  });

  it('goes on after a stop anywhere, and counts each case once', async () => {
    await connect();
    desk.metrics.set(9, { reopens: 5 });
    await site.ask('POST', CHECK, { body: {} });
    for (let stops = 0; stops < 5; stops += 1) {
      let left = 14;
      await site.pull({ isEnding: () => (left -= 1) < 0 }).catch(() => undefined);
    }
    const half = (await site.ask('GET', CHECK)).body;
    expect([half.state, half.cases > 0, half.cases < 80]).toEqual(['running', true, true]);
    desk.fault = ({ pathname }) => (pathname.includes('metrics') ? { status: 503 } : undefined);
    expect(await site.pull()).toBe('failed');
    desk.fault = undefined;
    later(3_600_000);
    expect(await site.pull()).toBe('done');
    expect((await site.ask('GET', CHECK)).body).toMatchObject({ state: 'done', cases: 80, equal: 79, unexplained: 1 });
  });

  it('begins by itself each night', async () => {
    await connect();
    later(3_600_000);
    await site.pull();
    expect((await site.ask('GET', CHECK)).body.state).toBe('none');
    later(16 * 3_600_000);
    await site.pull();
    const first = (await site.ask('GET', CHECK)).body;
    expect(first).toMatchObject({ state: 'done', cases: 80, equal: 80 });
    later(3_600_000);
    await site.pull();
    expect((await site.ask('GET', CHECK)).body.at).toBe(first.at);
  });

  it.each([
    [{ cases: 0 }, { cases: ['invalid'] }],
    [{ cases: 1001 }, { cases: ['invalid'] }],
    [{ case_ids: [] }, { case_ids: ['invalid'] }],
    [{ case_ids: ['x'] }, { case_ids: ['invalid'] }],
    [{ cases: 5, case_ids: [1] }, { case_ids: ['invalid'] }],
  ])('refuses %j', async (body, errors) => {
    await connect();
    const reply = await site.ask('POST', CHECK, { body });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect((await site.ask('GET', CHECK)).body.state).toBe('none');
  });

  it('is for Administrators, of a connection that is not paused', async () => {
    await connect();
    expect((await site.ask('GET', CHECK, { as: 'Business Manager' })).status).toBe(403);
    await site.ask('PATCH', '/api/v2/connections/1', { body: { paused: true } });
    expect((await site.ask('POST', CHECK, { body: {} })).status).toBe(409);
    expect((await site.ask('POST', '/api/v2/connections/2/check', { body: {} })).status).toBe(404);
  });
});

it("compares Zammad's own times, of which the first close stays", async () => {
  const zammad = await startZammad();
  zammad.add(30, site.now.at - 30 * DAY, site.now.at - DAY);
  zammad.answer(4, site.now.at - 3_000_000, 2);
  zammad.answer(4, site.now.at - 2_000_000, 4);
  const body = { system: 'zammad', url: zammad.url, credentials: { token: 'right-token' } };
  await site.ask('POST', '/api/v2/connections', { body });
  await site.pull();
  expect(await check()).toMatchObject({ cases: 30, equal: 29, unexplained: 0, reasons: { rounding: 1 } });
  zammad.tickets[6]!.article_count = 50;
  zammad.tickets[7]!.first_response_at = new Date(site.now.at).toISOString();
  const { entries } = await check();
  expect(entries.map(({ case: id, measure, unit }: never) => [id, measure, unit]).sort()).toEqual([
    [4, 'resolution', 's'],
    [7, 'parts', null],
    [8, 'first_reply', 's'],
  ]);
  await zammad.close();
});

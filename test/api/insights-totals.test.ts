import { routes } from '../../lib/routes.ts';
import { type ExampleSite, exampleSites } from '../support/service/example-site.ts';
import { importRecords } from '../support/service/import.ts';
import { addUser, itByItsClock, newSite, type Received, startService } from '../support/service/service.ts';

const service = await startService(routes, { site: { timeZone: 'Europe/Berlin' } });
const { ask, now, table } = service;
const examples = await exampleSites(service, 16, 2034);
const REPORTS = '/api/v2/insights3/reports';
const time = { min: '2026-03-01T00:00:00+01:00', max: '2026-03-03T00:00:00+01:00', window_size: 'day' };

/** The report of an example with changes; its answer must be 200. */
async function reportOf({ body, host }: ExampleSite, changes: object = {}): Promise<Received['body']> {
  const reply = await ask('POST', REPORTS, { body: { ...body, ...changes }, host });
  expect(reply.status).toBe(200);
  return reply.body;
}

/** A range that begins and ends so many days further out. */
function longer<T extends { readonly min: string; readonly max: string }>(time: T, days: number): T {
  const moved = (text: string, by: number): string => new Date(Date.parse(text) + by * 86_400_000).toISOString();
  return days === 0 ? time : { ...time, min: moved(time.min, -days), max: moved(time.max, days) };
}

const UNSPLIT = { dimension1: null, dimension1_values: null, dimension2: null, dimension2_values: null };

describe('totals of a report', () => {
  const eachOnce = {
    ...UNSPLIT,
    dimension1: 'channel',
    fields: ['case_creates', 'resolved_cases', 'outbound_interactions'],
  };
  it.each([
    [0, {}],
    [0, eachOnce],
    [40, {}],
    [40, eachOnce],
  ])('are the rows of the reports asked that way, %i days beyond the history: %j', async (days, changes) => {
    for (const each of examples) {
      const example = { ...each, body: { ...each.body, time: longer(each.body.time, days) } };
      const rowsOf = async (more: object) => (await reportOf(example, { ...changes, ...more })).data;
      const whole = { time: { ...example.body.time, window_size: 'none' } };
      const { data, totals } = await reportOf(example, { ...changes, totals: true });
      expect(data).toEqual(await rowsOf({}));
      expect(totals).toEqual({
        members: await rowsOf(whole),
        windows: await rowsOf(UNSPLIT),
        all: await rowsOf({ ...whole, ...UNSPLIT }),
      });
    }
  });

  it('stand in the echo and in the reply only where the request has them', async () => {
    const plain = await ask('POST', REPORTS, { body: { fields: ['case_creates'], time } });
    expect(Object.keys(plain.body)).toEqual(['request', 'header', 'data', '_links']);
    expect(Object.keys(plain.body.request)).not.toContain('totals');
    const none = await ask('POST', REPORTS, { body: { fields: ['case_creates'], time, totals: null } });
    expect([none.body.request.totals, none.body.totals]).toEqual([null, undefined]);
  });
});

describe('the comparison of a report', () => {
  it('is the report asked for that range', async () => {
    const late = examples.filter(({ body }) => Date.parse(body.time.min) > Date.parse('1975-01-01T00:00:00Z'));
    for (const [place, example] of late.entries()) {
      const { body } = example;
      const compare = place % 2 === 0 ? 'previous_period' : 'previous_year';
      const totals = place % 3 === 0;
      const { comparison, request } = await reportOf(example, { time: { ...body.time, compare }, totals });
      const zone = { time_zone: body.time.time_zone ?? example.site.timeZone };
      const there = await reportOf(example, { time: { ...body.time, ...comparison.time, ...zone }, totals });
      expect(request.time.compare).toBe(compare);
      if (body.time.time_zone === undefined) continue; // its zone may be an offset, which no request can name
      expect(comparison).toEqual({
        time: { min: there.request.time.min, max: there.request.time.max },
        data: there.data,
        ...(totals ? { totals: there.totals } : {}),
      });
    }
  });

  it('may have any range', async () => {
    const [example] = examples;
    const range = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z' };
    const timeZone = { window_size: 'day', time_zone: 'UTC' };
    const changes = { time: { ...example!.body.time, ...timeZone, compare: range } };
    const { comparison } = await reportOf(example!, changes);
    expect(comparison.data).toEqual((await reportOf(example!, { time: { ...range, ...timeZone } })).data);
    expect(comparison.time).toEqual({ min: '2026-01-01T00:00:00+00:00', max: '2026-02-01T00:00:00+00:00' });
  });

  it('stands in the CSV beside the report and the totals', async () => {
    const ended = { min: '2026-02-26T00:00:00+01:00', max: '2026-02-28T00:00:00+01:00', window_size: 'day' };
    const body = { fields: ['case_creates'], time: { ...ended, compare: 'previous_period' }, totals: true };
    const { text } = await ask('POST', `${REPORTS}?format=csv`, { body });
    expect(text.split('\r\n')).toEqual([
      'part,window_time,case_creates',
      'data,2026-02-26 00:00:00,0',
      'data,2026-02-27 00:00:00,0',
      'totals.members,,0',
      'totals.windows,2026-02-26 00:00:00,0',
      'totals.windows,2026-02-27 00:00:00,0',
      'totals.all,,0',
      'comparison.data,2026-02-24 00:00:00,0',
      'comparison.data,2026-02-25 00:00:00,0',
      'comparison.totals.members,,0',
      'comparison.totals.windows,2026-02-24 00:00:00,0',
      'comparison.totals.windows,2026-02-25 00:00:00,0',
      'comparison.totals.all,,0',
      '',
    ]);
  });
});

describe('the comparison of a range that is still running', () => {
  const reported = async (time: object): Promise<Received['body']> => {
    const reply = await ask('POST', REPORTS, { body: { fields: ['case_creates'], time } });
    expect(reply.status).toBe(200);
    return reply.body;
  };
  const daysOf = ({ data }: { data: string[][] }) => data.map(([day]) => day);

  itByItsClock('ends at the same moment, and the echo says until when the range has run', async () => {
    now.at = Date.parse('2026-03-01T12:00:00Z');
    const { request, data, comparison } = await reported({ ...time, compare: 'previous_period' });
    expect(request.time).toEqual({ ...time, compare: 'previous_period', until: '2026-03-01T13:00:00+01:00' });
    expect(comparison.time).toEqual({ min: '2026-02-27T00:00:00+01:00', max: '2026-02-27T13:00:00+01:00' });
    expect(daysOf({ data })).toEqual(['2026-03-01 00:00:00', '2026-03-02 00:00:00']);
    expect(daysOf(comparison)).toEqual(['2026-02-27 00:00:00']);
  });

  itByItsClock('moves a relative time by its unit, whatever the windows', async () => {
    now.at = Date.parse('2026-11-28T02:06:00Z');
    for (const size of ['none', 'day', 'week', 'month']) {
      const month = { last: 1, unit: 'month', window_size: size, compare: 'previous_period' };
      const whole = await reported(month);
      expect(whole.request.time.until).toBe('2026-11-01T00:00:00+01:00');
      expect(whole.comparison.time).toEqual({ min: '2026-09-01T00:00:00+02:00', max: '2026-10-01T00:00:00+02:00' });
      const current = await reported({ ...month, including_current: true });
      expect(current.request.time.until).toBe('2026-11-28T03:06:00+01:00');
      expect(current.comparison.time).toEqual({ min: '2026-10-01T00:00:00+02:00', max: '2026-10-28T03:06:00+01:00' });
    }
  });

  itByItsClock('is not cut where the request names its range', async () => {
    now.at = Date.parse('2026-03-01T12:00:00Z');
    const compare = { min: '2026-02-27T00:00:00+01:00', max: '2026-03-01T00:00:00+01:00' };
    const { request, comparison } = await reported({ ...time, compare });
    expect([comparison.time, request.time.until]).toEqual([compare, '2026-03-01T13:00:00+01:00']);
  });

  itByItsClock('counts the open cases of the two moments', async () => {
    now.at = Date.parse('2026-11-28T02:06:00Z');
    const created = (id: number, at: string) => ({ type: 'case.created', id: `e${id}`, case: String(id), at });
    const site = await newSite(table, { name: 'backlog', timeZone: 'Europe/Berlin' }, { default: false });
    await addUser(table, site.name, 'Administrator');
    await importRecords(table, site, [
      created(1, '2026-10-28T02:05:59Z'), // before the same moment of October
      created(2, '2026-10-28T02:06:01Z'), // after it
      created(3, '2026-11-27T00:00:00Z'),
    ]);
    const month = { last: 1, unit: 'month', including_current: true, window_size: 'none' };
    const body = { fields: ['open_cases'], time: { ...month, compare: 'previous_period' } };
    const reply = await ask('POST', REPORTS, { body, host: 'backlog.localhost' });
    expect([reply.body.data, reply.body.comparison.data]).toEqual([[[null, null, null, 3]], [[null, null, null, 1]]]);
  });

  it('leaves a request without one the reply that it had', async () => {
    const { request } = await reported({ ...time, compare: null });
    expect(request.time).toEqual({ ...time, compare: null });
  });
});

describe('a relative time', () => {
  itByItsClock('is worked out on the clocks of the site, and echoed beside what was sent', async () => {
    now.at = Date.parse('2026-03-11T22:59:59Z');
    const relative = { last: 2, unit: 'day', window_size: 'day' };
    const reply = await ask('POST', REPORTS, { body: { fields: ['case_creates'], time: relative } });
    expect(reply.body.request.time).toEqual({
      ...{ min: '2026-03-09T00:00:00+01:00', max: '2026-03-11T00:00:00+01:00' },
      ...{ window_size: 'day', last: 2, unit: 'day' },
    });
    const current = { ...relative, including_current: true, time_zone: 'UTC' };
    const { body } = await ask('POST', REPORTS, { body: { fields: ['case_creates'], time: current } });
    expect(body.data.map(([day]: string[]) => day)).toEqual(['2026-03-10 00:00:00', '2026-03-11 00:00:00']);
  });
});

describe('bad input', () => {
  it.each<[object, object]>([
    [{ time: { last: 0, unit: 'day', window_size: 'day' } }, { time: { last: ['invalid'] } }],
    [{ time: { last: 1.5, unit: 'decade', window_size: 'day' } }, { time: { last: ['invalid'], unit: ['invalid'] } }],
    [{ time: { last: 3, window_size: 'day' } }, { time: { unit: ['blank'] } }],
    [{ time: { ...time, last: 3, unit: 'day' } }, { time: { last: ['invalid'] } }],
    [
      { time: { last: 3, unit: 'day', including_current: 1 } },
      { time: { window_size: ['blank'], including_current: ['invalid'] } },
    ],
    [{ time: { ...time, compare: 'yesterday' } }, { time: { compare: ['invalid'] } }],
    [{ time: { ...time, compare: { min: time.max, max: time.min } } }, { time: { compare: { max: ['invalid'] } } }],
    [{ time: { ...time, compare: { max: time.min } } }, { time: { compare: { min: ['blank'] } } }],
    [{ time: { ...time, min: '1970-06-01T00:00:00Z', compare: 'previous_year' } }, { time: { compare: ['invalid'] } }],
    [{ time, totals: 'yes' }, { totals: ['invalid'] }],
  ])('%j is refused', async (body, errors) => {
    const reply = await ask('POST', REPORTS, { body: { fields: ['case_creates'], ...body } });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
  });
});

describe('chance', () => {
  const body = {
    fields: ['case_creates', 'case_reopen_rate', 'reply_time', 'reply_time:p50', 'avg_handle_time', 'open_cases'],
    time: { ...time, compare: 'previous_period' },
    totals: true,
  };

  it('is told for each number of a report that asks for it, by row, and only beside a comparison', async () => {
    let reports = 0;
    for (const { host, body: drawn } of examples) {
      const range = longer(drawn.time, 3);
      const asked = {
        ...body,
        time: { ...range, window_size: 'week', compare: 'previous_period' },
        dimension1: 'channel',
      };
      const { body: reply, status } = await ask('POST', REPORTS, { body: { ...asked, chance: true }, host });
      if (status === 422) {
        expect(reply.errors.time.compare).toBeDefined(); // it begins before 1970
        continue;
      }
      reports += 1;
      const { data, totals, comparison } = reply;
      const { chance, ...rest } = comparison;
      delete rest.time.begins; // below
      const plain = await ask('POST', REPORTS, { body: asked, host });
      expect({ data, totals, comparison: rest }).toEqual({
        ...{ data: plain.body.data, totals: plain.body.totals, comparison: plain.body.comparison },
      });
      const tables = { data, ...totals };
      const told = { data: chance.data, ...chance.totals };
      for (const [name, rows] of Object.entries(tables)) {
        expect(told[name].map((row: unknown[]) => row.length)).toEqual(
          (rows as unknown[]).map(() => asked.fields.length),
        );
      }
      // Of counts by the rule itself, from the numbers of the reply: the n-th window answers the n-th.
      const starts = (of: { totals: { windows: [string][] } }): string[] => of.totals.windows.map(([start]) => start);
      const [windows, earlier] = [starts(reply), starts(comparison)];
      for (const [index, [start, member, , creates]] of data.entries()) {
        const before = comparison.data.find(
          (row: [string, number]) => row[0] === earlier[windows.indexOf(start)] && row[1] === member,
        );
        const difference = Math.abs(creates - (before?.[3] ?? 0));
        expect(chance.data[index][0]).toBe(difference <= 2 * Math.sqrt(creates + (before?.[3] ?? 0)));
        expect(chance.data[index][4]).toBe(null); // handled time is added bit by bit
      }
    }
    expect(reports).toBeGreaterThan(examples.length / 2);
  });

  it('compares the same members in ranges of which one begins before the first fact', async () => {
    const site = await newSite(table, { name: 'first-fact' }, { default: false });
    await addUser(table, site.name, 'Administrator');
    const creation = (id: number) => ({
      ...{ type: 'case.created', id: `created ${id}`, case: `${id}`, at: `2026-03-0${id}T09:00:00Z`, channel: 1 },
    });
    await importRecords(
      table,
      site,
      Array.from({ length: 9 }, (_, place) => creation(place + 1)),
    );
    const compare = { min: '2026-03-01T10:00:00Z', max: '2026-04-01T00:00:00Z' };
    const whole = { min: '2026-01-01T00:00:00Z', max: '2026-04-01T00:00:00Z', window_size: 'none', compare };
    const asked = { fields: ['case_creates'], time: whole, dimension1: 'channel', chance: true };
    const { body: reply } = await ask('POST', REPORTS, { body: asked, host: `${site.name}.localhost` });
    expect([reply.data, reply.comparison.data]).toEqual([[[null, 1, null, 9]], [[null, 1, null, 8]]]);
    expect(reply.comparison.chance.data).toEqual([[true]]);
    const begins = async (compare: unknown, more = {}) => {
      const body = { ...asked, time: { ...whole, compare }, ...more };
      return (await ask('POST', REPORTS, { body, host: `${site.name}.localhost` })).body.comparison.time.begins;
    };
    const earlier = { min: '2026-02-28T00:00:00Z', max: compare.max };
    expect(await begins(earlier)).toBe('2026-03-01T09:00:00+00:00');
    expect(await begins(earlier, { chance: false })).toBeUndefined();
    expect(await begins(compare)).toBeUndefined(); // no later than the range
    const gap = { min: '2026-02-01T00:00:00Z', max: '2026-02-28T00:00:00Z' };
    expect(await begins(gap)).toBe('2026-03-01T09:00:00+00:00'); // also where it lies before all of them
    await importRecords(table, site, [{ ...creation(1), id: 'old', case: 'old', at: '2025-11-01T09:00:00Z' }]);
    expect(await begins(gap)).toBeUndefined(); // a gap is no beginning
  });

  it('is nothing without a comparison, and refuses what is no truth value', async () => {
    const alone = await ask('POST', REPORTS, { body: { fields: ['case_creates'], time, chance: true } });
    expect([alone.status, alone.body.comparison, alone.body.request.chance]).toEqual([200, undefined, true]);
    const faulty = await ask('POST', REPORTS, { body: { ...body, chance: 'yes' } });
    expect([faulty.status, Object.keys(faulty.body.errors)]).toEqual([422, ['chance']]);
  });
});

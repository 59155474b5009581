import { deletedSince } from '../../lib/console/model/story.ts';
import { defineField } from '../../lib/insights/definitions/definitions.ts';
import { FIELD_NAMES, type FieldName, roundedQuotient } from '../../lib/insights/definitions/fields.ts';
import { percentile } from '../../lib/insights/percentiles.ts';
import { routes } from '../../lib/routes.ts';
import { readCsv } from '../support/generators/read-csv.ts';
import { exampleSites } from '../support/service/example-site.ts';
import { importRecords } from '../support/service/import.ts';
import { startService } from '../support/service/service.ts';

const service = await startService(routes);
const { ask, table, site } = service;
const CASES = '/api/v2/insights3/cases';
const REPORTS = '/api/v2/insights3/reports';

interface Listed {
  readonly case: number | string;
  readonly at: string;
  readonly value: number;
  readonly counted: boolean;
}

/** All entries behind a cell, page by page; every page must tell the same total. */
async function allCases(body: object, host?: string): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const reply = await ask('POST', CASES, { body: { ...body, cursor }, ...(host ? { host } : {}) });
    if (reply.status !== 200) throw new Error(`${JSON.stringify(body)}: ${reply.text}`);
    found.push(...reply.body.cases);
    cursor = reply.body.cursor;
    if (cursor === null) expect(reply.body.total_entries).toBe(found.length);
  }
  return found;
}

const STATISTICS = [
  'time_to_resolution:p90',
  'reply_time:p50',
  'handle_time:max',
  'time_to_first_response:count',
] as const;
const FIELDS: readonly FieldName[] = [...FIELD_NAMES.filter((name) => name !== 'agent_time_online'), ...STATISTICS];

/** What a field is, made of the entries behind it. */
function addUp(field: FieldName, entries: readonly Listed[]): number | null {
  const sum = entries.reduce((all, { value }) => all + value, 0);
  const { kind } = defineField(field);
  if (kind === 'total') return sum;
  if (field === 'case_reopen_rate') {
    const resolves = entries.filter(({ counted }) => !counted).length;
    return resolves === 0 ? null : roundedQuotient(100 * sum, resolves);
  }
  if (entries.length === 0) return null;
  if (kind === 'rate') return roundedQuotient(100 * sum, entries.length);
  if (kind === 'mean') return roundedQuotient(sum, entries.length);
  const sorted = Float64Array.from(entries, ({ value }) => value).sort();
  return percentile(sorted, field.endsWith('max') ? 100 : Number(field.split(':p')[1]));
}

describe('the cases behind a number', () => {
  it('add up to it, page by page, for every field', async () => {
    let cells = 0;
    for (const [place, { body, host }] of (await exampleSites(service, 10, 37)).entries()) {
      const time = { ...body.time, window_size: 'none' };
      const fields = FIELDS;
      const report = await ask('POST', REPORTS, { body: { ...body, time, fields }, host });
      const row: (string | number | null)[] | undefined = report.body.data[place % (report.body.data.length || 1)];
      if (row === undefined) continue;
      const members = {
        ...(row[1] === null ? {} : { dimension1_values: [row[1]] }),
        ...(row[2] === null ? {} : { dimension2_values: [row[2]] }),
      };
      for (const [at, field] of fields.entries()) {
        const sort = at % 2 === 0 ? 'at' : 'value';
        const direction = at % 3 === 0 ? 'desc' : 'asc';
        const cell = { ...body, ...members, time, fields: [field], sort, direction, per_page: 3 };
        const entries = await allCases(cell, host);
        const { nullBy } = { nullBy: row[3 + at] === null && entries.length === 0 };
        if (!nullBy)
          expect({ place, field, value: addUp(field, entries) }).toEqual({ place, field, value: row[3 + at] });
        const sorted = entries.map((entry) => (sort === 'at' ? Date.parse(entry.at) : entry.value));
        expect(sorted).toEqual(sorted.toSorted((a, b) => (direction === 'asc' ? a - b : b - a)));
        cells += 1;
      }
    }
    expect(cells).toBeGreaterThan(100);
  });

  it('are listed with what they are now, in the order asked for', async () => {
    const at = (hour: number) => `2026-03-02T${String(hour).padStart(2, '0')}:00:00Z`;
    const records = [
      { type: 'label', id: 3, name: '=Billing' },
      {
        type: 'case.created',
        id: 'a',
        case: 10,
        at: at(8),
        channel: 1,
        labels: [3],
        company: 9,
        custom_fields: { 12: 'gold' },
      },
      { type: 'case.created', id: 'a', case: 'X-1', at: at(8) },
      { type: 'case.created', id: 'a', case: 9, at: at(8) },
      { type: 'case.status', id: 'b', case: 10, at: at(9), to: 'resolved', agent: 42 },
      { type: 'case.assigned', id: 'c', case: 10, at: at(9), agent: 42, group: 7 },
    ];
    expect((await importRecords(table, site, records)).rejected).toEqual([]);
    const time = { min: '2026-03-02T00:00:00Z', max: '2026-03-03T00:00:00Z', window_size: 'day' };
    const { body } = await ask('POST', CASES, { body: { fields: ['case_creates'], time } });
    expect(body.request).toMatchObject({ fields: ['case_creates'], sort: 'at', direction: 'asc', per_page: 50 });
    expect(body.cases.map((one: Listed) => one.case)).toEqual([9, 10, 'X-1']);
    expect(body.cases[1]).toEqual({
      ...{ case: 10, at: '2026-03-02T08:00:00+00:00', value: 1, counted: true, status: 'resolved', channel: 1 },
      ...{ deleted: false },
      ...{ priority: null, assignee: 42, group: 7, labels: [3], company: 9, custom_fields: { 12: 'gold' } },
    });
    const csv = await ask('POST', `${CASES}?format=csv`, { body: { fields: ['case_creates'], time, per_page: 2 } });
    expect(
      readCsv(csv.text)
        .slice(0, 2)
        .map((row) => row.slice(0, 6)),
    ).toEqual([
      ['case', 'at', 'value', 'counted', 'status', 'priority'],
      ['9', '2026-03-02T08:00:00+00:00', '1', 'true', 'new', ''],
    ]);
    expect(readCsv(csv.text)[2]?.slice(-4)).toEqual(['3', "'=Billing", '12: gold', 'false']);
    expect(csv.headers['x-cursor']).toBeDefined();
  });

  it('are shown as deleted until they are opened or resolved again, as their stories tell', async () => {
    const at = (minute: number) => `2026-06-04T10:${String(minute).padStart(2, '0')}:00Z`;
    const steps: Readonly<Record<number, readonly string[]>> = {
      631: [],
      632: ['deleted'],
      633: ['resolved', 'deleted'],
      634: ['deleted', 'open'],
      635: ['deleted', 'pending'],
      636: ['deleted', 'resolved'],
      637: ['resolved', 'deleted', 'closed'],
      638: ['resolved', 'deleted', 'open', 'resolved'],
      639: ['deleted', 'open', 'deleted'],
      640: ['deleted', 'deleted'],
    };
    const records = Object.entries(steps).flatMap(([key, states]) => [
      { type: 'case.created', id: 'a', case: Number(key), at: at(0) },
      ...states.map((to, nth) => ({
        ...{ id: String(nth), case: Number(key), at: at(nth + 1) },
        ...(to === 'deleted' ? { type: 'case.deleted' } : { type: 'case.status', to }),
      })),
    ]);
    expect((await importRecords(table, site, records)).rejected).toEqual([]);
    const time = { min: '2026-06-04T00:00:00Z', max: '2026-06-05T00:00:00Z', window_size: 'day' };
    const { body } = await ask('POST', CASES, { body: { fields: ['case_creates'], time } });
    const deleted = [];
    for (const one of body.cases) {
      const story = await ask('GET', `${CASES}/${one.case}`);
      expect([one.case, one.deleted]).toEqual([one.case, deletedSince(story.body.events) !== undefined]);
      if (one.deleted) deleted.push(one.case);
    }
    expect(deleted).toEqual([632, 633, 637, 639, 640]);
  });

  it('are measured in working seconds where the report is', async () => {
    const hours = { thu: [['09:00', '17:00']], fri: [['09:00', '17:00']] };
    const asked = (case_: number, at: string, direction: string) => ({
      ...{ type: 'interaction', id: `${direction} ${at}`, case: case_, at: `2026-03-${at}Z`, direction },
    });
    const records = [
      { type: 'calendar', id: 1, name: 'Office', time_zone: 'UTC', hours },
      ...[21, 22].map((one) => ({ type: 'case.created', id: 'a', case: one, at: '2026-03-12T16:00:00Z' })), // a Thursday
      ...[asked(21, '12T16:00:00', 'inbound'), asked(21, '13T09:30:00', 'outbound')],
      ...[asked(22, '12T16:00:00', 'inbound'), asked(22, '14T12:00:00', 'outbound')], // past the end of Friday
    ];
    expect((await importRecords(table, site, records)).rejected).toEqual([]);
    const time = { min: '2026-03-12T00:00:00Z', max: '2026-03-16T00:00:00Z', window_size: 'none' };
    for (const [field, hours, values] of [
      ['time_to_first_response', 'business', [5400, 32_400]],
      ['reply_time:p50', 'business', [5400, 32_400]],
      ['reply_time:p50', 'calendar', [63_000, 158_400]],
    ] as const) {
      const body = { fields: [field], time, hours };
      const listed = await ask('POST', CASES, { body: { ...body, sort: 'value' } });
      expect([field, listed.body.cases.map(({ value }: Listed) => value)]).toEqual([field, values]);
      const report = await ask('POST', REPORTS, { body });
      expect(report.body.data[0][3]).toBe((values[0] + values[1]) / 2);
    }
  });

  it('of handled time are dated at the last piece in the cell, cut at the hour or at midnight', async () => {
    const handled = (id: string, from: string, to: string) => ({
      ...{ type: 'case.handled', id, case: 31, from: `2026-05-${from}Z`, to: `2026-05-${to}Z` },
    });
    const records = [
      { type: 'case.created', id: 'a', case: 31, at: '2026-05-04T08:00:00Z' }, // a Monday
      ...[handled('b', '04T10:20:00', '04T13:40:00'), handled('c', '05T22:30:00', '06T01:15:00')],
    ];
    expect((await importRecords(table, site, records)).rejected).toEqual([]);
    const time = { min: '2026-05-04T00:00:00Z', max: '2026-05-11T00:00:00Z', window_size: 'week' };
    for (const [dimension1, member, at, value] of [
      ['weekday', 1, '04T10:20:00', 12_000],
      ['weekday', 2, '05T22:30:00', 5400],
      ['weekday', 3, '06T00:00:00', 4500],
      ['hour_of_day', 10, '04T10:20:00', 2400],
      ['hour_of_day', 12, '04T12:00:00', 3600],
      ['hour_of_day', 1, '06T01:00:00', 900],
    ] as const) {
      const body = { fields: ['avg_handle_time'], time, dimension1, dimension1_values: [member] };
      const listed = (await allCases(body)).map((one) => [dimension1, one.case, one.at, one.value]);
      expect(listed).toEqual([[dimension1, 31, `2026-05-${at}+00:00`, value]]);
      expect((await ask('POST', REPORTS, { body })).body.data[0].slice(1)).toEqual([member, null, value]);
    }
  });

  it('come in as many as fit a reply, and the cursor leads on', async () => {
    const custom_fields = { 1: 'x'.repeat(4_000), 2: 'y'.repeat(4_000) };
    const records = Array.from({ length: 700 }, (_, place) => ({
      ...{ type: 'case.created', id: 'a', case: 9_000 + place, at: '2026-04-01T00:00:00Z', custom_fields },
    }));
    expect((await importRecords(table, site, records)).rejected).toEqual([]);
    const time = { min: '2026-04-01T00:00:00Z', max: '2026-04-02T00:00:00Z', window_size: 'none' };
    const body = { fields: ['case_creates'], time, per_page: 1_000 };
    const first = await ask('POST', CASES, { body });
    expect(first.body.cases.length).toBeLessThan(700);
    const all = await allCases(body);
    expect(new Set(all.map((one) => one.case)).size).toBe(700);
  });

  it('keep to the history that the first page was of, or are gone', async () => {
    const time = { min: '2026-03-02T00:00:00Z', max: '2026-03-03T00:00:00Z', window_size: 'none' };
    const body = { fields: ['case_creates'], time, per_page: 1 };
    const { cursor } = (await ask('POST', CASES, { body })).body;
    expect((await ask('POST', CASES, { body: { ...body, cursor } })).body.cases[0].case).toBe(10);
    const other = await ask('POST', CASES, { body: { ...body, fields: ['case_views'], cursor } });
    expect([other.status, other.body.errors]).toEqual([422, { cursor: ['invalid'] }]);
    await importRecords(table, site, [{ type: 'case.created', id: 'a', case: 11, at: '2026-03-02T10:00:00Z' }]);
    const late = await ask('POST', CASES, { body: { ...body, cursor } });
    expect([late.status, late.body.message]).toEqual([410, expect.stringMatching(/first page/)]);
  });
});

describe("a case's story", () => {
  it('has its events in order with names, and what counts of it', async () => {
    const records = [
      { type: 'agent', id: 42, name: 'Ann' },
      { type: 'case.created', id: 'a', case: 77, at: '2026-03-05T08:00:00Z' },
      { type: 'interaction', id: 'b', case: 77, at: '2026-03-05T08:00:00Z', direction: 'inbound' },
      {
        type: 'interaction',
        id: 'c',
        case: 77,
        at: '2026-03-05T08:10:00Z',
        direction: 'outbound',
        agent: 42,
        group: 7,
      },
    ];
    expect((await importRecords(table, site, records)).rejected).toEqual([]);
    const { status, body } = await ask('GET', `${CASES}/77`);
    expect([status, body.case]).toEqual([200, 77]);
    expect(body.events.map(({ type, names }: Record<string, unknown>) => [type, names])).toEqual([
      ['case.created', {}],
      ['interaction', {}],
      ['interaction', expect.objectContaining({ agent: 'Ann' })],
    ]);
    const at = '2026-03-05T08:10:00+00:00';
    expect(body.facts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'case_creates', value: 1 }),
        { field: 'time_to_first_response', at, agent: 42, group: 7, value: 600, counted: true },
        { field: 'reply_time', at, agent: 42, group: 7, value: 600, counted: true },
      ]),
    );
    expect((await ask('GET', `${CASES}/78`)).status).toBe(404);
  });

  it('names who acted, also where several did in one second', async () => {
    const event = (id: string, fields: object) => ({ id, case: 79, at: '2026-03-05T08:10:00Z', ...fields });
    const records = [
      { type: 'case.created', id: 'a', case: 79, at: '2026-03-05T08:00:00Z' },
      event('b', { type: 'interaction', direction: 'outbound', agent: 41 }), // ends no wait
      event('c', { type: 'interaction', direction: 'inbound' }),
      event('d', { type: 'interaction', direction: 'outbound', agent: 42 }),
      event('e', { type: 'case.status', to: 'resolved', agent: 43 }),
      event('f', { type: 'case.status', to: 'open' }),
      event('g', { type: 'case.status', to: 'resolved', agent: 44 }),
    ];
    expect((await importRecords(table, site, records)).rejected).toEqual([]);
    const { facts } = (await ask('GET', `${CASES}/79`)).body;
    const actorsOf = (field: string) =>
      facts.filter((fact: { field: string }) => fact.field === field).map(({ agent }: { agent: number }) => agent);
    expect(actorsOf('outbound_interactions')).toEqual([41, 42]);
    expect(actorsOf('reply_time')).toEqual([42]);
    expect(actorsOf('case_resolves')).toEqual([43, 44]);
    expect(actorsOf('avg_time_to_resolution')).toEqual([44]);
  });

  it.each([
    [88, 20_001, 'few'],
    [89, 10_000, 'x'.repeat(600)],
  ])('is refused where it does not fit a reply: case %i of %i events', async (key, count, value) => {
    const records = Array.from({ length: count }, (_, place) => ({
      ...{ type: 'case.custom_field', id: `${place}`, case: key, at: '2026-04-01T00:00:00Z', field: 1, value },
    }));
    expect((await importRecords(table, site, records)).rejected).toEqual([]);
    const { status, body } = await ask('GET', `${CASES}/${key}`);
    expect([status, body.errors]).toEqual([422, { base: ['too_large'] }]);
    expect(body.message).toBe('Validation Failed');
    expect(body.details[0].message).toContain(`case ${key} does not fit a reply: it has ${count} events`);
  });
});

describe('bad input', () => {
  const time = { min: '2026-03-02T00:00:00Z', max: '2026-03-04T00:00:00Z', window_size: 'none' };
  const fields = ['case_creates'];
  it.each<[object, object]>([
    [{ fields: ['case_creates', 'case_views'], time }, { fields: ['invalid'] }],
    [{ fields: ['agent_time_online'], time }, { fields: ['invalid'] }],
    [{ fields, time: { ...time, window_size: 'day' } }, { time: { window_size: ['invalid'] } }],
    [{ fields, time, dimension1: 'channel' }, { dimension1_values: ['blank'] }],
    [{ fields, time, dimension2: 'channel', dimension2_values: [1, 2] }, { dimension2_values: ['invalid'] }],
    [
      { fields, time, sort: 'case', direction: 'up', per_page: 0 },
      { sort: ['invalid'], direction: ['invalid'], per_page: ['invalid'] },
    ],
    [{ fields, time, cursor: 'x' }, { cursor: ['invalid'] }],
    [
      { time, cursor: 7 },
      { cursor: ['invalid'], fields: ['blank'] },
    ],
  ])('%j is refused', async (body, errors) => {
    const reply = await ask('POST', CASES, { body });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
  });
});

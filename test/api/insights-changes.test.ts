import { FIELD_NAMES, fieldNamed } from '../../lib/insights/definitions/fields.ts';
import { routes } from '../../lib/routes.ts';
import { exampleSites } from '../support/service/example-site.ts';
import { importRecords } from '../support/service/import.ts';
import { startService } from '../support/service/service.ts';

const service = await startService(routes);
const { ask, table, site } = service;
const CHANGES = '/api/v2/insights3/changes';
const REPORTS = '/api/v2/insights3/reports';
const time = {
  ...{ min: '2026-01-08T00:00:00Z', max: '2026-01-15T00:00:00Z', window_size: 'none' },
  compare: 'previous_period',
};
const examples = (await exampleSites(service, 8, 2041)).filter(({ body }) => Date.parse(body.time.min) > 0); // comparable

interface Member {
  readonly id: number | string | null;
  readonly now: number | null;
  readonly before: number | null;
  readonly contribution: number | null;
  readonly rate_part: number | null;
  readonly mix_part: number | null;
  readonly without?: number | null;
}

interface Dimension {
  readonly dimension: string;
  readonly told: boolean;
  readonly overlaps?: boolean;
  readonly sentence?: string;
  readonly members: readonly Member[];
  readonly share: number | null;
}

const FIELDS = [
  ...FIELD_NAMES.filter((name) => name !== 'agent_time_online'),
  'time_to_resolution:p50',
  'reply_time:p90',
] as const;

describe('why a number moved', () => {
  it.each(FIELDS)('%s has for each member the numbers of reports, and what they add up to', async (field) => {
    for (const { host, body } of examples.slice(0, 3)) {
      const { min, max } = body.time;
      const half = new Date((Date.parse(min) + Date.parse(max)) / 2).toISOString();
      const asked = { fields: [field], time: { min: half, max, window_size: 'none', compare: { min, max: half } } };
      const reply = await ask('POST', CHANGES, { body: asked, host });
      expect([reply.status, reply.body.errors]).toEqual([200, undefined]);
      const { now, before, dimensions } = reply.body;
      const whole = await ask('POST', REPORTS, { body: asked, host });
      expect([now.value, before.value]).toEqual([whole.body.data[0][3], whole.body.comparison.data[0][3]]);
      for (const { dimension, told, members, overlaps, sentence } of dimensions as readonly Dimension[]) {
        if (!told) {
          expect([members, typeof sentence]).toEqual([[], 'string']);
          continue;
        }
        const split = await ask('POST', REPORTS, { body: { ...asked, dimension1: dimension }, host });
        const listed = members.filter(({ id }) => id !== null);
        const rows = (data: readonly [null, unknown, null, number | null][]) =>
          new Map(data.map(([, id, , value]) => [id, value]));
        const [one, other] = [rows(split.body.data), rows(split.body.comparison.data)];
        const empty = 'total' in fieldNamed(field) ? 0 : null;
        for (const { id, now: shown, before: earlier } of listed)
          expect([dimension, id, shown, earlier]).toEqual([
            dimension,
            id,
            one.get(id) ?? empty,
            other.get(id) ?? empty,
          ]);
        if (overlaps || field.includes(':')) continue;
        const sum = members.reduce((total, { contribution }) => total + (contribution ?? 0), 0);
        expect(Math.abs(sum - (now.value - before.value))).toBeLessThan(0.011 * (members.length + 2)); // each is rounded
      }
    }
  });

  const start = Date.parse('2026-01-08T12:00:00Z');
  const created = (id: number, days: number, more: object): object => ({
    ...{ type: 'case.created', id: `c${id}`, case: id, at: new Date(start + days * 86_400_000).toISOString() },
    ...more,
  });

  it('counts cases without a label, and tells that labels overlap', async () => {
    await importRecords(table, site, [
      created(1, -7, { channel: 1, labels: [1, 2] }),
      created(2, -7, { channel: 1 }),
      created(3, 0, { channel: 2, labels: [1] }),
      created(4, 0, { channel: 2 }),
      created(5, 0, {}),
    ]);
    const { body } = await ask('POST', CHANGES, { body: { fields: ['case_creates'], time } });
    expect([body.now.value, body.before.value]).toEqual([3, 2]);
    const of = (name: string): Dimension => body.dimensions.find((each: Dimension) => each.dimension === name);
    const shown = (name: string) =>
      of(name).members.map(({ id, now, before, contribution }) => [id, now, before, contribution]);
    expect(shown('channel').sort()).toEqual(
      [
        [1, 0, 2, -2],
        [2, 2, 0, 2],
        [null, 1, 0, 1],
      ].sort(),
    );
    expect(shown('label').sort()).toEqual(
      [
        [1, 1, 1, 0],
        [2, 0, 1, -1],
        [null, 2, 1, 1],
      ].sort(),
    );
    expect([of('label').overlaps, of('channel').overlaps]).toEqual([true, undefined]);
    expect(of('channel').share).toBe(1);
    expect(of('label').share).toBe(1);
  });

  it('counts the time online of agents without a group', async () => {
    const session = (id: number, day: string, minutes: number) => {
      const [from, to] = [`${day}T10:00:00Z`, `${day}T10:${minutes}:00Z`];
      return { type: 'agent.session', id: `s${id}`, agent: 71, from, to };
    };
    await importRecords(table, site, [session(1, '2026-01-02', 10), session(2, '2026-01-09', 40)]);
    const { body } = await ask('POST', CHANGES, { body: { fields: ['agent_time_online'], time } });
    for (const name of ['action_group', 'assigned_group']) {
      const { members } = body.dimensions.find(({ dimension }: Dimension) => dimension === name);
      expect(members).toEqual([expect.objectContaining({ id: null, now: 2400, before: 600, contribution: 1800 })]);
    }
  });

  it('tells nothing where a number did not move, or has nothing to be compared with', async () => {
    const early = { ...time, min: '2020-01-08T00:00:00Z', max: '2020-01-15T00:00:00Z' };
    const same = await ask('POST', CHANGES, { body: { fields: ['case_creates'], time: early } });
    expect([same.status, same.body.dimensions]).toEqual([200, []]);
    const none = await ask('POST', CHANGES, { body: { fields: ['case_reopen_rate'], time } });
    expect([none.status, none.body.before.value, none.body.dimensions]).toEqual([200, null, []]);
    const median = await ask('POST', CHANGES, { body: { fields: ['time_to_resolution:p50'], time } });
    expect([median.status, median.body.dimensions]).toEqual([200, []]);
  });

  it.each([
    [{ fields: ['case_creates', 'case_views'], time }, ['fields']],
    [{ fields: [], time }, ['fields']],
    [{ fields: ['case_creates'], time, dimension1: 'channel' }, ['dimension1']],
    [{ fields: ['case_creates'], time: { ...time, window_size: 'day' } }, ['time']],
    [{ fields: ['case_creates'], time: { ...time, compare: undefined } }, ['time']],
    [{ fields: ['case_creates'], time: { ...time, max: undefined } }, ['time']],
    [{ fields: ['case_creates'] }, ['time']],
    [{ fields: ['case_creates'], time, totals: {} }, ['totals']],
    [{ fields: ['case_creates'], time, chance: 'yes' }, ['chance']],
  ])('%j is refused', async (body, places) => {
    const { status, body: reply } = await ask('POST', CHANGES, { body });
    expect([status, Object.keys(reply.errors)]).toEqual([422, places]);
  });
});

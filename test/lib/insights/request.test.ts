import { Failure } from '../../../lib/errors.ts';
import { echoRequest, readRequest } from '../../../lib/insights/request.ts';

const NOW = Date.parse('2026-03-11T12:34:56.789Z');
const SITE = { timeZone: 'America/New_York', weekStart: 'monday' } as const;
const TIME = { min: '2026-01-01T00:00:00-05:00', max: '2026-07-01T00:00:00-05:00', window_size: 'day' };
const BODY = { fields: ['case_creates'], time: TIME };

/** The faults of a body; undefined where it has none. */
function faultsOf(body: Record<string, unknown>): unknown {
  try {
    readRequest(body, SITE, NOW);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.errors;
    throw error;
  }
}

const echo = (body: Record<string, unknown>): Record<string, unknown> =>
  echoRequest(readRequest({ ...BODY, ...body }, SITE, NOW));

describe('the request of a report', () => {
  it('names all its faults together', () => {
    const body = {
      fields: ['case_creates', 'case_creates'],
      time: { min: 'yesterday', window_size: 'year', time_zone: 'Mars/Olympus' },
      dimension1: 'weather',
      dimension1_values: [true],
      dimension2_values: 'all',
      filters: [
        [
          ['Include', 'Agents', []],
          ['Include', 'Weather', []],
        ],
        'x',
        [['Perhaps', 'Agents', []]],
      ],
    };
    expect(faultsOf(body)).toEqual({
      fields: ['invalid'],
      time: { min: ['invalid'], max: ['blank'], window_size: ['invalid'], time_zone: ['invalid'] },
      dimension1: ['invalid'],
      dimension1_values: ['invalid'],
      dimension2_values: ['invalid'],
      filters: { '0': { '1': ['invalid'] }, '1': ['invalid'], '2': { '0': ['invalid'] } },
    });
  });

  it('is blank where something required is missing, invalid where it is of another type', () => {
    expect(faultsOf({})).toEqual({ fields: ['blank'], time: ['blank'] });
    expect(faultsOf({ fields: [], time: {} })).toEqual({
      fields: ['blank'],
      time: { min: ['blank'], max: ['blank'], window_size: ['blank'] },
    });
    expect(faultsOf({ fields: null, time: null })).toEqual({ fields: ['invalid'], time: ['invalid'] });
    expect(faultsOf({ ...BODY, time: { min: null, max: ' ', window_size: 5 } })).toEqual({
      time: { min: ['blank'], max: ['blank'], window_size: ['invalid'] },
    });
  });

  it('refuses a time without an offset, an impossible one, and min after max', () => {
    const wrong = [
      '2026-01-01T00:00:00',
      '2026-02-30T00:00:00Z',
      '2026-01-01',
      '2026-01-01T25:00:00Z',
      '2026-01-01T00:00:00+25:00',
    ];
    for (const min of wrong)
      expect(faultsOf({ ...BODY, time: { ...TIME, min } })).toEqual({ time: { min: ['invalid'] } });
    expect(faultsOf({ ...BODY, time: { ...TIME, max: '2025-12-31T23:59:59-05:00' } })).toEqual({
      time: { max: ['invalid'] },
    });
    expect(faultsOf({ ...BODY, time: { ...TIME, max: TIME.min } })).toBeUndefined();
  });

  it('refuses an instant that the clocks of its zone date outside the years 0000 to 9999', () => {
    const time = { min: '0000-01-01T00:00:00Z', max: '9999-12-31T23:59:59Z', window_size: 'none' };
    expect(faultsOf({ ...BODY, time })).toBeUndefined();
    expect(faultsOf({ ...BODY, time: { ...time, time_zone: 'Asia/Tokyo' } })).toEqual({ time: { max: ['invalid'] } });
    expect(faultsOf({ ...BODY, time: { ...time, time_zone: 'America/New_York' } })).toEqual({
      time: { min: ['invalid'] },
    });
  });

  it('has at most 1,000 conditions and 10,000 ids', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
    const conditions = (count: number) => Array.from({ length: count }, () => ['Include', 'Agents', []]);
    expect(faultsOf({ ...BODY, filters: [conditions(500), conditions(500)] })).toBeUndefined();
    expect(faultsOf({ ...BODY, filters: [conditions(500), conditions(501)] })).toEqual({ filters: ['too_long'] });
    expect(faultsOf({ ...BODY, filters: Array(1_001).fill([]) })).toEqual({ filters: ['too_long'] });
    expect(faultsOf({ ...BODY, filters: [[['Include', 'Agents', ids(10_000)]]] })).toBeUndefined();
    const two = [['Include', 'Agents', ids(10_000)]];
    expect(faultsOf({ ...BODY, filters: [two, [['Include', 'Labels', ids(1)]]] })).toEqual({ filters: ['too_long'] });
  });

  it('takes ids and values of dimensions as integers or texts alone', () => {
    expect(faultsOf({ ...BODY, filters: [[['Include', 'Agents', [{ id: 1.5 }]]]] })).toEqual({
      filters: { 0: { 0: ['invalid'] } },
    });
    expect(faultsOf({ ...BODY, dimension1: 'channel', dimension1_values: [1, 1.5] })).toEqual({
      dimension1_values: ['invalid'],
    });
  });

  it('takes dimension2 alone, but not the same dimension twice', () => {
    expect(faultsOf({ ...BODY, dimension2: 'label' })).toBeUndefined();
    expect(faultsOf({ ...BODY, dimension1: 'label', dimension2: 'label' })).toEqual({ dimension2: ['invalid'] });
  });

  it.each<[string, unknown]>([
    ['no list', 5],
    ['of two elements', ['Include', 'Agents']],
    ['of four elements', ['Include', 'Agents', 'Is', []]],
    ['of an unknown match', ['Include', 'Agents', 'Starts', 'a', false, []]],
    ['of a search that is no text', ['Include', 'Agents', 'Is', 5, false, []]],
    ['of a case sensitivity that is no boolean', ['Include', 'Agents', 'Is', 'a', 'yes', []]],
    ['of ids that are no list', ['Include', 'Agents', '5']],
    ['of ids without id', ['Include', 'Agents', [{ name: 'Ann' }]]],
    ['of an object that only objects have', ['Include', 'constructor', []]],
  ])('refuses a condition that is %s', (_, condition) => {
    expect(faultsOf({ ...BODY, filters: [[condition]] })).toEqual({ filters: { '0': { '0': ['invalid'] } } });
  });

  it("is in the zone named, else in the site's if that has the offset sent, else at that offset", () => {
    const zoneOf = (time: object) => readRequest({ ...BODY, time: { ...TIME, ...time } }, SITE, NOW).time.zone;
    expect(zoneOf({ time_zone: 'Europe/Berlin' })).toEqual({ name: 'Europe/Berlin' });
    expect(zoneOf({})).toEqual({ name: 'America/New_York' });
    expect(zoneOf({ min: '2026-01-01T00:00:00-04:00' })).toEqual({ offset: -14_400 });
    expect(zoneOf({ min: '2026-01-01T00:00:00Z' })).toEqual({ offset: 0 });
  });
});

describe('the echo of a request', () => {
  it('has every optional field, null when absent, in whole seconds of the zone', () => {
    expect(echo({ time: { ...TIME, min: '2026-01-01T00:00:00.999-05:00' } })).toEqual({
      fields: ['case_creates'],
      time: {
        min: '2026-01-01T00:00:00-05:00',
        max: '2026-07-01T01:00:00-04:00',
        window_size: 'day',
      },
      dimension1: null,
      dimension1_values: null,
      dimension2: null,
      dimension2_values: null,
      filters: null,
    });
  });

  it('shows dimension values as sent and conditions with all six elements', () => {
    const filters = [
      [
        ['Include', 'Agents', [{ id: '5', name: 'Ann' }]],
        ['Exclude', 'Labels', null, null, null, null],
        ['Include', 'Labels', 'Contains', 'x', true, []],
      ],
      [],
    ];
    expect(echo({ dimension1: 'channel', dimension1_values: ['1', 2], filters })).toMatchObject({
      dimension1_values: ['1', 2],
      filters: [
        [
          ['Include', 'Agents', 'Is', '', false, [{ id: '5' }]],
          ['Exclude', 'Labels', 'Is', '', false, []],
          ['Include', 'Labels', 'Contains', 'x', true, []],
        ],
        [],
      ],
    });
  });

  it('keeps an empty list of filters and a zone as sent', () => {
    const shown = echo({ filters: [], time: { ...TIME, time_zone: 'europe/berlin' } });
    expect(shown).toMatchObject({
      filters: [],
      time: { time_zone: 'europe/berlin', min: '2026-01-01T06:00:00+01:00' },
    });
  });
});

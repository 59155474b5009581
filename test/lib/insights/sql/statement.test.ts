import type { CaseEvent } from '../../../../lib/history/cases/event.ts';
import { NO_REFERENCE } from '../../../../lib/insights/reference.ts';
import { readRequest } from '../../../../lib/insights/request.ts';
import { DIALECT_NAMES, quotedText } from '../../../../lib/insights/sql/dialect.ts';
import { askReport } from '../../../../lib/insights/sql/report.ts';
import type { AnyExample } from '../../../support/oracle/example.ts';
import { askedOf, compareStatements } from '../../../support/oracle/sql-reports.ts';

const micros = (text: string): number => Date.parse(text) * 1000;
const PLAN = 12; // a custom field
const ODD = ["it's", "'; DROP TABLE facts; --", 'a\0b', '\0', '𝒢old 😀', '"', '\\', ''];

/** A case for each odd value of a custom field, and a report on those that have one of them. */
const odd = (value: string): AnyExample => ({
  events: ODD.map(
    (plan, at): CaseEvent => ({
      ...{ type: 'case.created', id: '1', case: String(at), at: micros('2026-03-02T10:00:00Z') },
      custom_fields: { [PLAN]: plan },
    }),
  ),
  reference: [{ type: 'custom_field', id: PLAN, object: 'case', name: 'plan', values: ODD }],
  site: { timeZone: 'UTC', weekStart: 'monday' },
  body: {
    fields: ['case_creates'],
    time: { min: '2026-03-01T00:00:00Z', max: '2026-04-01T00:00:00Z', window_size: 'day' },
    dimension1: 'custom_field',
    filters: [[['Include', 'Custom Fields', 'Is', value, true, []]]],
  },
});

it.each(DIALECT_NAMES)(
  'compares with values that have quotes, comments, NUL and signs of four bytes, for %s',
  async (dialect) => {
    const { differences, telling } = await compareStatements(ODD.map(odd), dialect);
    expect(differences.slice(0, 1)).toEqual([]);
    expect(telling).toBe(ODD.length - 1); // an empty text finds nothing
  },
);

it('writes texts in quotes, and NUL by its number', () => {
  expect(quotedText("a'b--\0c")).toBe("'a''b--' || chr(0) || 'c'");
});

it.each(DIALECT_NAMES)('reads one site from every table, for %s', (dialect) => {
  const { body, ...rest } = odd('x');
  const calendar = { type: 'calendar' as const, id: 1, hours: { mon: [['09:00', '17:00'] as const] } };
  const fields = ['reply_time', 'open_cases', 'agent_time_online', 'handle_time:p50', 'time_to_resolution:p90'];
  const asked = { ...rest, reference: [calendar], body: { ...body, fields, hours: 'business', totals: true } as const };
  const { sql } = askedOf(asked, dialect);
  const reads = sql.match(/FROM (facts|cases|hours|replaced)\b( LEFT JOIN \(.*?\) ON case_id = newer)?.{0,22}/g) ?? [];
  expect(reads.length).toBeGreaterThan(5);
  for (const read of reads) expect(read).toMatch(/^FROM \w+( LEFT JOIN .*)? WHERE site = 'it''s'/);
});

it('looks in the months of files that can have what it counts', () => {
  const { body, ...rest } = odd('x');
  const monthsOf = (fields: readonly string[], events = rest.events) => {
    const time = { min: '2026-02-15T00:00:00Z', max: '2026-04-01T00:00:00Z', window_size: 'day' } as const;
    const { sql } = askedOf({ ...rest, events, body: { ...body, fields: [...fields], time } } as AnyExample, 'trino');
    const reads = [
      ...sql.matchAll(
        /FROM facts (?:LEFT JOIN .*? newer )?WHERE site = 'it''s'( AND month >= '(.{7})' AND month <= '(.{7})')?/g,
      ),
    ];
    return reads.map(([, , first, last]) => [first, last]);
  };
  const old: CaseEvent = { type: 'case.created', id: '1', case: 'old', at: micros('2024-05-31T23:59:59Z') };
  expect(monthsOf(['case_creates'])).toEqual([['2026-03', '2026-03']]); // that of all facts
  expect(monthsOf(['case_creates'], [...rest.events, old])).toEqual([['2026-02', '2026-03']]);
  // What lasts may have begun at any time.
  expect(monthsOf(['case_creates', 'avg_handle_time', 'open_cases'], [...rest.events, old])).toEqual([
    ['2026-02', '2026-03'],
    ...[1, 2].map(() => ['2024-05', '2026-03']),
  ]);
});

it('says which columns it reads, and how often', () => {
  const { body, ...rest } = odd('x');
  const readsOf = (more: object) => askedOf({ ...rest, body: { ...body, ...more } } as AnyExample, 'trino').reads;
  const usual = ['kind', 'case_id', 'n', 'action_agent', 'action_group', 'value', 'at'];
  const current = ['born', 'segment'];
  const [plain, ...others] = readsOf({ fields: ['case_creates'], dimension1: 'channel', filters: null });
  expect(others).toEqual([]);
  expect(plain).toMatchObject({ columns: [...usual, 'channel', ...current], times: 1 });
  const [timed] = readsOf({ fields: ['reply_time'], dimension1: 'action_agent', totals: true });
  expect(timed?.columns).toEqual([...usual, expect.stringMatching(/_seconds$/), 'custom_fields', ...current]);
  expect(timed?.times).toBe(4); // its rows, and three totals
  expect(readsOf({ fields: ['open_cases'], dimension1: null, filters: null }).map(({ columns }) => columns)).toEqual([
    ['kind', 'at', 'until', 'case_id', ...current],
  ]);
});

describe('a statement is refused', () => {
  const site = { timeZone: 'UTC', weekStart: 'monday' } as const;
  const asked = (filters: unknown, values: number) => () => {
    const time = { min: '2026-03-01T00:00:00Z', max: '2026-04-01T00:00:00Z', window_size: 'none' };
    const request = readRequest({ fields: ['case_creates'], time, filters }, site, 0);
    const customValues = Array.from({ length: values }, (_, at) => ({ field: PLAN, value: `gold ${at}` }));
    const customFields = new Map([[PLAN, { name: 'plan', listed: true }]]);
    const reference = { ...NO_REFERENCE, customFields, now: 0 };
    return askReport({ site: 'acme', request, reference, known: { ids: () => [], customValues } }, 'trino');
  };
  const GOLD = [[['Include', 'Custom Fields', 'Contains', 'gold', false, []]]];

  it('where a text matches more than 10,000 values of custom fields', () => {
    expect(asked(GOLD, 10_000)).not.toThrow();
    expect(asked(GOLD, 10_001)).toThrow(expect.objectContaining({ errors: { filters: ['too_large'] } }));
  });

  it('where it would be longer than 200,000 bytes', () => {
    const conditions = (count: number) => [Array.from({ length: count }, () => GOLD[0]?.[0])];
    expect(asked(conditions(10), 1000)).not.toThrow();
    expect(asked(conditions(20), 1000)).toThrow(
      expect.objectContaining({ errors: { time: { window_size: ['too_large'] } } }),
    );
  });
});

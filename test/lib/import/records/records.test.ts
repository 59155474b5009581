import fc from 'fast-check';
import { isEvent, parseLine, parseRecord, RECORD_TYPES } from '../../../../lib/import/records/records.ts';
import { Rejection } from '../../../../lib/json-readers.ts';

const AT = '2026-03-01T09:00:00+01:00';
const MICROS = Date.UTC(2026, 2, 1, 8) * 1000;
const base = { id: 'src:1', at: AT, case: 1001 };
const parsed = { id: 'src:1', at: MICROS, case: '1001' };

function reasonOf(value: unknown): string {
  try {
    parseRecord(value);
  } catch (error) {
    if (error instanceof Rejection) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('parseRecord', () => {
  it.each([
    [
      { type: 'case.created', ...base, channel: 0, priority: 5, labels: [3, '2', 3], company: 9, language: 'en-US' },
      { type: 'case.created', ...parsed, channel: 0, priority: 5, labels: [2, 3], company: 9, language: 'en_us' },
    ],
    [
      { type: 'case.created', ...base, channel: null, custom_fields: { '12': 'gold', '7': null, '9': 5 } },
      { type: 'case.created', ...parsed, channel: null, custom_fields: { '7': null, '9': '5', '12': 'gold' } },
    ],
    [
      { type: 'case.created', ...base, status: 'closed' },
      { type: 'case.created', ...parsed, status: 'closed' },
    ],
    [
      { type: 'case.created', ...base, status: 'new' },
      { type: 'case.created', ...parsed },
    ],
    [
      { type: 'case.deleted', ...base },
      { type: 'case.deleted', ...parsed },
    ],
    [
      { type: 'case.status', ...base, to: 'closed', agent: '42', group: null },
      { type: 'case.status', ...parsed, to: 'closed', agent: 42 },
    ],
    [
      { type: 'case.assigned', ...base, agent: 42, group: null },
      { type: 'case.assigned', ...parsed, to: { agent: 42, group: null } },
    ],
    [
      { type: 'case.assigned', ...base },
      { type: 'case.assigned', ...parsed, to: {} },
    ],
    [
      { type: 'case.labels', ...base, set: [] },
      { type: 'case.labels', ...parsed, set: [] },
    ],
    [
      { type: 'case.labels', ...base, set: null },
      { type: 'case.labels', ...parsed, set: [] },
    ],
    [
      { type: 'case.labels', ...base, add: [1], remove: [2] },
      { type: 'case.labels', ...parsed, add: [1], remove: [2] },
    ],
    [
      { type: 'case.priority', ...base, priority: 10 },
      { type: 'case.priority', ...parsed, priority: 10 },
    ],
    [
      { type: 'case.priority', ...base, priority: null },
      { type: 'case.priority', ...parsed, priority: null },
    ],
    [
      { type: 'case.company', ...base, company: 9 },
      { type: 'case.company', ...parsed, company: 9 },
    ],
    [
      { type: 'case.custom_field', ...base, field: 12, value: true },
      { type: 'case.custom_field', ...parsed, field: 12, value: 'true' },
    ],
    [
      { type: 'case.viewed', ...base, agent: 42 },
      { type: 'case.viewed', ...parsed, agent: 42 },
    ],
    [
      { type: 'case.handled', id: 1, case: 'INC1', from: AT, to: AT },
      { type: 'case.handled', id: '1', at: MICROS, case: 'INC1', from: MICROS, to: MICROS },
    ],
    [
      { type: 'interaction', ...base, direction: 'outbound', agent: 42, group: 7, automated: false },
      { type: 'interaction', ...parsed, direction: 'outbound', agent: 42, group: 7 },
    ],
    [
      { type: 'interaction', ...base, direction: 'outbound', agent: 42, automated: true },
      { type: 'interaction', ...parsed, direction: 'outbound', automated: true },
    ],
    [
      { type: 'note', ...base, extra: 'ignored' },
      { type: 'note', ...parsed },
    ],
    [
      { type: 'macro.applied', ...base, macro: 4 },
      { type: 'macro.applied', ...parsed, macro: 4 },
    ],
    [
      { type: 'csat.rated', ...base, score: 0 },
      { type: 'csat.rated', ...parsed, score: 0 },
    ],
    [
      { type: 'agent.session', id: 's', agent: 42, from: AT, to: '2026-03-01T10:00:00Z' },
      { type: 'agent.session', id: 's', at: MICROS, agent: 42, from: MICROS, to: Date.UTC(2026, 2, 1, 10) * 1000 },
    ],
    [
      { type: 'note', ...base, source: 'mail' },
      { type: 'note', ...parsed, source: 'mail' },
    ],
    [
      { type: 'note', ...base, source: 'export', as_of: AT },
      { type: 'note', ...parsed, source: 'export', as_of: [MICROS] },
    ],
    [
      { type: 'note', ...base, source: 'export', as_of: [null, AT, null] },
      { type: 'note', ...parsed, source: 'export', as_of: [null, MICROS] },
    ],
    [
      { type: 'case.version', case: 7, source: 'export', as_of: AT },
      { type: 'case.version', id: '', at: 0, case: '7', source: 'export', as_of: [MICROS] },
    ],
    [
      { type: 'agent.version', agent: 42, source: 'export', as_of: [AT] },
      { type: 'agent.version', id: '', at: 0, agent: 42, source: 'export', as_of: [MICROS] },
    ],
  ])('normalises the event %j', (raw, event) => {
    expect(parseRecord(raw)).toEqual(event);
    expect(isEvent(parseRecord(raw))).toBe(true);
  });

  it.each([
    [
      { type: 'agent', id: 42, name: 'Ann', login: 'ann@example.com', role: 'Agent', groups: [7] },
      { type: 'agent', id: 42, name: 'Ann', login: 'ann@example.com', role: 'Agent', groups: [7] },
    ],
    [
      { type: 'user', id: '42', name: 'Ann', login: null },
      { type: 'agent', id: 42, name: 'Ann', login: null },
    ],
    [
      { type: 'label', id: 3, deleted: true, updated_at: AT },
      { type: 'label', id: 3, deleted: true, updated_at: MICROS },
    ],
    [
      { type: 'channel', id: 0, name: 'Portal' },
      { type: 'channel', id: 0, name: 'Portal' },
    ],
    [
      { type: 'site', time_zone: 'Europe/Berlin', week_start: 'sunday', locales: ['en-US'], rating: 'yes_no' },
      {
        type: 'site',
        change: { timeZone: 'Europe/Berlin', weekStart: 'sunday', locales: ['en_us'], rating: 'yes_no' },
      },
    ],
    [
      { type: 'custom_field', id: 12, name: 'Tier', object: 'case', values: ['gold'] },
      { type: 'custom_field', id: 12, name: 'Tier', object: 'case', values: ['gold'] },
    ],
    [
      { type: 'article', id: 1, subject: 'Passwords', body: 'Reset it', topics: [2], brands: [] },
      { type: 'article', id: 1, subject: 'Passwords', body: 'Reset it', topics: [2], brands: [] },
    ],
    [
      { type: 'topic_translation', topic: 5, locale: 'DE', name: 'Hilfe' },
      { type: 'topic_translation', topic: 5, locale: 'de', name: 'Hilfe' },
    ],
    [
      { type: 'macro', id: 8, name: 'Close', folders: ['Billing'], position: 2, enabled: false },
      { type: 'macro', id: 8, name: 'Close', folders: ['Billing'], position: 2, enabled: false },
    ],
    [
      { type: 'macro_action', id: 9, macro: 8, action: 'set-case-priority', value: 5 },
      { type: 'macro_action', id: 9, macro: 8, action: 'set-case-priority', value: '5' },
    ],
    [
      { id: 9, macro: 8, type: 'set-case-labels', value: ['a'], enabled: true },
      { type: 'macro_action', id: 9, macro: 8, action: 'set-case-labels', value: ['a'], enabled: true },
    ],
  ])('normalises the reference record %j', (raw, record) => {
    expect(parseRecord(raw)).toEqual(record);
    expect(isEvent(parseRecord(raw))).toBe(false);
  });

  it.each([
    [[], '[] is not an object'],
    [null, 'null is not an object'],
    [5, '5 is not an object'],
    [{}, 'type is missing'],
    [{ type: 'constructor' }, 'type: "constructor" is not a record type'],
    [{ type: ['note'] }, 'type: ["note"] is not a record type'],
    [{ type: 'note', at: AT, case: 1 }, 'id is missing'],
    [{ type: 'note', id: '', at: AT, case: 1 }, 'id: "" is neither a whole number nor a text'],
    [{ type: 'note', id: 1.5, at: AT, case: 1 }, 'id: 1.5 is neither a whole number nor a text'],
    [{ type: 'note', id: 'x'.repeat(256), at: AT, case: 1 }, 'id: longer than 255 characters'],
    [{ type: 'note', id: 'a\ud800', at: AT, case: 1 }, 'id: "a\\ud800" holds half a character'],
    [{ type: 'note', id: 1, at: AT, case: {} }, 'case: {} is neither a whole number nor a text'],
    [{ type: 'note', id: 1, at: AT, case: null }, 'case: null is neither a whole number nor a text'],
    [
      { type: 'note', id: 1, at: '2026-03-01T09:00:00', case: 1 },
      'at: "2026-03-01T09:00:00" has no offset (Z or, for example, +01:00)',
    ],
    [
      { type: 'note', id: 1, at: '2026-02-30T09:00:00Z', case: 1 },
      'at: "2026-02-30T09:00:00Z" is not a time that exists in the years 1970 to 2199',
    ],
    [{ type: 'note', id: 1, at: 17, case: 1 }, 'at: 17 is not a time (a text in ISO 8601)'],
    [{ type: 'case.status', ...base, to: 'done' }, 'to: "done" is none of new, open, pending, resolved, closed'],
    [{ type: 'interaction', ...base, direction: 'up' }, 'direction: "up" is none of inbound, outbound'],
    [{ type: 'interaction', ...base }, 'direction is missing'],
    [{ type: 'case.priority', ...base, priority: 11 }, 'priority: 11 is not a whole number from 1 to 10'],
    [{ type: 'case.priority', ...base }, 'priority is missing'],
    [{ type: 'csat.rated', ...base, score: 5 }, 'score: 5 is not a whole number from 0 to 4'],
    [{ type: 'note', ...base, agent: 'Bob' }, 'agent: "Bob" is not an id (a positive whole number or its digits)'],
    [{ type: 'note', ...base, automated: 'yes' }, 'automated: "yes" is neither true nor false'],
    [{ type: 'case.labels', ...base }, 'set, add or remove is missing'],
    [{ type: 'case.labels', ...base, set: [1], add: [2] }, 'set excludes add and remove: leave these out'],
    [{ type: 'case.labels', ...base, add: [0] }, 'add[0]: 0 is not an id (a positive whole number or its digits)'],
    [
      { type: 'case.handled', id: 1, case: 1, from: AT, to: '2026-03-01T07:59:59Z' },
      'to: "2026-03-01T07:59:59Z" is before from, "2026-03-01T09:00:00+01:00"',
    ],
    [{ type: 'agent.session', id: 1, from: AT, to: AT }, 'agent is missing'],
    [{ type: 'note', ...base, as_of: AT }, 'as_of needs a source: name it'],
    [{ type: 'note', ...base, source: 's'.repeat(65) }, 'source: longer than 64 characters'],
    [{ type: 'note', ...base, source: '' }, 'source is blank'],
    [{ type: 'note', ...base, source: 's', as_of: [] }, 'as_of: [] holds no time'],
    [{ type: 'note', ...base, source: 's', as_of: [AT, AT, AT, AT] }, 'as_of: more than 3 times'],
    [
      { type: 'note', ...base, source: 's', as_of: '2026-03-01T09:00:00' },
      'as_of: "2026-03-01T09:00:00" has no offset (Z or, for example, +01:00)',
    ],
    [{ type: 'case.version', case: 1, as_of: AT }, 'source is missing'],
    [{ type: 'case.version', source: 's', as_of: AT }, 'case is missing'],
    [{ type: 'agent', id: 1 }, 'name is missing'],
    [{ type: 'agent', id: 1, name: ' ' }, 'name is blank'],
    [{ type: 'agent', id: 1, name: 'Ann', login: 'ann' }, 'login: "ann" is not an e-mail address'],
    [{ type: 'group', id: 1, name: 'g'.repeat(256) }, 'name: longer than 255 characters'],
    [{ type: 'site', time_zone: 'Mars/Base' }, 'time_zone: "Mars/Base" is not an IANA time zone'],
    [{ type: 'site', time_zone: '+01:00' }, 'time_zone: "+01:00" is not an IANA time zone'],
    [{ type: 'custom_field', id: 1, name: 'Tier' }, 'object is missing'],
    [{ type: 'topic', id: 1, name: 'Help', position: 0 }, `position: 0 is not a whole number from 1 to ${2 ** 53 - 1}`],
  ])('refuses %j', (raw, reason) => {
    expect(reasonOf(raw)).toBe(reason);
  });

  it('counts a name in code points', () => {
    expect(reasonOf({ type: 'group', id: 1, name: '😀'.repeat(255) })).toBe('accepted');
    expect(reasonOf({ type: 'group', id: 1, name: '😀'.repeat(256) })).toBe('name: longer than 255 characters');
  });

  it('either accepts or refuses in one line, whatever JSON brings', () => {
    const field = fc.constantFrom(
      'id',
      'at',
      'case',
      'to',
      'agent',
      'name',
      'labels',
      'from',
      'add',
      'value',
      '__proto__',
    );
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(AT, 1, 'open', [1], null));
    const record = fc.record({ type: fc.constantFrom(...RECORD_TYPES), rest: fc.dictionary(field, value) });
    fc.assert(
      fc.property(record, ({ type, rest }) => {
        expect(reasonOf(JSON.parse(JSON.stringify({ ...rest, type })))).toMatch(/^[^\n]{1,200}$/);
      }),
    );
  });
});

describe('parseLine', () => {
  it('refuses what is not JSON', () => {
    expect(() => parseLine('{"type":')).toThrow(new Rejection('the line is not JSON'));
  });
});

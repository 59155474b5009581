import { readFileSync } from 'node:fs';
import { memberId as id } from '../../../../lib/access/member-id.ts';
import { formatInstant } from '../../../../lib/history/cases/instant.ts';
import { readCsvRows, recordsOf, rejectionsOf } from '../../../support/generators/read-rows.ts';

const csv = readFileSync('test/data/requests.csv', 'utf8');
const mapping = JSON.parse(readFileSync('test/data/requests.mapping.json', 'utf8'));

async function eventsOf(caseKey: string, given: unknown = mapping) {
  const events = recordsOf(await readCsvRows(csv, given)).flatMap((record) => ('case' in record ? [record] : []));
  return events
    .filter((event) => event.case === caseKey)
    .map(({ id: _id, at, case: _case, ...event }) => ({ ...event, at: formatInstant(at) }));
}

/** The events of a small log by the rest of a mapping. */
async function readEvents(log: string, rest: object) {
  const rows = await readCsvRows(log, { kind: 'activities', time: { zone: 'UTC' }, case: 'case', at: 'at', ...rest });
  expect(rejectionsOf(rows)).toEqual([]);
  return recordsOf(rows).flatMap((record) => ('case' in record ? [record] : []));
}

describe('activities', () => {
  it('become the events of the table, in the zone of the mapping', async () => {
    const agent = id('agent', 'Value 1');
    expect(await eventsOf('1')).toEqual([
      {
        type: 'case.created',
        at: '2012-10-09T12:50:17Z',
        agent,
        channel: 2,
        company: id('company', 'Acme'),
        custom_fields: { [id('custom_field', 'Product')]: 'Mail' },
      },
      { type: 'case.priority', at: '2012-10-09T12:50:17Z', agent, priority: 8 },
      { type: 'case.assigned', at: '2012-10-09T12:51:01Z', to: { agent } },
      { type: 'case.status', at: '2012-10-09T12:51:01Z', agent, to: 'open' },
      {
        type: 'case.handled',
        at: '2012-10-12T13:02:56Z',
        agent,
        from: Date.UTC(2012, 9, 12, 12, 2, 56) * 1000,
        to: Date.UTC(2012, 9, 12, 13, 2, 56) * 1000,
      },
      { type: 'case.status', at: '2012-10-12T13:02:56Z', agent, to: 'resolved' },
      { type: 'case.status', at: '2012-10-25T09:54:26Z', agent: id('agent', 'Value 3'), to: 'closed' },
    ]);
  });

  it('of one time keep the order of the file by their ids, though other cases stand between', async () => {
    const records = recordsOf(await readCsvRows(csv, mapping)).flatMap((record) => ('case' in record ? [record] : []));
    const later = records.filter((event) => event.case === '10' && event.type !== 'case.created');
    expect(later.map(({ type }) => type)).toEqual(['case.priority', 'case.labels', 'case.custom_field', 'case.status']);
    expect(later.map((event) => event.id)).toEqual(later.map((event) => event.id).sort());
    expect(new Set(later.map(({ at }) => formatInstant(at)))).toEqual(new Set(['2012-10-28T00:30:00.25Z']));
  });

  it('that the table lacks are rejected, as are values and times that do not exist', async () => {
    expect(rejectionsOf(await readCsvRows(csv, mapping))).toEqual([
      [11, 'Activity: "Unheard of" is not among the mapping\'s activities'],
      [14, 'Seriousness: "9" is not in the mapping\'s table'],
      [15, 'Complete Timestamp: "2012/02/30 09:00:00.000" is not a time that exists in the years 1970 to 2199'],
      [16, 'the row has 3 of 8 columns'],
    ]);
  });

  it('that the table lacks can be ignored or be an event of their own', async () => {
    const ignored = await readCsvRows(csv, { ...mapping, otherwise: 'ignore' });
    expect(rejectionsOf(ignored).map(([line]) => line)).toEqual([14, 15, 16]);
    expect(await eventsOf('2', { ...mapping, otherwise: { type: 'note' } })).toContainEqual({
      type: 'note',
      at: '2012-02-11T09:30:00Z',
      agent: id('agent', 'Value 2'),
    });
  });

  it('can name the one that creates the case, or create none', async () => {
    const by = { ...mapping, created: { ...mapping.created, by: ['Take in charge ticket'] } };
    expect((await eventsOf('1', by)).find(({ type }) => type === 'case.created')?.at).toBe('2012-10-09T12:51:01Z');
    expect((await eventsOf('2', by)).some(({ type }) => type === 'case.created')).toBe(false);
    const { created: _created, activities, ...rest } = mapping;
    const none = { ...rest, activities: { ...activities, 'Require upgrade': [] } };
    expect((await eventsOf('1', none)).some(({ type }) => type === 'case.created')).toBe(false);
  });

  it('can become every event of a case', async () => {
    const rules = [
      { type: 'case.assigned', group: { value: 'Desk' } },
      { type: 'case.company', company: { column: 'Customer' } },
      { type: 'case.labels', set: [{ column: 'Product' }, { value: 'x' }] },
      { type: 'case.labels', remove: { value: 'x' } },
      { type: 'macro.applied', macro: { value: 'Close politely' } },
      { type: 'csat.rated', score: { column: 'Seriousness' } },
      { type: 'interaction', direction: { value: 'inbound' } },
      { type: 'interaction', direction: { value: 'outbound' } },
      { type: 'case.viewed' },
      { type: 'case.deleted' },
    ];
    const events = await eventsOf('1', { ...mapping, activities: { Closed: rules }, otherwise: 'ignore' });
    const agent = id('agent', 'Value 3');
    const base = { at: '2012-10-25T09:54:26Z', agent };
    expect(events.slice(1)).toEqual([
      { type: 'case.assigned', at: base.at, to: { group: id('group', 'Desk') } },
      { type: 'case.company', ...base, company: id('company', 'Acme') },
      { type: 'case.labels', ...base, set: [id('label', 'Mail'), id('label', 'x')].sort((a, b) => a - b) },
      { type: 'case.labels', ...base, remove: [id('label', 'x')] },
      { type: 'macro.applied', ...base, macro: id('macro', 'Close politely') },
      { type: 'csat.rated', ...base, score: 3 },
      { type: 'interaction', at: base.at, direction: 'inbound' },
      { type: 'interaction', ...base, direction: 'outbound' },
      { type: 'case.viewed', ...base },
      { type: 'case.deleted', ...base },
    ]);
  });

  it('that several columns tell are read together', async () => {
    const log =
      'case,at,status,part\n1,2026-03-01,Completed,Resolved\n1,2026-03-02,Completed,\n1,2026-03-03,Queued,Waiting';
    const events = await readEvents(log, {
      activity: { columns: ['status', 'part'], join: '/' },
      activities: {
        'Completed/Resolved': { type: 'case.status', to: { value: 'resolved' } },
        Completed: { type: 'note' },
      },
      otherwise: { type: 'case.viewed' },
    });
    expect(events.map(({ type }) => type)).toEqual(['case.status', 'note', 'case.viewed']);
  });

  it('can happen at a time of their own, and not at all where that is empty', async () => {
    const log = 'case,at,replied,solved\n1,2026-03-01,2026-03-02,2026-03-03\n2,2026-03-01,,2026-03-04';
    const events = await readEvents(log, {
      activity: { value: 'ticket' },
      activities: {
        ticket: [
          { type: 'interaction', direction: { value: 'outbound' }, at: 'replied' },
          { type: 'case.status', to: { value: 'resolved' }, at: 'solved' },
        ],
      },
      created: {},
    });
    const told = events.map((event) => [event.case, event.type, formatInstant(event.at).slice(0, 10)]);
    expect(told.sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
      ['1', 'case.created', '2026-03-01'],
      ['1', 'interaction', '2026-03-02'],
      ['1', 'case.status', '2026-03-03'],
      ['2', 'case.created', '2026-03-01'],
      ['2', 'case.status', '2026-03-04'],
    ]);
  });

  it('clear what a plain null says, but nothing by an empty cell', async () => {
    const all = (value: unknown) => [
      { type: 'case.assigned', agent: value, group: { value: 'Desk' } },
      { type: 'case.priority', priority: value },
      { type: 'case.company', company: value },
      { type: 'case.custom_field', field: 'Tier', value },
      { type: 'csat.rated', score: value },
    ];
    const events = await readEvents('case,at,what,none\n1,2026-03-01,plain,\n1,2026-03-02,cell,', {
      activity: 'what',
      activities: { plain: all(null), cell: all({ column: 'none' }) },
      created: { by: ['nothing'], custom_fields: [{ name: 'Tier', id: 4 }] },
    });
    const group = id('group', 'Desk');
    expect(events.map(({ id: _id, at: _at, case: _case, ...event }) => event)).toEqual([
      { type: 'case.assigned', to: { agent: null, group } },
      { type: 'case.priority', priority: null },
      { type: 'case.company', company: null },
      { type: 'case.custom_field', field: 4, value: null },
      { type: 'csat.rated', score: null },
      { type: 'case.assigned', to: { group } },
    ]);
  });
});

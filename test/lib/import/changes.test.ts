import { randomUUID } from 'node:crypto';
import { compact } from '../../../lib/history/compact.ts';
import { ingest } from '../../../lib/history/live.ts';
import { readManifest } from '../../../lib/history/storage/commit.ts';
import { isEvent, parseRecord } from '../../../lib/import/records/records.ts';
import { storedSegments } from '../../support/generators/history.ts';
import { type ImportSite, startImportSite } from '../../support/service/import-site.ts';

let site: ImportSite;
const context = () => ({ table: site.table, site: site.site, clock: Date.now, newId: randomUUID });

/** Case 1 in January: made, answered and resolved by agent 1, by what the names below say. */
const HISTORY = [
  { type: 'case.created', id: 1, at: '2026-01-05T09:00:00Z', case: 1, priority: 3, labels: [31], company: 51 },
  { type: 'case.assigned', id: 2, at: '2026-01-05T09:01:00Z', case: 1, agent: 1, group: 21 },
  { type: 'interaction', id: 3, at: '2026-01-05T09:02:00Z', case: 1, direction: 'outbound', agent: 1, group: 21 },
  { type: 'case.status', id: 4, at: '2026-01-05T09:03:00Z', case: 1, to: 'resolved', agent: 1, group: 21 },
  { type: 'csat.rated', id: 5, at: '2026-01-05T09:04:00Z', case: 1, score: 2 },
];
const NAMES = [
  { type: 'agent', id: 1, name: 'Ann' },
  { type: 'group', id: 21, name: 'Desk' },
  { type: 'label', id: 31, name: 'Billing' },
];
const FIELDS = ['case_creates', 'outbound_interactions', 'case_resolves'];

/** Rows of January over a dimension or a filter. */
const january = async (asked: object): Promise<unknown[][]> => {
  const time = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'none' };
  const { body } = await site.ask('POST', '/api/v2/insights3/reports', { body: { fields: FIELDS, time, ...asked } });
  return body.data.map((row: unknown[]) => row.slice(1));
};
const including = (object: string, text: string) => ({ filters: [[['Include', object, 'Is', text, false, []]]] });

beforeAll(async () => {
  site = await startImportSite();
  expect((await site.load(...NAMES, ...HISTORY)).rejected).toEqual([]);
  await compact(context());
});

describe('a change of names', () => {
  it.each([
    [{ type: 'agent', id: 1, name: 'Anna' }, 'Agents', 'agents', '1'],
    [{ type: 'group', id: 21, name: 'Front desk' }, 'Groups', 'groups', '21'],
    [{ type: 'label', id: 31, name: 'Invoices' }, 'Labels', 'labels', '31'],
    [{ type: 'agent', id: 1, name: 'Anna', deleted: true }, 'Agents', 'agents', '1'],
    [{ type: 'group', id: 21, name: 'Front desk', deleted: true }, 'Groups', 'groups', '21'],
    [{ type: 'label', id: 31, name: 'Invoices', deleted: true }, 'Labels', 'labels', '31'],
  ])('by %j is in the next report, and touches no segment', async (record, object, kind, id) => {
    const before = await storedSegments(context());
    const { version } = await readManifest(site.table, site.site.name);
    expect((await site.load(record)).rejected).toEqual([]);
    expect((await site.show('/api/v2/insights3/meta'))[kind][id].name).toBe(record.name);
    expect(await january(including(object, record.name))).toEqual([[null, null, 1, 1, 1]]);
    expect((await readManifest(site.table, site.site.name)).version).toBe(version);
    expect(await storedSegments(context())).toEqual(before);
  });
});

/** Takes an event as the queue brings it. */
async function happen(record: object): Promise<void> {
  const events = [parseRecord({ at: '2026-03-01T00:00:00Z', case: 1, ...record })].filter(isEvent);
  expect(await ingest(context(), events)).toEqual([{ outcome: 'added' }]);
}

describe('a change of what a case is now', () => {
  it.each([
    [{ type: 'case.labels', id: 'l', set: [32] }, { dimension1: 'label' }, 31, 32],
    [{ type: 'case.assigned', id: 'a', agent: 2, group: 22 }, { dimension1: 'assigned_agent' }, 1, 2],
    [{ type: 'case.assigned', id: 'g', group: 23 }, { dimension1: 'assigned_group' }, 22, 23],
  ])('by %j moves all its facts to the new member at once', async (record, asked, before, after) => {
    expect(await january(asked)).toEqual([[before, null, 1, 1, 1]]);
    await happen(record);
    expect(await january(asked)).toEqual([[after, null, 1, 1, 1]]);
    await compact(context());
    expect(await january(asked)).toEqual([[after, null, 1, 1, 1]]);
  });

  it.each([
    [{ type: 'case.priority', id: 'p', priority: 8 }, 'Priorities', '3', '8'],
    [{ type: 'case.company', id: 'c', company: 52 }, 'Companies', '51', '52'],
    [{ type: 'csat.rated', id: 'r', score: 4 }, 'CSat Score', '2', '4'],
  ])('by %j moves it between filters', async (record, object, before, after) => {
    await happen(record);
    expect(await january(including(object, before))).toEqual([[null, null, 0, 0, 0]]);
    expect(await january(including(object, after))).toEqual([[null, null, 1, 1, 1]]);
  });

  it('leaves with whoever acted what that agent and group did', async () => {
    expect(await january({ dimension1: 'action_agent' })).toEqual([[1, null, 0, 1, 1]]);
    expect(await january({ dimension1: 'action_group' })).toEqual([[21, null, 0, 1, 1]]);
  });
});

import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { Site } from '../../../../lib/access/site-fields.ts';
import { compact } from '../../../../lib/history/compact.ts';
import { eventRecord } from '../../../../lib/import/export/event-record.ts';
import { siteLines } from '../../../../lib/import/export/site-lines.ts';
import { createCollections } from '../../../../lib/store/collection.ts';
import { arbitraryVersions } from '../../../support/generators/arbitrary-versions.ts';
import { tries } from '../../../support/generators/depth.ts';
import { arbitraryHistory } from '../../../support/generators/histories.ts';
import { readRows, storedSegments } from '../../../support/generators/history.ts';
import { importRecords } from '../../../support/service/import.ts';
import { newSite } from '../../../support/service/service.ts';
import { freshTable } from '../../../support/service/table.ts';

const AT = '2026-01-02T03:04:05.678Z';
const REFERENCE = [
  {
    type: 'site',
    name: 'Acme',
    locales: ['en_us', 'de'],
    time_zone: 'Europe/Berlin',
    week_start: 'sunday',
    rating: 'four_star',
  },
  { type: 'agent', id: 1, name: 'Ann', login: 'ann@acme.example', role: 'Agent', groups: [1], updated_at: AT },
  { type: 'agent', id: 2, name: 'Left', deleted: true },
  { type: 'group', id: 1, name: 'Group' },
  { type: 'brand', id: 3, name: 'Brand', created_at: AT, updated_at: AT },
  { type: 'article', id: 4, subject: 'Article', body: 'A body', topics: [10], brands: [3] },
  {
    ...{ type: 'article', id: 5, subject: 'Whole', body: '<p>x</p>', topics: [10], keywords: 'k', quickcode: 'q' },
    ...{ position: 3, publish_at: null, in_support_center: null, internal_notes: 'n', body_chat: 'own' },
    ...{ rating_count: 9, rating_score: 8, created_by: 1, updated_by: 1, created_at: AT, updated_at: AT },
  },
  {
    ...{ type: 'article_translation', article: 5, locale: 'de', subject: 'Ganz', body: 'y', body_phone: 'z' },
    ...{ outdated: true, publish_at: AT, created_at: AT, updated_at: AT },
  },
  { type: 'label', id: 7, name: 'refund', description: 'd', enabled: false, types: ['macro'], color: 'blue' },
  { type: 'company', id: 8, name: 'Acme', domains: ['acme.example'], custom_fields: { plan: 'gold' }, created_at: AT },
  { type: 'custom_field', id: 9, name: 'plan', object: 'company', label: 'Plan', active: true, data_type: 'string' },
  { type: 'custom_field', id: 5, name: 'Level', object: 'case', values: ['gold', 'silver'] },
  {
    type: 'calendar',
    id: 6,
    name: 'Office',
    time_zone: 'Europe/Berlin',
    hours: { mon: [['09:00', '17:00']] },
    holidays: [{ date: '2026-12-25' }],
  },
  { type: 'topic', id: 10, name: 'First', description: 'Words', brands: [3], updated_at: AT },
  { type: 'topic', id: 11, name: 'Second', position: 1, in_support_center: true },
  { type: 'topic_translation', topic: 10, locale: 'de', name: 'Erstes' },
  { type: 'macro', id: 20, name: 'Macro', folders: ['a'], enabled: false },
  { type: 'macro', id: 21, name: 'Gone', deleted: true },
  { type: 'macro_action', id: 22, macro: 20, action: 'set-case-status', value: 'closed' },
];

const table = await freshTable();

async function contextOf() {
  const site: Site = await newSite(table, { name: `x-${randomUUID().slice(0, 8)}`, title: 'x' }, { default: false });
  return { table, site, collections: createCollections(), clock: () => 1_800_000_000_000, newId: randomUUID };
}
type Context = Awaited<ReturnType<typeof contextOf>>;

/** All lines of a site, in a fixed order, with its settings as they are now. */
async function linesOf(context: Context): Promise<string[]> {
  const item = await table.get({ pk: `site#${context.site.name}#settings`, sk: 'site' });
  let text = '';
  const count = { records: 0, events: 0, marks: 0 };
  for await (const part of siteLines(
    { ...context, collections: createCollections(), site: item as unknown as Site },
    count,
  ))
    text += part;
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(count.records + count.events + count.marks);
  expect(lines.filter((line) => /"type":"(?:case|agent)\.version"/.test(line))).toHaveLength(count.marks);
  return lines.sort();
}

async function roundTrip(records: readonly unknown[]) {
  const first = await contextOf();
  const { rejected } = await importRecords(table, first.site, records);
  const lines = await linesOf(first);
  const second = await contextOf();
  const taken = await importRecords(
    table,
    second.site,
    lines.map((line): unknown => JSON.parse(line)),
  );
  expect(taken.rejected).toEqual([]);
  return { first, second, lines, rejected };
}

const nameOf = ({ type, id, topic, locale }: Record<string, unknown>): string => `${type} ${id} ${topic} ${locale}`;

describe('the export of a site', () => {
  it('imports to the same reference records', async () => {
    const { second, lines, rejected } = await roundTrip(REFERENCE);
    expect(rejected).toEqual([]);
    expect(lines.length).toBeGreaterThanOrEqual(REFERENCE.length);
    // Topics and their wording are written together, so one of their times may be later than it was.
    const said = (all: readonly string[]) => all.map((line) => ({ ...JSON.parse(line), updated_at: undefined }));
    const byName = (all: readonly string[]) => said(all).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    expect(byName(await linesOf(second))).toEqual(byName(lines));
  });

  it('imports to the same ledger and segments, versions and marks among them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(arbitraryHistory, arbitraryVersions), async (events) => {
        const { first, second, lines } = await roundTrip(events.map(eventRecord));
        expect(await linesOf(second)).toEqual(lines);
        expect(await readRows(second)).toEqual(await readRows(first));
        for (const context of [first, second]) await compact(context);
        expect(await storedSegments(second)).toEqual(await storedSegments(first));
      }),
      { numRuns: tries(12) },
    );
  });
});

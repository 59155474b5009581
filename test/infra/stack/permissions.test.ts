import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../../infra/stack/permissions.ts';
import { takeMessages } from '../../../lib/history/messages.ts';
import { RECORD_TYPES } from '../../../lib/history/records.ts';
import { takeRecords } from '../../../lib/import/live.ts';
import { createCollections } from '../../../lib/store/collection.ts';
import type { Table, Write } from '../../../lib/store/table.ts';
import { newSite } from '../../support/service.ts';
import { freshTable } from '../../support/table.ts';

const at = '2026-01-01T00:00:00Z';
const event = (type: string, fields: object = {}) => ({ type, id: type, at, case: 1, ...fields });

/** A record of every type. */
const RECORDS = [
  { type: 'site', time_zone: 'Europe/Berlin' },
  { type: 'agent', id: 1, name: 'Ann', login: 'ann@example.com' },
  { type: 'user', id: 2, name: 'Bob', login: 'bob@example.com' },
  ...['group', 'label', 'channel', 'company', 'brand'].map((type) => ({ type, id: 1, name: type })),
  { type: 'article', id: 1, subject: 'Refunds', body: 'How to' },
  { type: 'custom_field', id: 1, name: 'Plan', object: 'case' },
  { type: 'topic', id: 1, name: 'Billing' },
  { type: 'topic_translation', topic: 1, locale: 'en_us', name: 'Bills' },
  { type: 'macro', id: 1, name: 'Close' },
  { type: 'macro_action', id: 1, action: 'set-case-status', macro: 1, value: 'closed' },
  { type: 'macro_action', id: 1, deleted: true },
  event('case.created', { channel: 11, priority: 5, company: 11, labels: [11], custom_fields: { '11': 'x' } }),
  event('case.status', { to: 'open' }),
  event('case.assigned', { agent: 11, group: 11 }),
  event('case.labels', { add: [12] }),
  event('case.priority', { priority: 6 }),
  event('case.company', { company: 12 }),
  event('case.custom_field', { field: 12, value: 'y'.repeat(4_000) }),
  event('case.viewed'),
  event('case.handled', { from: at, to: at }),
  event('interaction', { direction: 'inbound' }),
  event('note'),
  event('macro.applied', { macro: 12 }),
  event('csat.rated', { score: 4 }),
  { type: 'agent.session', id: 's', agent: 13, from: at, to: at },
  event('case.deleted'),
];

/** A table that notes which partitions are read and written. */
function watched(table: Table) {
  const read = new Set<string>();
  const written = new Set<string>();
  const reads = (...keys: readonly { readonly pk: string }[]): void => {
    for (const { pk } of keys) read.add(pk);
  };
  const writes = (all: readonly Write[]): void => {
    for (const write of all) {
      if ('put' in write) written.add(write.put.pk);
      else written.add('delete' in write ? write.delete.pk : write.check.pk);
    }
  };
  const watching: Table = {
    ...table,
    get: (key) => {
      reads(key);
      return table.get(key);
    },
    batchGet: (keys) => {
      reads(...keys);
      return table.batchGet(keys);
    },
    query: (pk, ...options) => {
      reads({ pk });
      return table.query(pk, ...options);
    },
    put: (item, ...how) => {
      writes([{ put: item }]);
      return table.put(item, ...how);
    },
    delete: (key, ...how) => {
      writes([{ delete: key }]);
      return table.delete(key, ...how);
    },
    transact: (all) => {
      writes(all);
      return table.transact(all);
    },
    batchWrite: (all) => {
      writes(all);
      return table.batchWrite(all);
    },
  };
  return { watching, read, written };
}

/** Those of the partitions that no pattern of leading keys allows. */
function outside(partitions: ReadonlySet<string>, patterns: readonly string[]): string[] {
  const allowed = patterns.map((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`));
  return [...partitions].filter((pk) => !allowed.some((one) => one.test(pk)));
}

it('takes records of every type, and many of one case, with no more than the ingest function may touch', async () => {
  const { watching: table, read, written } = watched(await freshTable());
  const site = await newSite(table, { name: 'acme' });
  for (const seen of [read, written]) seen.clear();
  // More than an item of the tail holds: the case is committed to history at once.
  const many = Array.from({ length: 60 }, (_, id) =>
    event('case.custom_field', { id, field: 12, value: randomBytes(3_000).toString('base64') }),
  );
  const collections = createCollections();
  const refused: string[] = [];
  const messages = [...RECORDS, ...many].map((record, id) => ({
    id: String(id),
    group: '1',
    site: site.name,
    body: JSON.stringify(record),
  }));
  const { failed } = await takeMessages(messages, {
    findSite: async () => site,
    takeRecords: (_, letters) => takeRecords({ table, site, collections, clock: Date.now, newId: randomUUID }, letters),
    refuse: async (_, reason) => void refused.push(reason),
    onFailure: (_, error) => {
      throw error;
    },
  });
  expect(failed).toEqual([]);
  expect(refused).toEqual([]);
  expect(new Set(RECORDS.map(({ type }) => type))).toEqual(new Set(RECORD_TYPES));
  expect(outside(read, PERMISSIONS.ingest.reads)).toEqual([]);
  expect(outside(written, PERMISSIONS.ingest.writes)).toEqual([]);
  expect([...written]).toContain('site#acme#history');
  const unused = (patterns: readonly string[], used: ReadonlySet<string>): string[] =>
    patterns.filter((pattern) => outside(used, [pattern]).length === used.size);
  expect(unused(PERMISSIONS.ingest.writes, written)).toEqual([]);
});

it('lets the ingest function neither give hosts to sites nor hold the lock of reports', () => {
  for (const pk of ['host#acme.example.com', 'deployment', 'site#acme#lock']) {
    expect(outside(new Set([pk]), PERMISSIONS.ingest.writes)).toEqual([pk]);
  }
  expect(outside(new Set(['site#acme#text']), PERMISSIONS.ingest.reads)).toEqual(['site#acme#text']);
});

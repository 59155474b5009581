import { randomUUID } from 'node:crypto';
import { readSite } from '../../../lib/access/sites.ts';
import { takeRecords } from '../../../lib/import/live.ts';
import { type Message, type MessageHandlers, takeMessages } from '../../../lib/import/records/messages.ts';
import { createCollections } from '../../../lib/store/collection.ts';
import type { Table } from '../../../lib/store/table.ts';
import { importRecords } from '../../support/service/import.ts';
import { type ImportSite, startImportSite } from '../../support/service/import-site.ts';
import { newSite } from '../../support/service/service.ts';

let site: ImportSite;
let table: Table; // that the stream is taken into
let refused: string[];
beforeEach(async () => {
  site = await startImportSite();
  table = site.table;
  refused = [];
});

/** A table on which what touches a partition fails. */
function failingOn(partition: string): Table {
  const busy = async (touched: readonly string[]): Promise<void> => {
    if (touched.some((pk) => pk.endsWith(partition))) throw new Error('busy');
  };
  const { batchGet, transact } = site.table;
  return {
    ...site.table,
    batchGet: (all) => busy(all.map(({ pk }) => pk)).then(() => batchGet(all)),
    transact: (all) => busy(all.map((write) => JSON.stringify(write))).then(() => transact(all)),
  };
}

let number = 0;
const inGroup = (group: string, record: unknown, to?: string): Message => ({
  id: `m${(number += 1)}`,
  group,
  site: to,
  body: JSON.stringify(record),
});
/** Messages of groups of their own. */
const apart = (...records: readonly unknown[]): Message[] => records.map((record, at) => inGroup(String(at), record));

/** Sends messages as one batch; gives those that come again, by their place. */
async function send(...messages: readonly Message[]): Promise<number[]> {
  const collections = createCollections();
  const intake: MessageHandlers = {
    findSite: (named) => readSite(table, named ?? site.site.name),
    takeRecords: (of, letters) =>
      takeRecords({ table, site: of, collections, clock: site.clock, newId: randomUUID }, letters),
    refuse: async (_, reason) => void refused.push(reason),
    onFailure: () => undefined,
  };
  const { failed } = await takeMessages(messages, intake);
  return failed.map((id) => messages.findIndex((message) => message.id === id));
}

const AT = '2026-01-01T00:00:00Z';
const created = { type: 'case.created', id: 'c', at: AT, case: 1, channel: 5, labels: [6] };
const rated = (id: string, score: number) => ({ type: 'csat.rated', id, at: AT, case: 1, score });
const macro = { type: 'macro', id: 30, name: 'Close' };
const action = { type: 'macro_action', id: 31, macro: 30, action: 'set-case-status', value: 'resolved' };

describe('the live stream', () => {
  it('takes reference records in, parents before children in whatever order they come', async () => {
    const records = [
      { type: 'topic_translation', topic: 20, locale: 'de', name: 'Rechnung' },
      action,
      macro,
      { type: 'topic', id: 20, name: 'Billing' },
      { type: 'agent', id: 42, name: 'Ann', login: 'ann@example.com', role: 'Agent' },
      { type: 'article', id: 9, subject: 'Refunds', body: 'How to', topics: [20] },
    ];
    expect([await send(...apart(...records)), refused]).toEqual([[], []]);
    expect(await site.list('/api/v2/macros/30/actions')).toMatchObject([{ id: 31, value: 'resolved' }]);
    expect(await site.list('/api/v2/topics/20/translations')).toMatchObject([{ locale: 'de' }, { locale: 'en_us' }]);
    expect((await site.show('/api/v2/insights3/meta')).agents['42'].name).toBe('Ann');
  });

  it('lets the newest record of a member win, and keeps the name of a deleted one', async () => {
    const label = (name: string, day: number) => ({
      type: 'label',
      id: 7,
      name,
      updated_at: `2026-01-0${day}T00:00:00Z`,
    });
    await send(...apart(label('new', 2), label('old', 1)));
    await send(inGroup('label', { type: 'label', id: 7, deleted: true, updated_at: '2026-01-03T00:00:00Z' }));
    await site.load({ type: 'label', id: 7, name: 'older', updated_at: AT });
    expect((await site.show('/api/v2/insights3/meta')).labels['7']).toMatchObject({ name: 'new', deleted: true });
  });

  it('notes members that events alone name, also where the events were taken before', async () => {
    table = failingOn('#ref#label');
    expect(await send(inGroup('1', created))).toEqual([0]);
    table = site.table;
    expect(await send(inGroup('1', created))).toEqual([]);
    const { channels, labels } = await site.show('/api/v2/insights3/meta');
    expect([channels['5'].name, labels['6'].name]).toEqual(['5', '6']);
    expect(await site.load(created)).toMatchObject({ added: 0, unchanged: 1, rejected: [] });
  });

  it('refuses a score that the site does not know where it stands, and takes the rest', async () => {
    const group = (record: unknown) => inGroup('1', record);
    const yesNo = { type: 'site', rating: 'yes_no' };
    expect(await send(group(rated('a', 0)), group(rated('b', 4)), group(yesNo), group(rated('c', 0)))).toEqual([]);
    expect(await send(group(rated('d', 4)))).toEqual([]);
    expect(refused).toEqual([
      'score: 0 is not 1 to 4, as the site rates four_star',
      'score: 4 is not 0 or 1, as the site rates yes_no',
    ]);
    expect(await site.load(yesNo, rated('c', 0))).toMatchObject({ added: 0, unchanged: 1, rejected: [] });
  });

  it('refuses a conflict, a child without its parent and a record that makes no sense, each with its reason', async () => {
    await send(inGroup('1', created));
    const records = [{ ...created, channel: 6 }, action, { type: 'agent', id: 0, name: 'x' }, { type: 'group' }];
    expect(await send(...apart(...records))).toEqual([]);
    expect(refused).toEqual([
      'id: "c" is already the id of another event of case 1, which stays',
      'macro: 30 is not a macro of this site',
      expect.stringMatching(/^id: /),
      expect.stringMatching(/^id/),
    ]);
  });

  it('leaves what follows a failed record in its group, and takes what other groups bring', async () => {
    table = failingOn('#macros');
    const label = (id: number) => ({ type: 'label', id, name: 'x' });
    const messages = [
      inGroup('a', label(1)),
      inGroup('a', macro),
      inGroup('a', action),
      inGroup('a', created),
      inGroup('b', label(2)),
    ];
    expect([await send(...messages), refused]).toEqual([[1, 2, 3], []]);
    table = site.table;
    expect(Object.keys((await site.show('/api/v2/insights3/meta')).labels)).toEqual(['1', '2']);
    expect(await send(...messages.slice(1))).toEqual([]);
    expect(await site.list('/api/v2/macros/30/actions')).toHaveLength(1);
    expect(await site.load(created)).toMatchObject({ added: 0, unchanged: 1 });
  });

  describe('takes messages of equal bodies, which a queue that compares bodies would drop', () => {
    it('for two sites', async () => {
      const other = await newSite(table, { name: `other-${randomUUID().slice(0, 8)}` }, { default: false });
      expect(await send(inGroup('1', created), inGroup('1', created, other.name))).toEqual([]);
      for (const one of [site.site, other])
        expect(await importRecords(table, one, [created])).toMatchObject({ added: 0, unchanged: 1 });
    });

    it('that were refused before, once they are right', async () => {
      const one = { ...action, id: 32 };
      await send(inGroup('30', one));
      expect(refused).toEqual(['macro: 30 is not a macro of this site']);
      await send(inGroup('30', macro));
      await send(inGroup('30', one));
      expect(await site.list('/api/v2/macros/30/actions')).toMatchObject([{ id: 32 }]);
      expect(refused).toHaveLength(1);
    });

    it('of a name that goes from A to B and back', async () => {
      const label = (name: string) => inGroup('label', { type: 'label', id: 7, name });
      for (const name of ['A', 'B', 'A']) await send(label(name));
      expect((await site.show('/api/v2/insights3/meta')).labels['7']).toMatchObject({ name: 'A' });
    });
  });

  it('changes nothing by a message that comes again', async () => {
    const messages = apart(macro, action, { type: 'label', id: 7, name: 'x' }, created);
    await send(...messages);
    const before = await site.ask('GET', '/api/v2/macros/30/actions');
    await send(...messages);
    expect((await site.ask('GET', '/api/v2/macros/30/actions')).headers.etag).toBe(before.headers.etag);
    expect(refused).toEqual([]);
  });
});

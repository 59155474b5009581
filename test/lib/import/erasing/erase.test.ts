import { randomUUID } from 'node:crypto';
import { auditItem, readAudit, serviceEntry } from '../../../../lib/access/audit.ts';
import { memberId } from '../../../../lib/access/member-id.ts';
import { listTokens } from '../../../../lib/access/tokens.ts';
import { readUser } from '../../../../lib/access/users.ts';
import { compact } from '../../../../lib/history/compact.ts';
import { sweep } from '../../../../lib/history/compaction/sweep.ts';
import { type Erasing, erase, planErasure } from '../../../../lib/import/erasing/erase.ts';
import { takeRecords } from '../../../../lib/import/live.ts';
import { parseRecord } from '../../../../lib/import/records/records.ts';
import { createCollections } from '../../../../lib/store/collection.ts';
import type { Table } from '../../../../lib/store/table.ts';
import { deafTable, dyingTable, strikes, watchedTable } from '../../../support/faults/faulty-table.ts';
import { orphans, readRows } from '../../../support/generators/history.ts';
import { storedText } from '../../../support/generators/stored-text.ts';
import { importRecords } from '../../../support/service/import.ts';
import { newSite } from '../../../support/service/service.ts';
import { freshTable } from '../../../support/service/table.ts';
import { addToken } from '../../../support/service/tokens.ts';

const NAMED = memberId('agent', 'Ann Example');
const RECORDS = [
  { type: 'agent', id: 42, name: 'Bob Secret', login: 'bob@secret.example', role: 'Agent' },
  { type: 'agent', id: NAMED, name: 'Ann Example' },
  { type: 'company', id: 9, name: 'Secret Ltd' },
  { type: 'custom_field', id: 12, name: 'Town', object: 'case', values: ['Berlin', 'Secretville'] },
  {
    type: 'case.created',
    id: 'a',
    at: '2026-03-01T09:00:00Z',
    case: 'S-1',
    company: 9,
    custom_fields: { 12: 'Secretville' },
  },
  { type: 'case.assigned', id: 'b', at: '2026-03-01T09:01:00Z', case: 'S-1', agent: 42 },
  { type: 'interaction', id: 'c', at: '2026-03-01T09:05:00Z', case: 'S-1', direction: 'outbound', agent: NAMED },
  { type: 'case.created', id: 'a', at: '2026-03-02T09:00:00Z', case: 'S-2', custom_fields: { 12: 'Berlin' } },
  { type: 'case.custom_field', id: 'f', at: '2026-03-02T09:00:01Z', case: 'S-2', field: 12, value: 'Berlin' },
  { type: 'interaction', id: 'c', at: '2026-03-02T09:05:00Z', case: 'S-2', direction: 'outbound', agent: NAMED },
  { type: 'agent.session', id: 's', agent: NAMED, from: '2026-03-01T08:00:00Z', to: '2026-03-01T16:00:00Z' },
];
const LIVE = { type: 'note', id: 'live', at: '2026-03-01T10:00:00Z', case: 'S-1', agent: NAMED };

const table = await freshTable();

async function freshSite() {
  const site = await newSite(table, { name: `e-${randomUUID().slice(0, 8)}` }, { default: false });
  const now = { at: 1_800_000_000_000 };
  const context = { table, site, collections: createCollections(), clock: () => now.at, newId: randomUUID };
  return { ...context, now };
}
type Context = Awaited<ReturnType<typeof freshSite>>;

const live = (context: Context, record: object) =>
  takeRecords(context, [
    {
      message: { id: '1', group: 'g', site: context.site.name, body: '' },
      site: context.site,
      record: parseRecord(record),
    },
  ]);

async function filledSite() {
  const context = await freshSite();
  await importRecords(table, context.site, RECORDS);
  await live(context, LIVE);
  return context;
}

async function eraseNow(context: Context, erasing: Erasing, faulty: Table = table) {
  const mine = { ...context, table: faulty, collections: createCollections() };
  const plan = await planErasure(mine, erasing);
  return plan && erase(mine, plan);
}

/** All that the table holds of a site, as text: what is packed is unpacked by reading it. */
async function allText(context: Context): Promise<string> {
  const texts: string[] = [];
  for await (const page of table.scan())
    for (const item of page)
      if (item.pk.startsWith(`site#${context.site.name}#`)) texts.push(JSON.stringify({ ...item, bytes: undefined }));
  return `${texts.join('\n')}\n${JSON.stringify(await readRows(context))}`;
}

/** What the audit says of Bob and of Ann. */
async function noteDeeds({ site, now }: Context): Promise<void> {
  const deeds: [string | null, string][] = [
    ['ann@secret.example', 'users/me'],
    [null, 'tokens/bob@secret.example/t'],
    [null, 'users/bob@secret.example'],
    ['Bob@secret.example', 'topics/1'],
  ];
  for (const [place, [user, resource]] of deeds.entries()) {
    const entry = serviceEntry({ action: 'update', user, resource }, { id: String(place), at: now.at + place });
    await table.put(auditItem(site.name, entry));
  }
}

const cases = async (context: Context) =>
  (await readRows(context)).flatMap((row) => ('facts' in row && 'key' in row ? [row] : []));

describe('erasing', () => {
  it('takes the name and login of an agent and keeps the counts', async () => {
    const context = await filledSite();
    const before = (await cases(context)).map(({ facts }) => facts);
    await addToken(table, context.site.name, { hash: 'h', login: 'bob@secret.example', name: 't', created: 1 });
    await noteDeeds(context);
    await eraseNow(context, { kind: 'agent', id: 42 });
    expect(await allText(context)).not.toMatch(/Bob|bob@/);
    expect(await readUser(table, context.site.name, 'bob@secret.example')).toBeUndefined();
    expect(await listTokens(table, context.site.name)).toEqual([]);
    expect((await cases(context)).map(({ facts }) => facts)).toEqual(before);
    const { entries: all } = await readAudit(table, context.site.name, { limit: 10 });
    const entries = all.filter(({ id }) => /^\d$/.test(id)); // the others are of the import that made users
    const [{ user: alias } = { user: '' }] = entries;
    expect(alias).toMatch(/^erased-[0-9a-f]{12}$/);
    expect(entries.map(({ user, resource }) => [user, resource])).toEqual([
      [alias, 'topics/1'],
      [null, `users/${alias}`],
      [null, `tokens/${alias}`],
      ['ann@secret.example', 'users/me'],
    ]);
  });

  it('gives an agent another id where the id is made from the name', async () => {
    const context = await filledSite();
    await eraseNow(context, { kind: 'agent', id: NAMED });
    const text = await allText(context);
    expect(text).not.toContain(String(NAMED));
    expect(text).not.toContain('Ann');
    const outbound = (await cases(context)).flatMap(({ facts }) => facts.outbound.map(({ agent }) => agent));
    expect(new Set(outbound).size).toBe(1);
    expect(outbound[0]).toBeGreaterThan(2 ** 48);
    const sessions = (await readRows(context)).filter((row) => !('key' in row));
    expect(sessions).toHaveLength(1);
  });

  it('takes a case with its custom-field values, and counts the events that come later', async () => {
    const context = await filledSite();
    await eraseNow(context, { kind: 'case', id: 'S-1' });
    expect(await allText(context)).not.toMatch(/Secretville|S-1"/);
    expect(await importRecords(table, context.site, RECORDS)).toMatchObject({ erased: 3, added: 0, unchanged: 4 });
    expect(await live(context, LIVE)).toEqual(['taken']);
    expect(await allText(context)).not.toMatch(/Secretville|S-1"/);
  });

  it('takes the name of a company and the custom fields of its cases', async () => {
    const context = await filledSite();
    await eraseNow(context, { kind: 'company', id: 9 });
    expect(await allText(context)).not.toMatch(/Secret Ltd|Secretville/);
    expect((await cases(context)).map(({ key }) => key).sort()).toEqual(['S-1', 'S-2']);
    await live(context, {
      type: 'case.custom_field',
      id: 'x',
      at: '2026-03-03T00:00:00Z',
      case: 'S-1',
      field: 12,
      value: 'Secretville',
    });
    expect(await allText(context)).not.toMatch(/Secret Ltd|Secretville/);
  });

  it.each<Erasing>([
    { kind: 'agent', id: 42 },
    { kind: 'agent', id: NAMED },
    { kind: 'company', id: 9 },
    { kind: 'case', id: 'S-1' },
    { kind: 'user', id: 'Bob@secret.example' },
  ])('stays so whatever is imported again: $kind $id', async (erasing) => {
    const context = await filledSite();
    await eraseNow(context, erasing);
    const before = await readRows(context);
    const later = { ...context, collections: createCollections() };
    await importRecords(table, context.site, [...RECORDS].reverse());
    await live(later, LIVE);
    expect(await readRows(context)).toEqual(before);
    const gone = { agent: /Bob|bob@|Ann E/, company: /Secret Ltd|Secretville/, case: /S-1"/, user: /Bob|bob@/ }[
      erasing.kind
    ];
    const text = await allText(context);
    if (erasing.id !== NAMED && erasing.kind === 'agent') expect(text).not.toMatch(/Bob|bob@/);
    else if (erasing.id === NAMED) expect(text).not.toMatch(new RegExp(`Ann|${NAMED}`));
    else expect(text).not.toMatch(gone);
  });

  it('leaves no byte of it once what was replaced is swept', async () => {
    const context = await filledSite();
    await compact(context);
    await eraseNow(context, { kind: 'case', id: 'S-1' });
    context.now.at += 3_600_000;
    await compact(context);
    await sweep(context, { graceMs: 0 });
    expect(await orphans(context)).toEqual([]);
    expect(await storedText(context)).not.toMatch(/S-1"|Secretville/);
  });

  it('knows nothing of what was never there', async () => {
    expect(await planErasure(await filledSite(), { kind: 'case', id: 'other' })).toBeUndefined();
  });

  it.each<Erasing>([
    { kind: 'user', id: 'bob@secret.example' },
    { kind: 'agent', id: 42 },
  ])('of $kind $id finds agent and login again where it was cut short', async (erasing) => {
    let writes = 0;
    await eraseNow(
      await filledSite(),
      erasing,
      watchedTable(table, async () => void (writes += 1)),
    );
    for (const place of [12, writes - 5, writes - 4, writes - 3, writes - 2, writes - 1]) {
      const context = await filledSite();
      await noteDeeds(context);
      expect(await strikes(() => eraseNow(context, erasing, dyingTable(table, place)))).toBe(true);
      await eraseNow(context, erasing);
      expect(await storedText(context)).not.toMatch(/Bob|bob@/);
    }
  });

  it.each([
    ['killed before', dyingTable],
    ['deaf to', deafTable],
  ])('is whole once it is done again, wherever the first was %s a write', async (_, faulty) => {
    let writes = 0;
    for (let struck = true; struck; writes += 9) {
      const context = await filledSite();
      struck = await strikes(() => eraseNow(context, { kind: 'agent', id: NAMED }, faulty(table, writes)));
      await eraseNow(context, { kind: 'agent', id: NAMED });
      const text = await allText(context);
      expect(text).not.toContain(String(NAMED));
      expect(text).not.toContain('Ann');
      expect((await readRows(context)).filter((row) => !('key' in row))).toHaveLength(1);
    }
    expect(writes).toBeGreaterThan(60);
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeItem, encodeItem } from '../../../../infra/local/table/codec.ts';
import { encodeKey } from '../../../../infra/local/table/keys.ts';
import { sizeOf } from '../../../../infra/local/table/size.ts';
import { openStore, type Store } from '../../../../infra/local/table/store.ts';
import { readManifest } from '../../../../lib/history/storage/commit.ts';
import { Damaged, itemName } from '../../../../lib/store/faults.ts';
import { keys, members } from '../../../../lib/store/keys.ts';
import { command } from '../../../support/service/command.ts';
import { run, startProgram, withFolder } from '../../../support/service/program.ts';
import { damageItem } from '../../../support/store/damage-item.ts';

const KEY = { pk: 'p', sk: 's' };
const OTHER = { pk: 'p', sk: 't' };
const ITEM = { ...KEY, text: '2026-01-05', list: [1, 2.5], large: 2n ** 70n, bytes: new Uint8Array(10).fill(7) };

describe('a stored item', () => {
  const keyBytes = encodeKey(KEY);
  const { bytes } = encodeItem(ITEM, keyBytes);

  it('is damaged whichever of its bits is another', () => {
    expect(decodeItem(KEY, keyBytes, Buffer.from(bytes))).toEqual(ITEM);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const stored = Buffer.from(bytes);
      stored[bit >> 3] = (stored[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decodeItem(KEY, keyBytes, stored)).toThrow(Damaged);
    }
  });

  it('is damaged if it lies under the key of another, or is cut', () => {
    expect(() => decodeItem(OTHER, encodeKey(OTHER), Buffer.from(bytes))).toThrow(Damaged);
    for (let length = 0; length < bytes.length; length += 1) {
      if (length === bytes.length - 4) continue; // whole, as version 1.1 wrote it
      expect(() => decodeItem(KEY, keyBytes, Buffer.from(bytes.subarray(0, length)))).toThrow(Damaged);
    }
  });

  it('of version 1.1, which wrote no sum, is read as it was', () => {
    const stored = Buffer.from(bytes.subarray(0, -4));
    expect(stored.readUInt32LE(0)).toBe(sizeOf(ITEM));
    expect(decodeItem(KEY, keyBytes, stored)).toEqual(ITEM);
  });
});

/** Each way to a stored item. */
const DOORS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  get: ({ table }) => table.get(KEY),
  'get in a batch': ({ table }) => table.batchGet([OTHER, KEY]),
  query: ({ table }) => table.query('p'),
  'query of another attribute': ({ table }) => table.query('p', { attributes: ['list'] }),
  scan: async ({ table }) => {
    for await (const _ of table.scan());
  },
  'write on a condition': ({ table }) => table.put(ITEM, { attribute: 'text', equals: '2026-01-05' }),
  'deletion on a condition': ({ table }) => table.delete(KEY, { present: true }),
  transaction: ({ table }) =>
    table.transact([{ put: { ...OTHER, text: 'new' } }, { check: KEY, when: { present: true } }]),
  addition: ({ table }) => table.add(KEY, { count: 1 }, 5),
};

describe.each(Object.entries(DOORS))('a damaged item, met by %s', (_, meet) => {
  it('is named, and neither it nor anything beside it is used or changed', () =>
    withFolder(async (folder) => {
      const first = await openStore(folder);
      await first.table.batchWrite([{ put: ITEM }, { put: { ...OTHER, text: 'other' } }]);
      await first.close();
      await damageItem(folder, KEY);
      const store = await openStore(folder);
      try {
        const error = await meet(store).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error).toBeInstanceOf(Damaged);
        expect(error).toHaveProperty('message', expect.stringMatching(/^What is stored as p s is damaged\./));
        expect(await store.table.get(OTHER)).toEqual({ ...OTHER, text: 'other' });
        const named: string[] = [];
        for await (const _page of store.table.scan((key) => named.push(itemName(key))));
        expect(named).toEqual(['p s']);
      } finally {
        await store.close();
      }
    }));
});

const RECORDS = [
  { type: 'topic', id: 7, name: 'Billing' },
  { type: 'case.created', id: 'a', at: '2026-01-05T10:00:00Z', case: 1 },
  { type: 'case.status', id: 'b', at: '2026-01-06T10:00:00Z', case: 1, to: 'resolved' },
];
const REQUEST = { fields: ['case_creates'], time: { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z' } };

/** A data folder with a site, a topic and a case, and a login for it. */
async function siteIn(folder: string): Promise<{ readonly data: string; readonly records: string }> {
  const [data, records] = [join(folder, 'data'), join(folder, 'records.ndjson')];
  await writeFile(records, RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''));
  for (const args of [
    ['site', 'add', 'acme', '--default'],
    ['import', records, '--site', 'acme', '--format', 'ndjson'],
  ])
    expect(await command([...args, '--data-dir', data])).toMatchObject({ status: 0 });
  const user = ['user', 'add', '--site', 'acme', '--login', 'ann@acme.example', '--role', 'Administrator'];
  expect(await run([...user, '--password-stdin', '--data-dir', data], { input: 'a long enough one\n' })).toMatchObject({
    status: 0,
  });
  return { data, records };
}

const AUTHORIZATION = `Basic ${Buffer.from('ann@acme.example:a long enough one').toString('base64')}`;

describe('in a data folder with a flipped digit', () => {
  it('a topic is refused by name, and what does not need it is served and started; copies and exports say so', () =>
    withFolder(async (folder) => {
      const { data } = await siteIn(folder);
      const topic = { pk: keys.topics('acme').pk, sk: members.topic(7) };
      await damageItem(data, topic);
      const name = 'site#acme#topics topic#7';
      const service = await startProgram(data);
      try {
        const ask = (path: string, init: RequestInit = {}) =>
          fetch(`${service.url}${path}`, { ...init, headers: { Authorization: AUTHORIZATION, ...init.headers } });
        for (const path of ['/api/v2/topics/7', '/api/v2/topics']) {
          const reply = await ask(path);
          expect([reply.status, await reply.json()]).toEqual([
            500,
            { message: expect.stringContaining(`What is stored as ${name} is damaged.`) },
          ]);
        }
        expect((await ask('/api/v2/topics/7', { method: 'PATCH', body: '{"name":"New"}' })).status).toBe(500);
        for (const path of ['/api/v2/macros', '/api/v2/users', '/health']) expect((await ask(path)).status).toBe(200);
      } finally {
        const { err } = await service.end('SIGTERM');
        expect(err).toContain(`What is stored as ${name} is damaged`);
      }
      const copy = await command(['copy', '--data-dir', data, '--to-data-dir', join(folder, 'copy')]);
      expect([copy.status, copy.out]).toEqual([
        1,
        expect.stringMatching(
          /^\d+ items copied\.\nDamaged, and lost unless an earlier copy has it: site#acme#topics topic#7\n$/,
        ),
      ]);
      const exported = await command(['site', 'export', 'acme', '--to', join(folder, 'out'), '--data-dir', data]);
      expect([exported.status, exported.err]).toEqual([1, expect.stringContaining(name)]);
      const doctor = await command(['doctor', '--data-dir', data, '--backups', folder]);
      expect([doctor.status, doctor.out]).toEqual([1, expect.stringMatching(/^FAULT {3}table file: .*topic#7$/m)]);
      expect(doctor.out).toMatch(/^FAULT {3}backups: .*topic#7$/m);
    }));

  it('a segment is refused by reports, cases and exports of it, and is made again from the ledger', () =>
    withFolder(async (folder) => {
      const { data } = await siteIn(folder);
      const request = join(folder, 'request.json');
      await writeFile(request, JSON.stringify(REQUEST));
      const report = () => command(['report', request, '--site', 'acme', '--output', 'json', '--data-dir', data]);
      const whole = await report();
      expect(whole.status).toBe(0);
      const store = await openStore(data);
      const [segment] = (await readManifest(store.table, 'acme')).segments;
      await store.close();
      const key = keys.segment('acme', segment?.id ?? 0, 0);
      await damageItem(data, key);
      expect(await report()).toMatchObject({
        status: 1,
        err: expect.stringContaining(`What is stored as ${key.pk} ${key.sk} is damaged. \`support compact --rebuild`),
      });
      expect((await command(['compact', '--rebuild', '--site', 'acme', '--data-dir', data])).status).toBe(0);
      expect(await report()).toEqual(whole);
    }));

  it('a part of a manifest is in a copy alone, though it lies where segments do', () => {
    expect(new Damaged(keys.segment('acme', 7, 0)).message).toContain('support compact --rebuild --site acme');
    expect(new Damaged(keys.manifestPart('acme', 7, 0)).message).toMatch(/is damaged\. Put back a copy/);
  });

  it('events are refused to an import of the same cases, which changes nothing', () =>
    withFolder(async (folder) => {
      const { data, records } = await siteIn(folder);
      const store = await openStore(data);
      const leaves: { pk: string; sk: string }[] = [];
      for await (const page of store.table.scan())
        leaves.push(...page.filter(({ pk }) => pk.startsWith('site#acme#ledger#')).map(({ pk, sk }) => ({ pk, sk })));
      await store.close();
      for (const leaf of leaves) await damageItem(data, leaf);
      await writeFile(records, `${JSON.stringify({ ...RECORDS[2], id: 'c', at: '2026-01-07T10:00:00Z' })}\n`);
      const again = await command(['import', records, '--site', 'acme', '--format', 'ndjson', '--data-dir', data]);
      expect([again.status, again.err]).toEqual([
        1,
        expect.stringMatching(/What is stored as site#acme#ledger#\d+ leaf#0 is damaged/),
      ]);
    }));
});

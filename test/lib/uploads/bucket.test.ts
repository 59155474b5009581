import { mkdtemp, open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keys } from '../../../lib/store/keys.ts';
import { openObjects } from '../../../lib/store/objects.ts';
import type { Table } from '../../../lib/store/table.ts';
import { fileKey, openBucketStore } from '../../../lib/uploads/bucket.ts';
import { wholeLines } from '../../../lib/uploads/rejected.ts';
import { type BucketService, startBucketService } from '../../support/service/bucket-service.ts';

const PATH = '/api/v2/imports';
const CSV = [
  'Ticket,Created at,Status,Assignee',
  '1,2026-01-05 10:00:00,Open,Ann',
  '2,2026-01-05 11:00:00,Open,Bob',
  '3,2026-01-05 12:00:00,Open,Bob,too much',
].join('\n');

let service: BucketService['service'];
let bucket: BucketService['bucket'];
let ask: BucketService['ask'];
beforeEach(async () => {
  ({ service, bucket, ask } = await startBucketService());
});

const keyOf = (id: number): string => fileKey({ site: service.site.name, id });

/** An import whose file has come, or not. */
async function made(file?: string): Promise<number> {
  const { status, body } = await ask('POST', `${PATH}?name=tickets.csv&zone=UTC`);
  expect(status).toBe(201);
  if (file !== undefined) await bucket.objects.put(keyOf(body.id), file);
  return body.id;
}

const step = async (id: number, what: string) => {
  const { status, body } = await ask('POST', `${PATH}/${id}/${what}`);
  expect([status, body.state]).toEqual([200, expect.stringMatching(/ing$/)]);
  await bucket.work();
  return (await ask('GET', `${PATH}/${id}`)).body;
};

describe('a file that goes to a bucket', () => {
  it('is waited for, tried, loaded and undone', async () => {
    const id = await made();
    const waiting = (await ask('GET', `${PATH}/${id}`)).body;
    expect(waiting).toMatchObject({ state: 'waiting', can: ['check', 'undo'], size: 0 });
    expect(waiting.upload).toMatchObject({ fields: { key: keyOf(id) }, largest_size: 1024 ** 3 });
    const tooSoon = await ask('POST', `${PATH}/${id}/check`);
    expect([tooSoon.status, tooSoon.body.errors]).toEqual([422, { file: ['blank'] }]);

    await bucket.objects.put(keyOf(id), CSV);
    expect(await step(id, 'check')).toMatchObject({
      state: 'checked',
      size: CSV.length,
      upload: null,
      check: { rejected: 1 },
    });
    const loaded = await step(id, 'load');
    expect(loaded).toMatchObject({ state: 'loaded', result: { rejected: 1 } });
    const rejected = await ask('GET', loaded._links.rejected.href);
    expect([rejected.headers['content-type'], rejected.text]).toEqual([
      'text/csv; charset=utf-8',
      expect.stringContaining('3,2026-01-05 12:00:00,Open,Bob,too much'),
    ]);
    expect(await step(id, 'undo')).toMatchObject({ state: 'undone' });
    expect(await bucket.objects.find(keyOf(id))).toBeUndefined();
  });

  it('can be discarded while it arrives, also in the moment in which its record counts its bytes', async () => {
    const id = await made();
    const { table, site } = service;
    const key = keys.upload(site.name, id);
    const beating: Table = {
      ...table,
      metered: () => beating,
      get: async (wanted, ...more) => {
        const item = await table.get(wanted, ...more);
        if (wanted.sk === key.sk && item?.status === 'arriving')
          await table.put({ ...item, updated_at: Number(item.updated_at) + 1 });
        return item;
      },
    };
    await table.put({ ...(await table.get(key)), ...key, status: 'arriving', updated_at: service.now.at });
    const { status, body } = await service.again({ routes: bucket.routes, table: beating })(
      'POST',
      `${PATH}/${id}/undo`,
    );
    expect([status, body.state]).toEqual([200, 'undoing']);
    await bucket.work();
    expect((await ask('GET', `${PATH}/${id}`)).body.state).toBe('undone');
  });

  it('comes as no body, and is no other than the one that was tried', async () => {
    const { status, body } = await ask('POST', `${PATH}?name=tickets.csv`, { body: CSV });
    expect([status, body.errors]).toEqual([422, { file: ['invalid'] }]);
    const id = await made(CSV);
    expect(await step(id, 'check')).toMatchObject({ state: 'checked' });
    await bucket.objects.put(keyOf(id), CSV.replaceAll('2026', '2020'));
    expect(await step(id, 'load')).toMatchObject({ state: 'failed', problem: expect.stringContaining('was replaced') });
  });

  it('comes by a form that is good for one key, an hour and 1 GiB, and signs nothing else', async () => {
    const { table, site, clock } = service;
    const credentials = { AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-west-1' };
    const before = { ...process.env };
    Object.assign(process.env, credentials); // signed here: nobody is asked
    try {
      const objects = openObjects({ bucket: 'files-of-imports', isEmulated: false });
      const { arrival } = openBucketStore({ table, clock, objects, sendStep: async () => undefined });
      const begun = Date.now();
      const form =
        'invite' in arrival ? await arrival.invite({ site: site.name, id: 7, name: 'a.csv' }, begun) : undefined;
      const { fields, url } = form ?? {};
      const policy = JSON.parse(Buffer.from(fields?.Policy ?? '', 'base64').toString());
      expect(url).toBe('https://files-of-imports.s3.eu-west-1.amazonaws.com/');
      expect(policy.conditions).toEqual(
        expect.arrayContaining([
          ['content-length-range', 1, 1024 ** 3],
          { bucket: 'files-of-imports' },
          { key: fileKey({ site: site.name, id: 7 }) },
        ]),
      );
      const others = policy.conditions.filter((one: object) => !Array.isArray(one)).flatMap(Object.keys);
      expect(others.filter((name: string) => !/^x-amz-/i.test(name)).sort()).toEqual(['bucket', 'key']);
      const ends = Date.parse(policy.expiration) - 3_600_000;
      expect([ends > begun - 1_000, ends <= Date.now()]).toEqual([true, true]); // in whole seconds
      expect(JSON.stringify(form)).not.toContain(credentials.AWS_SECRET_ACCESS_KEY);
    } finally {
      for (const name of Object.keys(credentials)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  it('waits without keeping other imports from work', async () => {
    const [first, second] = [await made(), await made(CSV)];
    expect(await step(second, 'check')).toMatchObject({ state: 'checked' });
    expect(await step(first, 'undo')).toMatchObject({ state: 'undone' });
    expect((await ask('POST', `${PATH}/${first}/check`)).status).toBe(409);
  });
});

describe('rejected lines to download', () => {
  it('are as many whole ones as fit a reply, escaped as JSON', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'lines-')), 'rejected');
    await writeFile(path, '"a"\nbcd\nlast');
    const file = await open(path);
    const upTo = async (bytes: number): Promise<string> => (await wholeLines(file, bytes)).toString();
    expect([await upTo(100), await upTo(12), await upTo(11), await upTo(6)]).toEqual([
      '"a"\nbcd\nlast',
      '"a"\nbcd\n',
      '"a"\n',
      '',
    ]);
    await file.close();
  });
});

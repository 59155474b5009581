import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NEW_SITE } from '../../../lib/access/site-fields.ts';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { keys } from '../../../lib/store/keys.ts';
import { FIRST_COME, releaseLease, takeLease } from '../../../lib/store/lease.ts';
import type { Table } from '../../../lib/store/table.ts';
import { newUsage } from '../../../lib/store/usage.ts';
import { openBucket } from '../../../lib/warehouse/bucket.ts';
import { exportSiteInTurn, exportWarehouse } from '../../../lib/warehouse/export.ts';
import { exportContext } from '../../../lib/warehouse/export-site.ts';
import type { WarehousePlace } from '../../../lib/warehouse/place.ts';
import { itAtLength } from '../../support/generators/depth.ts';
import { loadEvents } from '../../support/generators/history.ts';
import { folderObjects } from '../../support/service/folder-objects.ts';
import { run, withFolder } from '../../support/service/program.ts';
import { freshTable } from '../../support/service/table.ts';

const created = (key: string, day: string): CaseEvent => ({
  ...{ id: 'a', type: 'case.created', at: Date.parse(day) * 1000, case: key },
});

/** A context for exports of sites of a table, all of which are among `all`. */
function exporting(table: Table, all: readonly string[]) {
  const from = { table, clock: () => 1_800_000_000_000, newId: randomUUID, all };
  const contextOf = (name: string) => exportContext(from, { ...NEW_SITE, name, title: name, hosts: [] });
  return { from, contextOf };
}

/** Fails before one of its writes, as a process would that is killed. */
function dyingAt(place: WarehousePlace, last: number): WarehousePlace {
  let writes = 0;
  const counted = <T>(write: () => Promise<T>): Promise<T> => {
    if (writes === last) throw new Error('killed');
    writes += 1;
    return write();
  };
  return {
    ...place,
    put: async (path, file) => counted(() => place.put(path, file)),
    write: async (path, text) => counted(() => place.write(path, text)),
    remove: async (path) => counted(() => place.remove(path)),
  };
}

it('has Athena’s lists name one whole file for each site and month, wherever an export dies', () =>
  withFolder(async (folder) => {
    const table = await freshTable();
    const objects = folderObjects(folder);
    const place = () => openBucket(objects, 'facts', 'acme');
    const { from, contextOf } = exporting(table, ['one', 'two']);
    const contexts = [contextOf('one'), contextOf('two')];
    /** The lists and the files that they name, all of which must be there. */
    const lists = async (): Promise<Map<string, string>> => {
      const keys = await objects.list('acme/athena/');
      const all = await Promise.all(keys.map(async (key) => [key, (await objects.read(key))?.text ?? ''] as const));
      for (const [key, text] of all) {
        expect(text).toMatch(/^s3:\/\/facts\/acme\/\w+\/\w+\/[\w-]+\/[0-9a-f]+\.parquet\n$/);
        const [, , part] = key.split('/').slice(2);
        expect(await objects.find(text.trim().slice('s3://facts/'.length))).toBeDefined();
        if (part?.startsWith('month=')) expect(text).toContain(`/${part.slice('month='.length)}/`);
      }
      return new Map(all);
    };
    for (const context of contexts) await loadEvents(context, [created('1', '2026-01-05')]);
    await exportWarehouse(contexts, await place(), from);
    const before = await lists();
    expect([...before.keys()]).toContain('acme/athena/facts/site=one/month=2026-01/symlink.txt');
    expect([...before.keys()]).toContain('acme/athena/members/site=two/symlink.txt');
    for (const context of contexts) await loadEvents(context, [created('2', '2026-01-06'), created('3', '2026-02-06')]);
    for (let last = 0; ; last += 1) {
      const context = contexts.slice(last % 2, (last % 2) + 1); // the sites in turn: none harms the other
      const done = await exportWarehouse(context, dyingAt(await place(), last), from).catch(() => undefined);
      await lists();
      if (done !== undefined) break;
    }
    await exportWarehouse(contexts, await place(), from);
    const after = await lists();
    expect(after.size).toBeGreaterThan(before.size);
    const alone = { ...from, all: ['two'] };
    expect(await exportWarehouse([contextOf('two')], await place(), alone)).toMatchObject({
      done: { removed: ['one'] },
    });
    const left = await objects.list('acme/');
    expect(left.filter((key) => /one/.test(key))).toEqual([]);
    expect((await lists()).size).toBe(after.size / 2);
  }));

it('calls a site by its new title, with no other file', () =>
  withFolder(async (folder) => {
    const objects = folderObjects(folder);
    const { from, contextOf } = exporting(await freshTable(), ['one']);
    const context = contextOf('one');
    await loadEvents(context, [created('1', '2026-01-05')]);
    await exportWarehouse([context], await openBucket(objects, 'facts', ''), from);
    const renamed = { ...context, site: { ...context.site, title: 'Another\nname' } };
    const again = await exportWarehouse([renamed], await openBucket(objects, 'facts', ''), from);
    expect(again).toMatchObject({ done: { sites: [{ written: 1 }] } });
  }));

it('leaves a site alone whose manifest it cannot read, until that site is exported', () =>
  withFolder(async (folder) => {
    const objects = folderObjects(folder);
    const place = () => openBucket(objects, 'facts', '');
    const { from, contextOf } = exporting(await freshTable(), ['one', 'two']);
    const contexts = [contextOf('one'), contextOf('two')];
    for (const context of contexts) await loadEvents(context, [created('1', '2026-01-05')]);
    await exportWarehouse(contexts, await place(), from);
    const files = async () => (await objects.list('')).filter((key) => key.endsWith('.parquet')).sort();
    const before = await files();
    await (await place()).write('manifests/one.json', '{"format": 0}');
    expect(await exportWarehouse([contextOf('two')], await place(), from)).toMatchObject({ done: { removed: [] } });
    expect(await exportWarehouse(contexts, await place(), from)).toMatchObject({ done: { removed: [] } });
    expect(await files()).toEqual(before);
  }));

it('closes its place also where another export runs', () =>
  withFolder(async (folder) => {
    const table = await freshTable();
    const { from } = exporting(table, []);
    let closed = 0;
    const place = async (): Promise<WarehousePlace> => {
      const opened = await openBucket(folderObjects(folder), 'facts', '');
      return { ...opened, close: () => opened.close().finally(() => (closed += 1)) };
    };
    const other = { table, key: keys.warehouse(), owner: 'another', now: from.clock, length: 60_000 };
    await takeLease(other, FIRST_COME);
    expect(await exportWarehouse([], await place(), from)).toEqual({ wait: 60 });
    await releaseLease(other, FIRST_COME);
    expect(await exportWarehouse([], await place(), from)).toMatchObject({ done: { sites: [] } });
    expect(closed).toBe(2);
  }));

it('says that a bucket refuses', () =>
  withFolder(async (folder) => {
    const data = join(folder, 'data');
    await run(['site', 'add', 'acme', '--data-dir', data]);
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(403, { 'Content-Type': 'application/xml' });
      response.end('<Error><Code>AccessDenied</Code><Message>no</Message></Error>');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const keys = { AWS_ACCESS_KEY_ID: 'mine', AWS_SECRET_ACCESS_KEY: 'mine', AWS_REGION: 'eu-west-1' };
    const env = { ...keys, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` };
    const tried = await run(['warehouse', 'export', '--to', 's3://facts/acme', '--data-dir', data], { env });
    server.close();
    expect(tried).toMatchObject({ status: 1, out: '' });
    expect(tried.err).toMatch(/^s3:\/\/facts\/acme refuses these credentials: .*\.\n$/);
  }));

const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

(canMount ? itAtLength : it.skip)('keeps what a folder held when its disk is full', () =>
  withFolder(async (folder) => {
    const data = join(folder, 'data');
    const [disk, kept] = [join(folder, 'disk'), join(folder, 'kept')];
    for (const one of [disk, kept]) await mkdir(one);
    const line = (n: number): string =>
      `${JSON.stringify({ type: 'case.created', id: `a${n}`, at: '2026-01-05T10:00:00Z', case: randomUUID(), labels: [n + 1] })}\n`;
    const files = { few: 3, many: 4_000 };
    for (const [name, lines] of Object.entries(files))
      await writeFile(join(folder, name), Array.from({ length: lines }, (_, n) => line(n)).join(''));
    const support = `"${process.execPath}" bin/support.js`;
    const load = (name: string) =>
      `${support} import ${join(folder, name)} --site acme --format ndjson --data-dir ${data}`;
    const exported = `${support} warehouse export --to ${disk}/w --data-dir ${data}`;
    const script = [
      `mount -t tmpfs -o size=200k tmpfs ${disk}`,
      `${support} site add acme --data-dir ${data}`,
      load('few'),
      exported,
      `cp -r ${disk}/w ${kept}/before`,
      load('many'),
      `(${exported}; echo "status $?")`,
      `cp -r ${disk}/w ${kept}/after`,
    ].join(' && ');
    const { stdout, stderr } = await promisify(execFile)('unshare', ['-rm', 'sh', '-c', script]);
    expect(stdout).toMatch(/status 1\n$/);
    expect(stderr).toContain(`${disk}/w has no room left.`);
    const { files: counted } = JSON.parse(await readFile(join(kept, 'before/manifests/acme.json'), 'utf8'));
    for (const name of ['manifests/acme.json', ...Object.values<{ path: string }>(counted).map(({ path }) => path)])
      expect(await readFile(join(kept, 'after', name))).toEqual(await readFile(join(kept, 'before', name)));
  }),
);

it('exports sites side by side, each with the same reads and writes however many there are', () =>
  withFolder(async (folder) => {
    const table = await freshTable();
    const names = Array.from({ length: 12 }, (_, n) => `site-${n}`);
    const { from, contextOf } = exporting(table, names);
    const objects = folderObjects(folder);
    /** The calls to the bucket and the trips to the table of a site's export. */
    const callsOf = async (name: string): Promise<number> => {
      let calls = 0;
      const place = await openBucket(objects, 'facts', '');
      const counted = new Proxy(place, {
        get: (target, name, receiver) => {
          calls += 1;
          return Reflect.get(target, name, receiver);
        },
      });
      const usage = newUsage();
      const context = { ...contextOf(name), table: table.metered(usage) };
      expect(await exportSiteInTurn(context, counted)).toMatchObject({ done: { site: name } });
      return calls + usage.trips;
    };
    for (const name of names) await loadEvents(contextOf(name), [created('1', '2026-01-05')]);
    const alone = await callsOf('site-0');
    const together = await Promise.all(names.slice(1).map(callsOf));
    expect(together).toEqual(names.slice(1).map(() => alone));
    expect([...(await objects.list('views/'))].sort()).toEqual(names.map((name) => `views/${name}.sql`).sort());
    expect(await objects.read('views.sql')).toBeUndefined();
    const left = { ...from, all: names.slice(1) };
    expect(await exportWarehouse([], await openBucket(objects, 'facts', ''), left)).toMatchObject({
      done: { removed: ['site-0'] },
    });
    const text = (await objects.read('views.sql'))?.text ?? '';
    expect([text.includes('/facts/site-1/'), text.includes('/facts/site-0/')]).toEqual([true, false]);
    expect((await objects.list('')).filter((key) => /site-0\b/.test(key))).toEqual([]);
  }));

it('exports a site once at a time', () =>
  withFolder(async (folder) => {
    const { from, contextOf } = exporting(await freshTable(), ['one']);
    const objects = folderObjects(folder);
    const other = { ...from, key: keys.warehouse('one'), owner: 'another', now: from.clock, length: 60_000 };
    await takeLease(other, FIRST_COME);
    expect(await exportSiteInTurn(contextOf('one'), await openBucket(objects, 'facts', ''))).toEqual({ wait: 60 });
    const all = exportWarehouse([contextOf('one')], await openBucket(objects, 'facts', ''), from);
    expect(await all).toEqual({ wait: 60 });
  }));

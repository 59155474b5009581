import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { NEW_SITE } from '../../../lib/access/site-fields.ts';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { keys } from '../../../lib/store/keys.ts';
import { FIRST_COME, takeLease } from '../../../lib/store/lease.ts';
import { newUsage } from '../../../lib/store/usage.ts';
import { exportWarehouse } from '../../../lib/warehouse/export.ts';
import { exportContext, exportSiteFiles } from '../../../lib/warehouse/export-site.ts';
import { openFolder } from '../../../lib/warehouse/folder.ts';
import type { WarehousePlace } from '../../../lib/warehouse/place.ts';
import { loadEvents } from '../../support/generators/history.ts';
import { command } from '../../support/service/command.ts';
import { importRecords } from '../../support/service/import.ts';
import { withFolder } from '../../support/service/program.ts';
import { freshTable } from '../../support/service/table.ts';

const RECORDS = [
  { type: 'agent', id: 3, name: 'Ann\nBell', groups: [1] },
  { type: 'group', id: 1, name: 'First line' },
  { type: 'custom_field', id: 11, name: 'case_id', object: 'case' },
  {
    type: 'case.created',
    id: 'a',
    at: '2026-01-05T10:00:00Z',
    case: 1,
    custom_fields: { 11: 'gold\nplan' },
    labels: [5],
  },
  { type: 'interaction', id: 'b', at: '2026-01-05T10:00:00.5Z', case: 1, direction: 'inbound' },
  { type: 'interaction', id: 'c', at: '2026-01-05T11:00:00Z', case: 1, direction: 'outbound', agent: 3, group: 1 },
  { type: 'case.status', id: 'd', at: '2026-02-06T10:00:00Z', case: 1, to: 'resolved', agent: 3 },
  { type: 'case.created', id: 'a', at: '2026-02-07T10:00:00Z', case: 'INC-2' },
];

interface Exported {
  readonly sites: readonly {
    readonly site: string;
    readonly files: number;
    readonly written: number;
    readonly rows: object;
  }[];
  readonly removed: readonly string[];
}

/** A data folder with a site, and a folder for its warehouse. */
async function withSite(
  work: (at: {
    readonly support: (args: string) => ReturnType<typeof command>;
    readonly load: (records: readonly object[]) => Promise<void>;
    readonly exported: () => Promise<Exported>;
    readonly to: string;
  }) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const to = join(folder, 'warehouse');
    const support = (args: string) => command([...args.split(' '), '--data-dir', join(folder, 'data')]);
    const load = async (records: readonly object[]): Promise<void> => {
      const file = join(folder, 'records.ndjson');
      await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      expect(await support(`import ${file} --site acme --format ndjson`)).toMatchObject({ status: 0 });
    };
    const exported = async (): Promise<Exported> => {
      const { status, out, err } = await support(`warehouse export --to ${to} --json`);
      expect([status, err]).toEqual([0, '']);
      return JSON.parse(out);
    };
    await support('site add acme --default --time-zone Europe/Berlin');
    await load(RECORDS);
    await work({ support, load, exported, to });
  });
}

/** A place that fails at a write after a number of writes, as a process would that is killed. */
function dyingAfter(place: WarehousePlace, writes: number): WarehousePlace {
  let left = writes;
  const next = <T>(write: () => Promise<T>): Promise<T> => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    return write();
  };
  return {
    ...place,
    put: async (path, file) => next(() => place.put(path, file)),
    write: async (path, text) => next(() => place.write(path, text)),
    remove: async (path) => next(() => place.remove(path)),
    close: async () => undefined,
  };
}

/** Asks the tables of a warehouse, or those of a site with its reports, as DuckDB's own program does by `.read views.sql`. */
async function ask(to: string, question: string, file = 'views.sql'): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(await readFile(join(to, file), 'utf8'));
  const rows = (await connection.runAndReadAll(question)).getRowObjectsJson();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

const REPORTS = 'views/acme.sql';

const filesIn = (to: string): string[] =>
  readdirSync(to, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.parquet'))
    .sort();

it('writes a site as files that views answer reports from, and only what has changed the next time', () =>
  withSite(async ({ load, exported, to }) => {
    const first = await exported();
    expect(first.sites).toMatchObject([
      { site: 'acme', rows: { facts: 8, cases: 2, events: 5, members: 4, sites: 1 } },
    ]);
    expect(first.sites[0]?.written).toBe(first.sites[0]?.files);
    const responses = `SELECT site, window_start::DATE::VARCHAR AS month, member, value FROM report_time_to_first_response
      WHERE size = 'month' AND dimension = 'action_agent'`;
    expect(await ask(to, responses, REPORTS)).toEqual([
      { site: 'acme', month: expect.any(String), member: '3', value: 3600 },
    ]);
    const open = `SELECT value::INTEGER AS n FROM report_open_cases
      WHERE size = 'month' AND dimension = '' ORDER BY window_start LIMIT 2`;
    expect(await ask(to, open, REPORTS)).toMatchObject([{ n: 1 }, { n: 1 }]); // case 1 in January, INC-2 in February
    const now = `SELECT case_id, status, labels, custom_fields, first_response_seconds, resolves, resolution_seconds FROM cases ORDER BY case_id`;
    expect(await ask(to, now)).toEqual([
      {
        ...{ case_id: '1', status: 'resolved', labels: ['5'], first_response_seconds: '3600', resolves: '1' },
        ...{ custom_fields: [{ key: '11', value: 'gold\nplan' }], resolution_seconds: String(32 * 86_400) },
      },
      {
        ...{ case_id: 'INC-2', status: 'new', labels: [], first_response_seconds: null, resolves: '0' },
        ...{ custom_fields: [], resolution_seconds: null },
      },
    ]);
    expect(await ask(to, `SELECT name FROM members WHERE kind = 'agent'`)).toEqual([{ name: 'Ann\nBell' }]);
    expect(await ask(to, `SELECT detail FROM events WHERE id = 'd'`)).toEqual([{ detail: '{"to":"resolved"}' }]);

    const before = filesIn(to);
    expect((await exported()).sites[0]?.written).toBe(1); // the row of the site, which says when it was exported
    await load([{ type: 'case.created', id: 'a', at: '2026-03-01T10:00:00Z', case: 9 }]);
    expect((await exported()).sites[0]?.written).toBe(4); // facts, cases and events of March, and that row
    expect(
      filesIn(to)
        .filter((name) => !before.includes(name))
        .map((name) => name.split('/')[2]),
    ).toEqual(expect.arrayContaining(['2026-03', '2026-03', '2026-03', 'all']));
  }));

it('takes erased people and removed sites out, and what an export left that was killed', () =>
  withSite(async ({ support, exported, to }) => {
    await support('site add other');
    await exported();
    await writeFile(join(to, 'facts/acme/2026-01/0000000000000000.parquet'), 'half a file');
    await rm(join(to, 'views.sql'));
    await rm(join(to, REPORTS));
    await support('erase --site acme --agent 3 --yes');
    await support('site remove other --yes');
    expect((await exported()).removed).toEqual(['other']);
    expect(filesIn(to).some((name) => name.includes('other') || name.includes('0000000000000000'))).toBe(false);
    expect(JSON.stringify(await ask(to, 'FROM members'))).not.toContain('Ann');
    for (const name of filesIn(to)) expect((await readFile(join(to, name))).includes('Ann')).toBe(false);
    expect(await ask(to, 'SELECT count(*)::INTEGER AS n FROM cases')).toEqual([{ n: 2 }]);
  }));

it('leaves the files of the last export whole when it dies before any of its writes, and refuses a second one', async () => {
  await withFolder(async (folder) => {
    const table = await freshTable();
    let now = 1_800_000_000_000;
    const from = { table, clock: () => now, newId: randomUUID, all: ['acme'] };
    const context = exportContext(from, { ...NEW_SITE, name: 'acme', title: 'Acme', hosts: [] });
    const created = (key: string, day: string): CaseEvent => ({
      ...{ id: 'a', type: 'case.created', at: Date.parse(day) * 1000, case: key },
    });
    const add = (events: readonly CaseEvent[]) => loadEvents(context, events);
    const CREATED = "SELECT count(*)::INTEGER AS n FROM facts WHERE kind = 'created'";
    const counts = async () => [...(await ask(folder, CREATED)), ...(await ask(folder, CREATED, REPORTS))];
    await add([created('1', '2026-01-05')]);
    await exportWarehouse([context], await openFolder(folder), from);
    await add([created('4', '2026-01-07')]); // its files replace others, which are removed an hour later
    await exportWarehouse([context], await openFolder(folder), from);
    now += 3_600_000;
    const before = filesIn(folder);
    await add([created('2', '2026-01-06'), created('3', '2026-02-06')]);
    let died = 0;
    for (let writes = 0; ; writes += 1) {
      const outcome = await exportWarehouse([context], dyingAfter(await openFolder(folder), writes), from).catch(
        () => undefined,
      );
      if (outcome !== undefined) break;
      died += 1;
      for (const count of await counts()) expect([{ n: 2 }, { n: 4 }]).toContainEqual(count);
    }
    expect(died).toBeGreaterThan(6);
    expect(await counts()).toEqual([{ n: 4 }, { n: 4 }]);
    expect(before.every((name) => filesIn(folder).includes(name))).toBe(false);
    await takeLease({ ...from, key: keys.warehouse(), owner: 'another', now: from.clock, length: 60_000 }, FIRST_COME);
    expect(await exportWarehouse([context], await openFolder(folder), from)).toEqual({ wait: 60 });
  });
});

it('counts a promise that nobody keeps from the second on at which it breaks, and reads an unchanged history once', () =>
  withFolder(async (folder) => {
    const table = await freshTable();
    const site = { ...NEW_SITE, name: 'acme', title: 'Acme', hosts: [] };
    const policy = {
      type: 'sla_policy',
      id: 3,
      name: 'All',
      targets: [{ metric: 'first_response', seconds: 30 * 86_400 }],
    };
    const { rejected } = await importRecords(table, site, [
      policy,
      { type: 'case.created', id: 'a', at: '2026-01-05T10:00:00Z', case: 1 },
      { type: 'interaction', id: 'b', at: '2026-01-05T10:00:00Z', case: 1, direction: 'inbound' },
    ]);
    expect(rejected).toEqual([]);
    const exported = async (day: string) => {
      const from = { table, clock: () => Date.parse(day), newId: randomUUID, all: ['acme'] };
      const usage = newUsage();
      const place = await openFolder(folder);
      const context = exportContext({ ...from, table: table.metered(usage) }, site);
      const { written } = await exportSiteFiles(context, place, await place.scratch());
      const { trips } = usage;
      await exportWarehouse([context], place, from);
      const late = `SELECT sum(value)::INTEGER AS n FROM report_sla_first_response_missed
        WHERE size = 'none' AND dimension = ''`;
      return { written, trips, late: await ask(folder, late, REPORTS) };
    };
    const first = await exported('2026-02-04T10:00:00Z');
    const breaks = await ask(
      folder,
      `SELECT epoch(f."at")::INTEGER AS second FROM verdicts f WHERE kind LIKE 'late_%'`,
    );
    expect(breaks).toEqual([{ second: Date.parse('2026-02-04T10:00:01Z') / 1000 }]);
    const [again, later] = [await exported('2026-02-04T10:00:01Z'), await exported('2026-02-04T10:00:02Z')];
    expect([first.late, again.late, later.late]).toEqual([[{ n: null }], [{ n: null }], [{ n: 1 }]]);
    expect([again.written, later.written]).toEqual([1, 1]);
    expect(later.trips).toBe(again.trips);
    expect(later.trips).toBeLessThan(first.trips);
  }));

it('tells in one sentence why a place cannot be written', () =>
  withSite(async ({ support, to }) => {
    await writeFile(to, 'a file');
    const tried = await support(`warehouse export --to ${to}`);
    expect(tried).toMatchObject({ status: 1, err: expect.stringMatching(/is no folder\.\n$/) });
    expect(await support('warehouse export --to s3://A')).toMatchObject({ status: 2 });
  }));

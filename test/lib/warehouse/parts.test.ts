import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { NEW_SITE } from '../../../lib/access/site-fields.ts';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { compact } from '../../../lib/history/compact.ts';
import { eraseHistory } from '../../../lib/history/erase.ts';
import { recordErased } from '../../../lib/history/erasures.ts';
import { openBucket } from '../../../lib/warehouse/bucket.ts';
import { exportSiteInTurn, exportWarehouse } from '../../../lib/warehouse/export.ts';
import { type ExportContext, exportContext } from '../../../lib/warehouse/export-site.ts';
import { openFolder } from '../../../lib/warehouse/folder.ts';
import { parseManifest } from '../../../lib/warehouse/manifest.ts';
import { historyParts } from '../../../lib/warehouse/parts.ts';
import type { WarehousePlace } from '../../../lib/warehouse/place.ts';
import { tries } from '../../support/generators/depth.ts';
import { loadEvents, manyEvents } from '../../support/generators/history.ts';
import { folderObjects } from '../../support/service/folder-objects.ts';
import { withFolder } from '../../support/service/program.ts';
import { freshTable } from '../../support/service/table.ts';

const SEGMENT_WEIGHT = 2_000; // of small settled segments
const PART_FACTS = 1_000;

/** A site with a history in many settled segments, whose exports have small parts. */
async function settledSite(events: readonly CaseEvent[]) {
  const from = { table: await freshTable(), clock: () => 1_800_000_000_000, newId: randomUUID, all: ['acme'] };
  const site = { ...NEW_SITE, name: 'acme', title: 'Acme', hosts: [] };
  const context: ExportContext = { ...exportContext(from, site), partFacts: PART_FACTS };
  await loadEvents(context, events);
  await compact(context, { segmentWeight: SEGMENT_WEIGHT });
  const exportTo = (place: WarehousePlace) => exportWarehouse([context], place, from);
  return { context, exportTo };
}

const manifestIn = async (folder: string) => {
  const manifest = parseManifest(await readFile(join(folder, 'manifests/acme.json'), 'utf8'));
  if (manifest === undefined) throw new Error('no manifest');
  return manifest;
};

/** The answer of DuckDB to a question to the tables of a folder. */
async function ask(folder: string, question: string): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const sql = await readFile(join(folder, 'views.sql'), 'utf8');
  await connection.run(sql.slice(0, sql.indexOf('CREATE OR REPLACE VIEW asked')));
  const rows = (await connection.runAndReadAll(question)).getRowObjectsJson();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

const COUNTS = `SELECT (SELECT count(*) FROM cases) AS cases, (SELECT count(DISTINCT case_id) FROM cases) AS once,
  (SELECT count(*) FROM facts) AS facts, (SELECT count(*) FROM (SELECT DISTINCT case_id, kind, n FROM facts)) AS distinct_facts`;

const EVENTS = manyEvents();

it('cuts a history into parts by halving time, so that a segment more changes one part alone', () => {
  const segment = fc.record({
    second: fc.integer({ min: 0, max: 2_000_000_000 }),
    facts: fc.integer({ min: 1, max: 100 }),
  });
  const history = fc.uniqueArray(segment, { maxLength: 60, selector: ({ second }) => second });
  const settledOf = (all: readonly { readonly second: number; readonly facts: number }[]) =>
    all.map((one) => ({ ...one, name: `s${one.second}`, state: `s${one.second}` }));
  const partsOf = (all: Parameters<typeof settledOf>[0]) =>
    historyParts({ settled: settledOf(all), fresh: [], some: async function* () {} }, 100);
  fc.assert(
    fc.property(history, segment, (all, more) => {
      const parts = partsOf(all);
      const states = parts.flatMap((part) => part.states);
      expect([...states].sort()).toEqual(
        settledOf(all)
          .map(({ state }) => state)
          .sort(),
      );
      expect(partsOf([...all].reverse())).toMatchObject(parts.map(({ name, states: of }) => ({ name, states: of })));
      const factsOf = new Map(settledOf(all).map(({ state, facts }) => [state, facts]));
      for (const { states: of } of parts)
        if (of.length > 1)
          expect(of.reduce((sum, state) => sum + (factsOf.get(state) ?? 0), 0)).toBeLessThanOrEqual(100);
      fc.pre(all.every(({ second }) => second !== more.second));
      const known = new Set(partsOf([...all, more]).map(({ name, states: of }) => `${name} ${of.join()}`));
      const changed = parts.filter(({ name, states: of }) => !known.has(`${name} ${of.join()}`));
      expect(changed.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: tries(400) },
  );
});

it('has each case in one part, and reads and writes again only the parts in which something changed', () =>
  withFolder(async (folder) => {
    const { context, exportTo } = await settledSite(EVENTS);
    await exportTo(await openFolder(folder));
    const before = await manifestIn(folder);
    expect(Object.keys(before.parts).length).toBeGreaterThan(3);
    const [counts] = (await ask(folder, COUNTS)) as Record<string, string>[];
    expect(counts).toMatchObject({ cases: counts?.once, facts: counts?.distinct_facts });
    expect(Number(counts?.cases)).toBe(300);
    await loadEvents(context, [
      { id: 'more', type: 'case.status', at: 1_760_000_000_000_000, case: '7', to: 'closed' },
    ]);
    await exportTo(await openFolder(folder));
    const after = await manifestIn(folder);
    const changed = Object.keys(before.parts).filter((name) => before.parts[name] !== after.parts[name]);
    expect([changed.length, changed.includes('events')]).toEqual([2, true]); // the part in which the case was
    expect(Object.keys(after.parts)).toContain('fresh');
    const kept = Object.entries(before.files).filter(([name, { path }]) => after.files[name]?.path === path);
    expect(kept.length).toBeGreaterThan(Object.keys(before.files).length / 2);
    const [again] = (await ask(folder, COUNTS)) as Record<string, string>[];
    expect(again).toMatchObject({ cases: '300', once: '300', facts: again?.distinct_facts });
  }));

it('goes on after an export that was killed at any write, and puts no file twice', () =>
  withFolder(async (folder) => {
    const { context, exportTo } = await settledSite(EVENTS);
    await exportTo(await openFolder(folder));
    const [first] = await ask(folder, COUNTS);
    await loadEvents(context, [
      ...EVENTS.slice(0, 40).map((event) => ({ ...event, id: `${event.id} again`, at: event.at + 3_600_000_000 })),
      { id: 'new', type: 'case.created', at: 1_700_000_000_000_000, case: 'new' },
    ]);
    await compact(context, { segmentWeight: SEGMENT_WEIGHT });
    const puts: string[] = [];
    const seen = new Set<string>();
    let died = 0;
    for (;;) {
      const place = await openFolder(folder);
      let left = 9; // files a run
      const dying: WarehousePlace = {
        ...place,
        put: async (path, file) => {
          if (left === 0) throw new Error('killed');
          left -= 1;
          puts.push(path);
          return place.put(path, file);
        },
      };
      const done = await exportTo(dying).catch(() => undefined);
      seen.add(JSON.stringify(await ask(folder, COUNTS)));
      if (done !== undefined) break;
      died += 1;
      expect(died).toBeLessThan(50);
    }
    expect(died).toBeGreaterThan(3);
    const [last] = await ask(folder, COUNTS);
    expect([...seen].sort()).toEqual([JSON.stringify([first]), JSON.stringify([last])].sort());
    expect(last).not.toEqual(first);
    expect(puts.length).toBe(new Set(puts).size);
  }));

it('writes equal files for equal histories, in whatever order they came', () =>
  withFolder(async (folder) => {
    const orders = [EVENTS, [...EVENTS].reverse()];
    const paths = [];
    for (const [place, events] of orders.entries()) {
      const { exportTo } = await settledSite(events);
      await exportTo(await openFolder(join(folder, String(place))));
      const { files } = await manifestIn(join(folder, String(place)));
      paths.push(
        Object.entries(files).flatMap(([name, { path }]) => (/^(facts|cases)/.test(name) ? [[name, path]] : [])),
      );
    }
    expect(paths[0]?.length).toBeGreaterThan(20);
    expect(paths[0]?.sort()).toEqual(paths[1]?.sort());
  }));

it('takes an erased case out of every part with one export', () =>
  withFolder(async (folder) => {
    const { context, exportTo } = await settledSite(
      EVENTS.map((event) => ({ ...event, case: `Jane Doe ${event.case}` })),
    );
    await exportTo(await openFolder(folder));
    const named = `SELECT (SELECT count(*) FROM facts WHERE case_id = 'Jane Doe 7') > 0 AS facts,
      (SELECT count(*) FROM cases WHERE case_id = 'Jane Doe 7') > 0 AS cases, (SELECT count(*) FROM cases) AS all_cases`;
    expect(await ask(folder, named)).toEqual([{ facts: true, cases: true, all_cases: '300' }]);
    await eraseHistory(context, await recordErased(context, [{ kind: 'case', name: 'Jane Doe 7' }]), []);
    await exportTo(await openFolder(folder));
    expect(await ask(folder, named)).toEqual([{ facts: false, cases: false, all_cases: '299' }]);
    const { files } = await manifestIn(folder);
    const paths = await (await openFolder(folder)).list('');
    expect(paths.filter((path) => path.endsWith('.parquet')).sort()).toEqual(
      Object.values(files)
        .map(({ path }) => path)
        .sort(),
    );
  }));

it('has Athena’s list of a month name the files of all parts', () =>
  withFolder(async (folder) => {
    const { context } = await settledSite(EVENTS);
    const objects = folderObjects(folder);
    await loadEvents(context, [
      { id: 'more', type: 'case.status', at: 1_760_000_000_000_000, case: '7', to: 'closed' },
    ]);
    await exportSiteInTurn(context, await openBucket(objects, 'facts', ''));
    const manifest = parseManifest((await objects.read('manifests/acme.json'))?.text);
    const listed = new Set<string>();
    let several = 0;
    for (const key of await objects.list('athena/')) {
      const lines = ((await objects.read(key))?.text ?? '').trim().split('\n');
      several += lines.length > 1 ? 1 : 0;
      for (const line of lines) listed.add(line.slice('s3://facts/'.length));
    }
    expect(several).toBeGreaterThan(3);
    expect([...listed].sort()).toEqual(
      Object.values(manifest?.files ?? {})
        .map(({ path }) => path)
        .sort(),
    );
  }));

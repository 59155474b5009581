import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { NEW_SITE } from '../../../lib/access/site-fields.ts';
import { certain } from '../../../lib/certain.ts';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { caseSubject, shardOf } from '../../../lib/history/cases/subject.ts';
import { compact } from '../../../lib/history/compact.ts';
import { eraseHistory } from '../../../lib/history/erase.ts';
import { recordErased } from '../../../lib/history/erasures.ts';
import type { HistoryCut } from '../../../lib/history/read.ts';
import type { Run, Shard } from '../../../lib/history/storage/directory.ts';
import { VERDICT_KINDS } from '../../../lib/insights/definitions/verdicts.ts';
import { openBucket } from '../../../lib/warehouse/bucket.ts';
import { eventParts, isOfEvents } from '../../../lib/warehouse/event-parts.ts';
import { exportSiteInTurn, exportWarehouse } from '../../../lib/warehouse/export.ts';
import { type ExportContext, exportContext } from '../../../lib/warehouse/export-site.ts';
import { openFolder } from '../../../lib/warehouse/folder.ts';
import { parseManifest } from '../../../lib/warehouse/manifest.ts';
import { type NewPart, planExport } from '../../../lib/warehouse/parts.ts';
import type { WarehousePlace } from '../../../lib/warehouse/place.ts';
import { tries } from '../../support/generators/depth.ts';
import { loadEvents, manyEvents } from '../../support/generators/history.ts';
import { folderObjects } from '../../support/service/folder-objects.ts';
import { importRecords } from '../../support/service/import.ts';
import { withFolder } from '../../support/service/program.ts';
import { freshTable } from '../../support/service/table.ts';

const SEGMENT_WEIGHT = 2_000; // of small settled segments
const PART_FACTS = 1_000;

/** A site with a history in many settled segments, whose exports have small parts. */
async function settledSite(events: readonly CaseEvent[], partFacts = PART_FACTS) {
  const time = { now: 1_800_000_000_000 };
  const from = { table: await freshTable(), clock: () => time.now, newId: randomUUID, all: ['acme'] };
  const site = { ...NEW_SITE, name: 'acme', title: 'Acme', hosts: [] };
  const context: ExportContext = { ...exportContext(from, site), partFacts };
  await loadEvents(context, events);
  await compact(context, { segmentWeight: SEGMENT_WEIGHT });
  const exportTo = (place: WarehousePlace) => exportWarehouse([context], place, from);
  return { context, exportTo, time };
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

/** A cut of made-up settled segments, of which nothing is replaced. */
const cutOf = (all: readonly { readonly second: number; readonly facts: number }[]): HistoryCut => ({
  name: 'h',
  segments: all.map(({ second, facts }) => ({
    ...{ id: second, kind: 'cases', rows: facts, facts, settled: true, born: 0 },
    low: { second, hash: 0 },
  })),
  some: async function* () {},
  replaced: () => new Map(),
});

it('cuts a history into parts by halving time, so that equal histories have equal parts, and keeps those that stand', () => {
  const segment = fc.record({
    second: fc.integer({ min: 0, max: 2_000_000_000 }),
    facts: fc.integer({ min: 1, max: 100 }),
  });
  const history = fc.uniqueArray(segment, { maxLength: 60, selector: ({ second }) => second });
  const wanted = { state: 's', erased: 0, most: 100 };
  const idsOf = (segments: readonly { readonly id: number }[]) => segments.map(({ id }) => id);
  const plainOf = (parts: readonly NewPart[]) => parts.map(({ name, segments }) => ({ name, ids: idsOf(segments) }));
  fc.assert(
    fc.property(history, segment, (all, more) => {
      const { wanted: parts } = planExport(cutOf(all), new Map(), wanted);
      expect(parts.flatMap(({ segments }) => idsOf(segments)).sort((a, b) => a - b)).toEqual(
        all.map(({ second }) => second).sort((a, b) => a - b),
      );
      expect(plainOf(planExport(cutOf([...all].reverse()), new Map(), wanted).wanted)).toEqual(plainOf(parts));
      for (const { segments } of parts)
        if (segments.length > 1) expect(segments.reduce((sum, { facts }) => sum + facts, 0)).toBeLessThanOrEqual(100);
      fc.pre(all.every(({ second }) => second !== more.second));
      const stored = new Map(
        parts.map(({ name, segments }) => {
          const part = {
            ...{ state: 's', promises: '' },
            version: 1,
            segments: segments.map(({ id, rows }): [number, number] => [id, rows]),
          };
          return [name, part];
        }),
      );
      const next = planExport(cutOf([...all, more]), stored, wanted);
      expect([...next.kept.keys()].sort()).toEqual(parts.map(({ name }) => name).sort());
      expect(next.wanted.map(({ segments }) => idsOf(segments))).toEqual([[more.second]]);
      expect(next.replaced).toEqual({ cases: new Map(), segments: [] });
    }),
    { numRuns: tries(400) },
  );
});

it('writes a case of last year that changes into one fresh part, and names it in the place of its rows', () =>
  withFolder(async (folder) => {
    const { context, exportTo } = await settledSite(EVENTS);
    await exportTo(await openFolder(folder));
    const before = await manifestIn(folder);
    expect(Object.keys(before.parts).length).toBeGreaterThan(5);
    const [counts] = (await ask(folder, COUNTS)) as Record<string, string>[];
    expect(counts).toMatchObject({ cases: '300', once: '300', facts: counts?.distinct_facts });
    await loadEvents(context, [
      { id: 'more', type: 'case.status', at: 1_760_000_000_000_000, case: '7', to: 'closed' },
    ]);
    const written: string[] = [];
    const place = await openFolder(folder);
    const put = (path: string, file: string) => place.put(path, file).then(() => void written.push(path));
    await exportTo({ ...place, put });
    const after = await manifestIn(folder);
    const fresh = Object.keys(after.parts).filter((name) => !isOfEvents(name) && before.parts[name] === undefined);
    expect(fresh).toEqual([expect.stringMatching(/^fresh-/)]);
    for (const [name, part] of Object.entries(before.parts))
      if (!isOfEvents(name)) expect(after.parts[name]).toEqual(part);
    const named = new Set(
      Object.entries(after.files).flatMap(([name, { path }]) =>
        fresh.some((part) => name.endsWith(part)) ? [path] : [],
      ),
    );
    expect(written.filter((path) => /^(facts|cases)/.test(path)).sort()).toEqual([...named].sort());
    const replaced = await ask(folder, 'SELECT case_id, segment FROM replaced');
    expect(replaced).toEqual([{ case_id: '7', segment: null }]);
    const [again] = (await ask(folder, COUNTS)) as Record<string, string>[];
    expect(again).toMatchObject({ cases: '300', once: '300', facts: again?.distinct_facts });
    expect(await ask(folder, "SELECT status FROM cases WHERE case_id = '7'")).toEqual([{ status: 'closed' }]);
  }));

/** Every row of facts and cases that counts, without where it lies. */
const rowsIn = async (folder: string): Promise<unknown[]> => {
  const columns = '* EXCLUDE (born, segment)';
  const rows = ['facts', 'cases'].map((table) => ask(folder, `SELECT ${columns} FROM ${table} ORDER BY ALL`));
  return Promise.all(rows);
};

it('has after any changes, folds and exports the rows that an export into a new place has', () =>
  withFolder(async (folder) => {
    const { context, exportTo } = await settledSite(EVENTS.slice(0, 1_500));
    const place = join(folder, 'kept');
    const random = fc.sample(fc.integer({ min: 0, max: 2 ** 30 }), { numRuns: Math.max(3, tries(24)), seed: 49 });
    let names = 0;
    let kept = 0;
    for (const [turn, number] of random.entries()) {
      await loadEvents(context, changesOf(number, turn));
      if (number % 5 === 0) await compact(context, { segmentWeight: SEGMENT_WEIGHT });
      if (number % 11 === 0)
        await eraseHistory(context, await recordErased(context, [{ kind: 'case', name: String(number % 300) }]), []);
      const before = await manifestIn(place).catch(() => undefined);
      await exportTo(await openFolder(place));
      await exportTo(await openFolder(join(folder, `whole-${turn}`)));
      expect(await rowsIn(place)).toEqual(await rowsIn(join(folder, `whole-${turn}`)));
      const after = await manifestIn(place);
      names += after.files['replaced/all']?.rows ?? 0;
      kept += Object.keys(after.parts).filter((name) => !isOfEvents(name) && before?.parts[name] !== undefined).length;
    }
    expect(names).toBeGreaterThan(random.length);
    expect(kept).toBeGreaterThan(random.length);
  }));

/** Many events of cases of one shard of the ledger, so that it has leaves beside its runs. */
function eventsOfShard(count: number): CaseEvent[] {
  const keys = Array.from({ length: 2_000 }, (_, key) => String(key)).filter((key) => shardOf(caseSubject(key)) === 0);
  return Array.from({ length: count }, (_, at): CaseEvent => {
    const base = { id: `s${at}`, at: (1_700_000_000 + 900 * at) * 1_000_000, case: certain(keys[at % keys.length]) };
    return at % 9 === 0 ? { ...base, type: 'case.status', to: 'closed' } : { ...base, ...MESSAGE };
  });
}

const MESSAGE = { type: 'interaction', direction: 'inbound' } as const;

it('keeps parts of events whose leaves or older runs are as they were', () => {
  const blobs = (count: number, from: number): Run[] =>
    Array.from({ length: count }, (_, at) => ({ id: from + at, parts: 1, from: 0, to: 1, events: 4_000 }));
  const shards = (...runs: number[]): Shard[] =>
    runs.map((count, at) => ({ version: 1, leaves: blobs(60, 1_000 * at), runs: blobs(count, 1_000 * at + 500) }));
  const named = (of: readonly Shard[]): string[] => eventParts('a history', of).map(({ name }) => name);
  const before = named(shards(9, 6));
  expect(before).toHaveLength(4); // the leaves, and four runs of each shard at a time
  const after = named(shards(10, 7));
  expect(after.map((name) => before.includes(name))).toEqual([true, true, false, false]);
  const moreShards = Array.from({ length: 64 }, () => 1); // too many events for a part
  expect(named(shards(...moreShards)).length).toBe(16); // eight times 1.95 million
  const seen = eventParts('a history', shards(9, 6)).flatMap((part) =>
    part.shards.flatMap((shard) => shard[part.kind].map(({ id }) => id)),
  );
  const all = shards(9, 6).flatMap(({ leaves, runs }) => [...leaves, ...runs].map(({ id }) => id));
  expect(seen.sort((x, y) => x - y)).toEqual(all.sort((x, y) => x - y));
});

it('writes of events those in runs of the ledger, until the ledger settles them', () =>
  withFolder(async (folder) => {
    const all = [...EVENTS.slice(0, 500), ...eventsOfShard(9_000)];
    const { context, exportTo } = await settledSite(all, 1_000_000);
    const exported = async () => {
      const opened = await openFolder(folder);
      const puts: string[] = [];
      const put = (path: string, file: string) => opened.put(path, file).then(() => void puts.push(path));
      await exportTo({ ...opened, put });
      const { parts, files } = await manifestIn(folder);
      const written = Object.entries(files).filter(
        ([name, { path }]) => name.startsWith('events/') && puts.includes(path),
      );
      const rows = written.reduce((sum, [, file]) => sum + file.rows, 0);
      return { parts: Object.keys(parts).filter(isOfEvents), rows };
    };
    const first = await exported();
    expect(first).toEqual({ parts: [expect.any(String), expect.any(String)], rows: 9_500 });
    const settled: number[] = [];
    for (let turn = 1; turn <= 6; turn += 1) {
      const more = eventsOfShard(9_000 + 1_200 * turn).slice(9_000 + 1_200 * (turn - 1));
      all.push(...more);
      await loadEvents(context, more);
      const { parts, rows } = await exported();
      if (parts.includes(certain(first.parts[0]))) expect(rows).toBeLessThanOrEqual(1_200 * turn + 500);
      else settled.push(turn);
    }
    expect(settled).toEqual([4, 5, 6]);
    const asked = 'SELECT id, case_id, type, epoch_us("at")::VARCHAR AS at FROM events ORDER BY id';
    const made = all.map(({ id, case: key, type, at }) => ({ id, case_id: String(key), type, at: String(at) }));
    expect(await ask(folder, asked)).toEqual(made.sort((a, b) => (a.id < b.id ? -1 : 1)));
    await eraseHistory(context, await recordErased(context, [{ kind: 'case', name: certain(all[600]).case }]), []);
    await exported();
    const left = made.filter(({ case_id }) => case_id !== certain(all[600]).case);
    expect(await ask(folder, asked)).toEqual(left);
  }));

it('plans again where the ledger is settled and swept while its events are written', () =>
  withFolder(async (folder) => {
    const all = eventsOfShard(9_000);
    const { context, exportTo, time } = await settledSite(all, 1_000_000);
    const opened = await openFolder(folder);
    let moved = 0;
    const put = async (path: string, file: string) => {
      if (moved === 0) {
        moved = 1;
        await loadEvents(context, eventsOfShard(14_000).slice(9_000));
        time.now += 120_000;
        await compact(context, { segmentWeight: SEGMENT_WEIGHT });
      }
      await opened.put(path, file);
    };
    await exportTo({ ...opened, put });
    const counts = 'SELECT count(*)::INT AS n, count(DISTINCT id)::INT AS ids FROM events';
    expect(await ask(folder, counts)).toEqual([{ n: 14_000, ids: 14_000 }]);
  }));

/** Some events of some cases, at any time. */
function changesOf(number: number, turn: number): CaseEvent[] {
  return Array.from({ length: 1 + (number % 4) }, (_, at) => {
    const found = EVENTS[(number * (at + 1)) % EVENTS.length];
    if (found === undefined) throw new Error('no event');
    return { ...found, id: `t${turn}-${at}`, at: found.at + 86_400_000_000 * (number % 50) };
  });
}

/** A place whose process is killed after some files; `puts` notes their paths. */
function dyingPlace(place: WarehousePlace, files: number, puts: string[] = []): WarehousePlace {
  let left = files;
  return {
    ...place,
    put: async (path, file) => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      puts.push(path);
      return place.put(path, file);
    },
  };
}

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
      const dying = dyingPlace(await openFolder(folder), 9, puts);
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

it('writes a part a call where time is over at once, and shows nothing of them before the last', () =>
  withFolder(async (folder) => {
    const { context } = await settledSite(EVENTS);
    const whole = await exportSiteInTurn(context, await openFolder(join(folder, 'whole')));
    const place = join(folder, 'by-call');
    const parts = new Set<string>();
    let calls = 0;
    for (let isWhole = false; !isWhole; calls += 1) {
      const put: string[] = [];
      const opened = await openFolder(place);
      const noting = {
        ...opened,
        put: (path: string, file: string) => opened.put(path, file).then(() => void put.push(path)),
      };
      const called = await exportSiteInTurn({ ...context, isOver: () => true }, noting);
      if (!('done' in called)) throw new Error('not its turn');
      isWhole = called.done.isWhole;
      const begun = JSON.parse((await opened.read('manifests/acme.begun')) ?? '{"parts":{}}');
      const names = Object.keys(begun.parts).filter((name) => !parts.has(name));
      for (const name of names) parts.add(name);
      expect([names.length, put.length > 0]).toEqual([isWhole ? 0 : 1, true]);
      expect((await opened.read('manifests/acme.json')) !== undefined).toBe(isWhole);
    }
    expect(calls).toBeGreaterThan(5);
    const files = async (name: string) =>
      Object.entries((await manifestIn(name)).files).map(([of, { path }]) => [of, path]);
    expect((await files(place)).sort()).toEqual((await files(join(folder, 'whole'))).sort());
    expect('done' in whole && whole.done.isWhole).toBe(true);
  }));

const VERDICTS = `SELECT case_id, kind, n, epoch("at")::BIGINT AS t, action_agent FROM verdicts ORDER BY ALL`;

const HOUR = 3_600_000_000; // µs

/** A case that is answered and resolved after so many hours. */
function answered(key: string, hours: number): CaseEvent[] {
  const at = 1_710_000_000_000_000;
  return [
    { id: 'a', type: 'case.created', at, case: key },
    { id: 'b', type: 'interaction', at, case: key, direction: 'inbound' },
    { id: 'c', type: 'interaction', at: at + hours * HOUR, case: key, direction: 'outbound', agent: 3 },
    { id: 'd', type: 'case.status', at: at + hours * HOUR, case: key, to: 'resolved' },
  ];
}

/** A site whose promises are of so many hours, and its exports. */
async function promisingSite() {
  const { context, exportTo } = await settledSite([...EVENTS, ...answered('soon', 2), ...answered('late', 30)]);
  const promise = (hours: number) => {
    const targets = (['first_response', 'reply', 'resolution'] as const).map((metric) => ({
      metric,
      seconds: hours * 3600,
    }));
    return importRecords(context.table, context.site, [{ type: 'sla_policy', id: 3, name: 'All', targets }]);
  };
  const filesOf = async (folder: string) => {
    const all = Object.entries((await manifestIn(folder)).files).map(([name, { path }]) => [name, path] as const);
    const isVerdict = ([name]: readonly [string, string]) => name.startsWith('verdicts/');
    const others = all.filter(
      (file) => !isVerdict(file) && !file[0].startsWith('sites/') && !file[0].startsWith('members/'),
    );
    return { verdicts: all.filter(isVerdict).sort(), others: others.sort() };
  };
  return { context, exportTo, promise, filesOf };
}

it('writes verdicts alone where a policy changes: they are those of an export into a new place', () =>
  withFolder(async (folder) => {
    const [place, fresh] = [join(folder, 'place'), join(folder, 'fresh')];
    const { context, exportTo, promise, filesOf } = await promisingSite();
    await exportTo(await openFolder(place));
    expect(await ask(place, VERDICTS)).toEqual([]);
    const unjudged = await filesOf(place);
    await promise(24);
    await exportTo(await openFolder(place));
    const daily = await filesOf(place);
    expect(daily.others).toEqual(unjudged.others);
    const verdicts = await ask(place, VERDICTS);
    const kinds = (await ask(place, 'SELECT DISTINCT kind FROM verdicts ORDER BY kind')).map(
      (row) => Object.values(row ?? {})[0],
    );
    expect(kinds).toEqual([...VERDICT_KINDS].sort());
    await promise(1);
    await loadEvents(context, [
      { id: 'new', type: 'case.created', at: 1_700_000_000_000_000, case: 'new' },
      { id: 'asked', type: 'interaction', at: 1_700_000_000_000_000, case: 'new', direction: 'inbound' },
      { ...certain(EVENTS[7]), id: 'late', at: certain(EVENTS[7]).at + 7_200_000_000 },
    ]);
    await exportTo(await openFolder(place));
    const hourly = await filesOf(place);
    for (const file of daily.others.filter(([name]) => !/^(events|replaced|hours)\//.test(name)))
      expect(hourly.others).toContainEqual(file);
    await exportTo(await openFolder(fresh));
    const judged = await ask(place, VERDICTS);
    expect(judged).toEqual(await ask(fresh, VERDICTS));
    expect(judged).not.toEqual(verdicts);
    const now = await filesOf(place);
    await exportTo(await openFolder(place));
    expect(await filesOf(place)).toEqual(now);
  }));

it('has all but verdicts count before those of a changed policy are written, wherever it is killed', () =>
  withFolder(async (folder) => {
    const [place, fresh] = [join(folder, 'place'), join(folder, 'fresh')];
    const { context, exportTo, promise } = await promisingSite();
    await promise(24);
    await exportTo(await openFolder(place));
    const [before] = await ask(place, COUNTS);
    await promise(1);
    await loadEvents(context, [{ id: 'new', type: 'case.created', at: 1_700_000_000_000_000, case: 'new' }]);
    const seen = new Set<string>();
    let unjudged = 0;
    for (let died = 0; ; died += 1) {
      expect(died).toBeLessThan(60);
      const done = await exportTo(dyingPlace(await openFolder(place), 3)).catch(() => undefined);
      const { covered } = await manifestIn(place);
      const views = await readFile(join(place, 'views/acme.sql'), 'utf8');
      expect(views.includes('VIEW report_sla_reply_met ')).toBe(covered?.promises !== undefined);
      expect(views).toContain('VIEW report_case_creates ');
      if (covered?.promises === undefined) unjudged += 1;
      seen.add(JSON.stringify(await ask(place, COUNTS)));
      if (done !== undefined) break;
    }
    expect(unjudged).toBeGreaterThan(2);
    const [last] = await ask(place, COUNTS);
    expect([...seen].sort()).toEqual([JSON.stringify([before]), JSON.stringify([last])].sort());
    await exportTo(await openFolder(fresh));
    expect(await ask(place, VERDICTS)).toEqual(await ask(fresh, VERDICTS));
  }));

it('keeps replaced files of a bucket for an hour, as queries may read them, and none that has what was erased', () =>
  withFolder(async (folder) => {
    const { context, time } = await settledSite(EVENTS);
    const objects = folderObjects(folder);
    const exported = async () => {
      await exportSiteInTurn(context, await openBucket(objects, 'facts', ''));
      const manifest = parseManifest((await objects.read('manifests/acme.json'))?.text);
      const named = Object.values(manifest?.files ?? {}).map(({ path }) => path);
      const all = (await objects.list('')).filter((path) => path.endsWith('.parquet')).sort();
      return { named, kept: all.filter((path) => !named.includes(path)) };
    };
    const change = async (number: number) => {
      await loadEvents(context, changesOf(number, number));
      time.now += 1000;
      return exported();
    };
    const first = await exported();
    expect(first.kept).toEqual([]);
    const second = await change(3);
    expect(second.kept.length).toBeGreaterThan(2);
    for (const path of second.kept) expect(first.named).toContain(path);
    time.now += 59 * 60_000;
    expect((await exported()).kept).toEqual(second.kept);
    time.now += 60_000;
    expect((await exported()).kept).toEqual([]);
    expect((await change(5)).kept.length).toBeGreaterThan(2);
    await eraseHistory(context, await recordErased(context, [{ kind: 'case', name: '7' }]), []);
    expect((await exported()).kept).toEqual([]);
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

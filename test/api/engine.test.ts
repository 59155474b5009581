import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createTasks } from '../../lib/http/task.ts';
import { erase, planErasure } from '../../lib/import/erasing/erase.ts';
import { takeRecords } from '../../lib/import/live.ts';
import { parseRecord } from '../../lib/import/records/records.ts';
import { mailLimits } from '../../lib/settings.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { keys } from '../../lib/store/keys.ts';
import { pause } from '../../lib/store/pause.ts';
import type { Table } from '../../lib/store/table.ts';
import { openBucket } from '../../lib/warehouse/bucket.ts';
import { type DueExport, doDueExport } from '../../lib/warehouse/due.ts';
import { type FreshTools, freshFiles } from '../../lib/warehouse/fresh.ts';
import { TABLES } from '../../lib/warehouse/tables.ts';
import type { Ask } from '../support/service/asking.ts';
import type { Fate } from '../support/service/athena-server.ts';
import { startEngineService } from '../support/service/engine-service.ts';
import { eventually } from '../support/service/eventually.ts';
import { importRecords } from '../support/service/import.ts';
import { addUser, newSite } from '../support/service/service.ts';

const REPORTS = '/api/v2/insights3/reports';
const CASES = '/api/v2/insights3/cases';

const { scanning, newEngine, newRoutes, athena, bucket, close } = await startEngineService();
const { table, now, logged } = scanning;
const asking = newEngine();
afterAll(close);

let sites = 0;

/** A site of its own with three cases, and questions to it. */
async function newQuestions(settings = {}) {
  sites += 1;
  const site = await newSite(table, { name: `engine${sites}`, ...settings }, { default: false });
  await addUser(table, site.name, 'Administrator');
  const created = (id: number, at: string) => ({ type: 'case.created', id: `c${id}`, at, case: id, channel: 8 });
  const load = (records: readonly object[]) => importRecords(table, site, records);
  await load([
    { type: 'channel', id: 8, name: 'Email' },
    { type: 'custom_field', id: 12, name: 'tier', object: 'case', values: ['gold'] },
    { ...created(1, '2026-02-01T10:00:00Z'), custom_fields: { 12: 'gold' } },
    { ...created(2, '2026-02-02T10:00:00Z'), custom_fields: { 12: 'it\'s -- "😀"' } },
    created(3, '2026-02-03T10:00:00Z'),
  ]);
  const host = `${site.name}.localhost`;
  const body = (fields: string[] = ['case_creates'], more = {}) => ({
    fields,
    time: { min: '2026-02-01T00:00:00Z', max: '2026-03-01T00:00:00Z', window_size: 'none' },
    ...more,
  });
  const post = (by: Ask = asking, sent: object = body()) => by('POST', REPORTS, { host, body: sent });
  const kept = () => table.get(keys.engineQuery(site.name));
  return {
    site,
    host,
    body,
    post,
    load,
    created,
    kept,
    queries: () => athena.queries.filter(({ sql }) => sql.includes(site.name)),
  };
}

const EVERY = (count: number) => [[null, null, null, count]];
const dataOf = (reply: { readonly body: { readonly data: unknown } }): unknown => reply.body.data;

/** Waits until a query of a site was begun. */
async function begun(queries: () => readonly unknown[], count = 1): Promise<void> {
  for (let tries = 1; queries().length < count; tries += 1) await pause(Math.min(tries, 3));
}

it('asks for each report of a site by a query of its own, and leaves nothing behind', async () => {
  const { post, kept, queries } = await newQuestions();
  for (const query of [1, 2]) {
    expect(dataOf(await post())).toEqual(EVERY(3));
    expect(queries()).toHaveLength(query);
    now.at += 1_000; // within a second nothing is asked for twice
  }
  expect(await kept()).toBeUndefined();
  expect(logged.filter(({ message }) => message === 'engine').at(-1)).toMatchObject({
    ...{ engine: 'warehouse', state: 'SUCCEEDED', query_ms: 1234, scanned_bytes: athena.bytes },
  });
});

it('counts an event of a second ago', async () => {
  const { post, load, created } = await newQuestions();
  expect(dataOf(await post())).toEqual(EVERY(3));
  await load([created(4, '2026-02-04T10:00:00Z')]);
  expect(dataOf(await post())).toEqual(EVERY(4));
});

it('looks once for the query that a report may have', async () => {
  const { site, post } = await newQuestions();
  const { pk, sk } = keys.engineQuery(site.name);
  let looks = 0;
  const counting = (inner: Table): Table => ({
    ...inner,
    metered: (usage) => counting(inner.metered(usage)),
    get: (key, ...more) => {
      looks += key.pk === pk && key.sk === sk ? 1 : 0;
      return inner.get(key, ...more);
    },
  });
  const counted = newEngine({}, { table: counting(table) });
  for (const report of [1, 2]) {
    expect(dataOf(await post(counted))).toEqual(EVERY(3));
    expect(looks).toBe(report);
    now.at += 1_000;
  }
});

it('names its site in each table of a statement', async () => {
  const { post, body, queries, site } = await newQuestions();
  const fields = ['case_creates', 'open_cases', 'avg_handle_time', 'agent_time_online', 'time_to_first_response:p90'];
  await post(asking, body(fields, { dimension1: 'channel', totals: true }));
  const [{ sql } = { sql: '' }] = queries();
  const tables = [
    ...sql.matchAll(/\b(?:FROM|JOIN) (facts|cases|hours|replaced)\b(?: LEFT JOIN .*? = newer)?(.{0,40})/g),
  ];
  expect(tables.length).toBeGreaterThan(2);
  for (const [, , after] of tables) expect(after).toMatch(new RegExp(`^ WHERE site = '${site.name}'`));
});

it('finds values of custom fields whatever characters they have', async () => {
  const { post, body } = await newQuestions();
  const filters = (text: string) => ({ filters: [[['Include', 'Custom Fields', 'Contains', text, true, []]]] });
  for (const [text, count] of [
    ['\'s -- "😀', 1],
    ['gold', 1],
    ["' OR 1 = 1 --", 0],
    ['\0', 0],
  ] as const) {
    const sent = body(['case_creates'], filters(text));
    expect(dataOf(await post(asking, sent))).toEqual(EVERY(count));
  }
});

describe('a query that takes longer than its request', () => {
  it('goes on, and answers the same body without another query, as of its beginning', async () => {
    const { post, queries, load, created, kept, body } = await newQuestions();
    athena.fates = ['RUNNING'];
    const sent = body(['case_creates'], { time: { last: 2, unit: 'month', window_size: 'none' } });
    const first = post(asking, sent);
    await begun(queries);
    now.at += 26_000;
    const late = await first;
    expect([late.status, late.headers['retry-after']]).toEqual([503, '10']);
    expect(await kept()).toMatchObject({ until: 0, id: queries()[0]?.id });
    await load([created(4, '2026-02-04T10:00:00Z')]);
    now.at += 60_000;
    for (const query of queries()) await athena.finish(query);
    const second = await post(newEngine(), sent); // by another process
    expect(second.status).toBe(200);
    expect(queries()).toHaveLength(1);
    expect(await kept()).toBeUndefined();
    expect(dataOf(await post(asking, sent))).not.toEqual(dataOf(second)); // the new event
    expect(queries()).toHaveLength(2);
  });

  it('is stopped by another report of the site, and after ten minutes by the same', async () => {
    const { post, queries, body } = await newQuestions();
    for (const [after, next] of [
      [0, body(['resolved_cases'])],
      [601_000, body()],
    ] as const) {
      athena.fates = ['RUNNING'];
      const before = queries().length;
      const first = post();
      await begun(queries, before + 1);
      now.at += 26_000;
      expect((await first).status).toBe(503);
      now.at += after;
      expect((await post(asking, next)).status).toBe(200);
      expect(
        queries()
          .slice(before)
          .map(({ state }) => state),
      ).toEqual(['CANCELLED', 'SUCCEEDED']);
    }
  });
});

describe('a query of a mail', () => {
  /** What the report of a mail gets, which has five minutes. */
  async function mailed() {
    const questions = await newQuestions();
    const doTask = createTasks({
      table,
      routes: newRoutes(),
      log: () => undefined,
      clock: () => now.at,
      newId: randomUUID,
    });
    athena.fates = ['RUNNING'];
    const outcome = doTask({
      ...{ route: 'createReport', site: questions.site, actor: 'service', origin: 'https://reports.example' },
      ...{ user: { login: 'boss@test.example', role: 'Administrator', deleted: false } },
      ...{ now: now.at, deadline: now.at + mailLimits({ ATHENA_WORKGROUP: 'reports' }).answerWithin },
      ...{ params: {}, query: new Map(), pairs: [], headers: { 'content-type': 'application/json' } },
      body: Buffer.from(JSON.stringify(questions.body())),
    });
    await begun(questions.queries);
    now.at += 200_000;
    return { ...questions, outcome };
  }

  it('is waited for longer than a request', async () => {
    const { queries, outcome } = await mailed();
    for (const query of queries()) await athena.finish(query);
    const { reply } = (await outcome) as { reply: { body: string } };
    expect(JSON.parse(reply.body).data).toEqual(EVERY(3));
  });

  it('gives way to another report of a person', async () => {
    const { post, queries, body, outcome } = await mailed();
    expect((await post(asking, body(['resolved_cases']))).status).toBe(200);
    expect(queries().map(({ state }) => state)).toEqual(['CANCELLED', 'SUCCEEDED']);
    expect(await outcome).toMatchObject({ failure: { kind: 'unavailable' } });
  });

  it('answers a person who asks the same, too', async () => {
    const { post, queries, outcome } = await mailed();
    const same = post();
    for (const query of queries()) await athena.finish(query);
    expect(dataOf(await same)).toEqual(EVERY(3));
    expect(await outcome).toMatchObject({ reply: {} });
    expect(queries()).toHaveLength(1);
  });
});

it('shows nothing of a case that is erased while a query reads', async () => {
  const { site, host, post, queries, body, load, created } = await newQuestions();
  await load([{ ...created(4, '2026-02-04T10:00:00Z'), custom_fields: { 12: 'platinum-of-ann' } }]);
  const filesWith = async (text: string): Promise<string[]> => {
    const keysOf = (await bucket.list('')).filter((key) => key.includes(site.name));
    const found = await Promise.all(keysOf.map(async (key) => (await readFile(bucket.pathOf(key))).includes(text)));
    return keysOf.filter((_, place) => found[place]);
  };
  const sent = body(['case_creates'], { filters: [[['Include', 'Custom Fields', 'Contains', 'platinum', false, []]]] });
  athena.fates = ['RUNNING'];
  const first = post(asking, sent);
  await begun(queries);
  expect(await filesWith('platinum-of-ann')).not.toEqual([]);
  const context = { table, site, collections: createCollections(), clock: () => now.at, newId: randomUUID };
  const plan = await planErasure(context, { kind: 'case', id: '4' });
  if (plan === undefined) throw new Error('nothing to erase');
  await erase(context, plan);
  const place = () => openBucket(bucket, 'facts', '');
  const tools = { table, clock: () => now.at, newId: randomUUID, place, send: async () => undefined };
  const exported = () => doDueExport(tools, { site: site.name, because: 'an erasure' });
  await eventually(
    () => exported().catch(() => undefined), // that of the report may be ending
    (done) => expect(done).toBeDefined(),
  );
  expect(await filesWith('platinum-of-ann')).toEqual([]);
  now.at += 26_000;
  expect((await first).status).toBe(503);
  for (const query of queries()) Object.assign(query, { state: 'FAILED', reason: 'HIVE_CANNOT_OPEN_SPLIT: NoSuchKey' });
  for (let tries = 0; tries < 3 && (await post(asking, sent)).status === 503; tries += 1) now.at += 10_000;
  const reply = await post(asking, sent);
  expect(dataOf(reply)).toEqual(EVERY(0));
  expect(reply.text).toBe((await scanning.ask('POST', REPORTS, { host, body: sent })).text);
});

it('takes 10,000 values of a filter, and refuses what makes a statement too long', async () => {
  const { host, post, queries, body, load, created } = await newQuestions();
  await load([{ ...created(4, '2026-02-04T10:00:00Z'), priority: 7 }]);
  const asked = (fields: string[]) => {
    const ids = Array.from({ length: 9_999 }, (_, at) => ({ id: String(50_000_000 - at) }));
    const filters = [[['Include', 'Companies', ids]], [['Include', 'Priorities', [{ id: '7' }]]]];
    return body(fields, { filters });
  };
  const sent = asked(['case_creates']);
  const reply = await post(asking, sent);
  expect([reply.status, dataOf(reply)]).toEqual([200, EVERY(1)]);
  expect(reply.text).toBe((await scanning.ask('POST', REPORTS, { host, body: sent })).text);
  const refused = await post(asking, asked(['case_creates', 'open_cases', 'avg_handle_time']));
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('statement of more than 200000 bytes')]);
  expect(queries()).toHaveLength(1);
});

const FATES: readonly [what: string, fates: readonly Fate[], throttled: number, after: number][] = [
  ['takes no calls', [], 9, 0],
  ['waits in its queue', ['QUEUED'], 0, 11_000],
  ['fails for good', [{ fails: 'HIVE_BAD_DATA', isRetryable: false }], 0, 0],
  ['fails twice', [0, 1].map(() => ({ fails: 'INTERNAL', isRetryable: true })), 0, 0],
];

describe('what the engine does', () => {
  it.each(FATES)('%s: 503, to be tried again in 10 s, and then right', async (_, fates, throttled, after) => {
    const { post, queries, kept } = await newQuestions();
    Object.assign(athena, { fates: [...fates], throttled });
    const reply = post();
    if (after > 0) await begun(queries);
    now.at += after;
    const { status, headers, text } = await reply;
    expect([status, headers['retry-after']]).toEqual([503, '10']);
    expect(text).not.toMatch(/HIVE|INTERNAL|Athena|warehouse/);
    athena.throttled = 0;
    now.at += 10_000;
    for (const query of queries()) if (query.state === 'QUEUED') await athena.finish(query);
    expect(dataOf(await post())).toEqual(EVERY(3));
    expect(await kept()).toBeUndefined();
  });

  it('fails once, in a way that may pass: the report is there', async () => {
    const { post, queries } = await newQuestions();
    athena.fates = [{ fails: 'INTERNAL', isRetryable: true }];
    expect(dataOf(await post())).toEqual(EVERY(3));
    expect(queries().map(({ state }) => state)).toEqual(['FAILED', 'SUCCEEDED']);
  });

  it('was stopped by hand: 503, and then another query', async () => {
    const { post, queries } = await newQuestions();
    athena.fates = ['RUNNING'];
    const reply = post();
    await begun(queries);
    for (const query of queries()) query.state = 'CANCELLED';
    expect((await reply).status).toBe(503);
    now.at += 10_000;
    expect(dataOf(await post())).toEqual(EVERY(3));
  });

  it('has read too much: 422', async () => {
    const { post } = await newQuestions();
    athena.fates = [{ fails: 'Bytes scanned limit was exceeded', isRetryable: false }];
    expect((await post()).body.errors).toEqual({ time: ['too_large'] });
  });

  it('has lost what it answered: 503', async () => {
    const { post, queries } = await newQuestions();
    athena.fates = ['RUNNING'];
    const reply = post();
    await begun(queries);
    for (const query of queries()) query.state = 'SUCCEEDED';
    expect((await reply).status).toBe(503);
    now.at += 10_000;
    expect(dataOf(await post())).toEqual(EVERY(3));
  });
});

it('finds a query again whose process has died before it knew its id', async () => {
  const { post, queries, kept, site } = await newQuestions();
  athena.fates = ['RUNNING'];
  const first = post();
  await begun(queries);
  now.at += 26_000;
  await first;
  const { id: _, ...item } = (await kept()) ?? { pk: '', sk: '' };
  await table.put(item); // as it was before the id came
  for (const query of queries()) await athena.finish(query);
  expect(dataOf(await post(newEngine()))).toEqual(EVERY(3));
  expect(queries()).toHaveLength(1);
  expect(site.name).toMatch(/engine/);
});

it('lets one of two processes have a query, though both have lost the lock', async () => {
  const { site, post, body, queries } = await newQuestions();
  athena.fates = ['RUNNING'];
  const first = post();
  await begun(queries);
  await table.delete(keys.lock(site.name));
  const other = await post(newEngine(), body(['resolved_cases']));
  expect([other.status, Number(other.headers['retry-after'])]).toEqual([429, 27]);
  await table.delete(keys.lock(site.name));
  const same = post(newEngine());
  for (const query of queries()) await athena.finish(query);
  expect((await Promise.all([first, same])).map(dataOf)).toEqual([EVERY(3), EVERY(3)]);
  expect(queries()).toHaveLength(1);
});

describe('the choice', () => {
  it('scans what has few facts, and what asks for no facts', async () => {
    const { post, queries, body } = await newQuestions();
    expect(dataOf(await post(newEngine({ facts: 3 })))).toEqual(EVERY(3));
    const early = { time: { min: '2020-01-01T00:00:00Z', max: '2020-02-01T00:00:00Z', window_size: 'none' } };
    expect(dataOf(await post(asking, body(undefined, early)))).toEqual(EVERY(0));
    expect(queries()).toEqual([]);
    expect(dataOf(await post(newEngine({ facts: 2 })))).toEqual(EVERY(3));
    expect(queries()).toHaveLength(1);
  });

  it('asks once a site has grown over the bound', async () => {
    const { post, queries, load, created } = await newQuestions();
    const bounded = newEngine({ facts: 3 });
    expect(dataOf(await post(bounded))).toEqual(EVERY(3));
    await load([created(4, '2026-02-04T10:00:00Z')]);
    expect(dataOf(await post(bounded))).toEqual(EVERY(4));
    expect(queries()).toHaveLength(1);
  });

  it.each([
    ['scan', 0, 0],
    ['warehouse', 1e9, 1],
  ] as const)('of a site with engine %s', async (engine, facts, count) => {
    const { post, queries } = await newQuestions({ engine });
    expect(dataOf(await post(newEngine({ facts })))).toEqual(EVERY(3));
    expect(queries()).toHaveLength(count);
  });

  it('refuses a list of cases that would read as much', async () => {
    const { host, body } = await newQuestions({ engine: 'warehouse' });
    const { status, body: refused } = await asking('POST', CASES, { host, body: body() });
    expect([status, refused.errors]).toEqual([422, { time: ['too_large'] }]);
    expect((await newEngine({ facts: 3 })('POST', CASES, { host, body: body() })).status).toBe(200);
  });
});

const FACT_COLUMNS = TABLES.facts.columns.map(({ name }) => name);
const placeOf = (column: string): number => FACT_COLUMNS.indexOf(column);

describe('bounds', () => {
  it('of a site: 422', async () => {
    const { post, queries } = await newQuestions({ engineBytes: 10 });
    expect((await post()).body.errors).toEqual({ time: ['too_large'] });
    expect(queries()).toEqual([]);
  });

  it('of a site: 422 by the columns that a report reads', async () => {
    const { site, post, body } = await newQuestions();
    expect((await post()).status).toBe(200);
    const { files } = JSON.parse((await bucket.read(`manifests/${site.name}.json`))?.text ?? '');
    const sizes = Object.entries<{ bytes: number; columns: number[] }>(files).flatMap(([name, file]) =>
      name.startsWith('facts/') ? [file] : [],
    );
    const bytes = (names: readonly string[]): number =>
      sizes.reduce((sum, { columns }) => sum + names.reduce((all, name) => all + (columns[placeOf(name)] ?? 0), 0), 0);
    const usual = ['kind', 'case_id', 'n', 'action_agent', 'action_group', 'value', 'at', 'born', 'segment'];
    const [own, split] = [bytes(usual), bytes([...usual, 'channel'])];
    expect([own > 0, split > own, split < sizes.reduce((sum, file) => sum + file.bytes, 0)]).toEqual([
      true,
      true,
      true,
    ]);
    const limited = await newQuestions({ engineBytes: split - 1 });
    expect((await limited.post()).status).toBe(200);
    expect((await limited.post(asking, body(['case_creates'], { dimension1: 'channel' }))).body.errors).toEqual({
      time: ['too_large'],
    });
  });

  it('of a day: 503 until midnight UTC', async () => {
    now.at = Date.parse('2026-05-01T23:00:00Z');
    const { post } = await newQuestions();
    const limited = newEngine({ dayBytes: athena.bytes });
    expect((await post(limited)).status).toBe(200);
    const { status, headers } = await post(limited);
    expect([status, headers['retry-after']]).toEqual([503, '3600']);
    now.at += 3_600_000;
    expect((await post(limited)).status).toBe(200);
  });
});

describe('files that lack events', () => {
  const place = () => openBucket(bucket, 'facts', '');
  const tools = { table, clock: () => now.at, newId: randomUUID, place, send: async () => undefined };
  const filesOf = async (site: string): Promise<string[]> =>
    Object.keys(JSON.parse((await bucket.read(`manifests/${site}.json`))?.text ?? '').files);

  /** Questions to a process that has others export, with the messages that it has sent. */
  async function sending() {
    const questions = await newQuestions();
    const sent: string[] = [];
    let queue: Promise<unknown> = Promise.resolve(); // the exports of a site run one after the other
    const doNext = (due: DueExport): Promise<unknown> => {
      queue = queue.then(() => doDueExport(tools, due));
      return queue;
    };
    const startExport: FreshTools['startExport'] = async ({ site }, state) => {
      sent.push(state);
      void doNext({ site: site.name, reports: true, because: state });
    };
    const asks = newEngine({
      freshFiles: (context, areJudged) => freshFiles(context, areJudged, { place, startExport }),
    });
    return { ...questions, asks, sent, doNext };
  }

  it('are written by who may while the report waits, without what reports do not read', async () => {
    const { site, post, asks, sent, doNext, load, created } = await sending();
    expect(dataOf(await post(asks))).toEqual(EVERY(3));
    expect(sent).toHaveLength(1);
    expect((await filesOf(site.name)).some((name) => name.startsWith('events/'))).toBe(false);
    await doNext({ site: site.name, because: 'night' });
    const events = (await filesOf(site.name)).filter((name) => name.startsWith('events/'));
    expect(events).not.toEqual([]);
    expect(dataOf(await post(asks))).toEqual(EVERY(3));
    expect(sent).toHaveLength(1); // nothing was lacking
    await load([created(4, '2026-02-04T10:00:00Z')]);
    expect(dataOf(await post(asks))).toEqual(EVERY(4));
    expect(new Set(sent).size).toBe(2);
    expect((await filesOf(site.name)).filter((name) => name.startsWith('events/'))).toEqual(events);
  });

  it('have live events that no commit has yet', async () => {
    const { site, post, asks, created } = await sending();
    expect(dataOf(await post(asks))).toEqual(EVERY(3));
    const context = { table, site, collections: createCollections(), clock: () => now.at, newId: randomUUID };
    for (const id of [4, 5]) {
      const message = { id: String(id), group: 'g', site: site.name, body: '' };
      await takeRecords(context, [{ message, site, record: parseRecord(created(id, '2026-02-04T10:00:00Z')) }]);
      expect(dataOf(await post(asks))).toEqual(EVERY(id));
    }
  });

  it('and lack too many for a query to wait for: 503 for a minute, then right', async () => {
    const { site, post, asks, sent, queries } = await sending();
    await bucket.put(`manifests/${site.name}.listed`, JSON.stringify({ version: 0, reference: '', facts: 400_004 }));
    const { status, headers } = await post(asks);
    expect([status, headers['retry-after'], sent.length]).toEqual([503, '60', 1]);
    expect(queries()).toEqual([]);
    await eventually(
      async () => (await bucket.read(`manifests/${site.name}.listed`))?.text,
      (text) => expect(text).toContain('"facts":3'),
    );
    expect(dataOf(await post(asks))).toEqual(EVERY(3));
    expect(sent).toHaveLength(1);
    expect(logged.filter(({ parts_behind }) => parts_behind !== undefined).at(-1)).toMatchObject({
      parts_behind: 400_001,
    });
  });

  it('and are not whole when the request ends: 503, and never an older number', async () => {
    const { post, load, created, queries } = await newQuestions();
    expect(dataOf(await post())).toEqual(EVERY(3));
    await load([created(4, '2026-02-04T10:00:00Z')]);
    let begun = 0;
    const startExport = async (): Promise<void> => {
      begun += 1;
      now.at += 16_000; // no export comes
    };
    const { status, headers } = await post(
      newEngine({ freshFiles: (context, areJudged) => freshFiles(context, areJudged, { place, startExport }) }),
    );
    expect([status, headers['retry-after'], begun, queries().length]).toEqual([503, '60', 1, 1]);
  });

  it('lack verdicts by a policy that has changed: reports of promises wait for them or are 503, others go on', async () => {
    const { host, post, load, body, queries } = await newQuestions();
    const policy = (seconds: number) =>
      load([{ type: 'sla_policy', id: 3, name: 'All', targets: [{ metric: 'resolution', seconds }] }]);
    const promises = body(['sla_resolution_missed', 'case_creates']);
    const scanned = async () => (await scanning.ask('POST', REPORTS, { host, body: promises })).text;
    await policy(3600);
    const first = await post(asking, promises);
    expect([first.text, dataOf(first)]).toEqual([await scanned(), [[null, null, null, 3, 3]]]);
    await policy(40 * 86_400);
    const idle = newEngine({
      freshFiles: (context, areJudged) =>
        freshFiles(context, areJudged, { place, startExport: async () => void (now.at += 16_000) }),
    });
    expect(dataOf(await post(idle))).toEqual(EVERY(3));
    const begunBefore = queries().length;
    const { status, headers } = await post(idle, promises);
    expect([status, headers['retry-after'], queries().length]).toEqual([503, '60', begunBefore]);
    const after = await post(asking, promises);
    expect(after.text).toBe(await scanned());
    expect(dataOf(after)).not.toEqual(dataOf(first));
  });

  it('stay as they are while the bucket does not answer: 503', async () => {
    const { post, queries } = await newQuestions();
    const broken = newEngine({ freshFiles: () => Promise.reject(new Error('no bucket')) });
    const { status, headers } = await post(broken);
    expect([status, headers['retry-after']]).toEqual([503, '10']);
    expect(queries()).toEqual([]);
  });
});

import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { itAtLength } from '../../support/generators/depth.ts';
import { basic } from '../../support/service/credentials.ts';
import { type Running, run, startProgram } from '../../support/service/program.ts';

const PASSWORD = 'correct horse battery';
const PATH = '/api/v2/imports';
const CSV = [
  'Ticket,Opened,Closed,State,Owner',
  '1,2026-01-05 10:00:00,2026-01-06 10:00:00,Solved,Ann',
  '2,2026-01-05 11:00:00,,Open,Bob',
  '3,2026-01-06 09:00:00,,Open,Bob',
  '4,some day,,Open,Bob',
].join('\n');
const MAPPING = {
  kind: 'tickets',
  time: { zone: 'UTC' },
  case: 'Ticket',
  created: 'Opened',
  solved: 'Closed',
  status: { column: 'State', table: { Solved: 'resolved', Open: 'open' } },
  agent: 'Owner',
};

let folder: string;
let service: Running;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  service = await startProgram(folder);
  const place = ['--data-dir', folder];
  const user = (role: string) => ['--site', 'acme', '--login', `${role}@acme.example`, '--password-stdin', ...place];
  expect((await run(['site', 'add', 'acme', '--default', ...place])).status).toBe(0);
  for (const role of ['Administrator', 'Agent']) {
    const added = await run(['user', 'add', '--role', role, ...user(role.toLowerCase())], { input: `${PASSWORD}\n` });
    expect([added.status, added.err]).toEqual([0, '']);
  }
});
afterAll(async () => {
  await service?.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

type Sent = string | Uint8Array<ArrayBuffer>;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  readonly body: any;
}

async function ask(
  method: string,
  path: string,
  body?: Sent | object,
  { as = 'administrator', headers = {} }: { as?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const reply = await fetch(`${service.url}${path}`, {
    method,
    headers: { Authorization: basic(`${as}@acme.example`, PASSWORD), ...headers },
    ...(body === undefined ? {} : { body: isRaw ? (body as Sent) : JSON.stringify(body) }),
  });
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: reply.status, headers: reply.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** The import once nothing works on it. */
async function settled(id: number): Promise<Answer['body']> {
  for (;;) {
    const { body } = await ask('GET', `${PATH}/${id}`);
    if (!['checking', 'loading', 'undoing'].includes(body.state)) return body;
    await sleep(100);
  }
}

const bring = async (name: string, file: Sent): Promise<Answer['body']> => {
  const { status, body } = await ask('POST', `${PATH}?name=${encodeURIComponent(name)}&zone=UTC`, file);
  expect(status).toBe(201);
  return settled(body.id);
};

const step = async (id: number, what: 'load' | 'undo'): Promise<Answer['body']> => {
  expect((await ask('POST', `${PATH}/${id}/${what}`)).status).toBe(200);
  return settled(id);
};

/** The names of all files of imports; none while one that is listed goes. */
const files = (): Promise<string> =>
  readdir(join(folder, 'imports/acme'), { recursive: true }).then(
    (all) => all.join(' '),
    () => '',
  );

/** How many cases a report counts as created. */
async function creations(): Promise<number> {
  const time = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'none' };
  const { body } = await ask('POST', '/api/v2/insights3/reports', { fields: ['case_creates'], time });
  return body.data[0][3];
}

/** The bodies of reports over all cases, as text. */
async function reports(): Promise<string[]> {
  const time = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'day' };
  const asked = [
    { fields: ['case_creates', 'case_resolves', 'avg_time_to_resolution'], time },
    { fields: ['open_cases', 'case_creates'], dimension1_name: 'assigned_agent', time },
  ];
  const bodies: string[] = [];
  for (const request of asked) bodies.push((await ask('POST', '/api/v2/insights3/reports', request)).text);
  return bodies;
}

/** A file that comes a byte at a time, without an end, once its import is there. */
async function dripping(as = 'administrator') {
  const known = new Set((await ask('GET', PATH)).body._embedded.entries.map(({ id }: { readonly id: number }) => id));
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const Authorization = basic(`${as}@acme.example`, PASSWORD);
  const head = `POST ${PATH}?name=a.csv HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${Authorization}\r\n`;
  socket.write(`${head}Content-Length: 1000000\r\n\r\n${CSV}`);
  const drip = setInterval(() => socket.write('x'), 200);
  const answer = new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(String(data).slice(0, 'HTTP/1.1 200'.length)));
  });
  socket.on('error', () => undefined).on('close', () => clearInterval(drip));
  for (;;) {
    const { entries } = (await ask('GET', PATH)).body._embedded;
    const arriving = entries.find(
      ({ id, state }: { readonly id: number; readonly state: string }) => state === 'arriving' && !known.has(id),
    );
    if (arriving !== undefined && (await files()).includes('~part'))
      return { socket, answer, id: arriving.id as number };
    await sleep(20);
  }
}

describe('a file that comes over HTTP', () => {
  it('is recognised, corrected, loaded, and undone without a trace in reports', async () => {
    const first = await bring('C:\\exports\\tickets.csv', CSV);
    expect(first).toMatchObject({ name: 'tickets.csv', state: 'checked', format: 'csv', source: `upload-${first.id}` });
    expect(first.proposal).toMatchObject({
      kind: 'tickets',
      columns: ['Ticket', 'Opened', 'Closed', 'State', 'Owner'],
    });
    expect(first.preview.rows[0]).toEqual(['1', '2026-01-05 10:00:00', '2026-01-06 10:00:00', 'Solved', 'Ann']);
    expect(await creations()).toBe(0);

    const path = `${PATH}/${first.id}`;
    expect((await ask('PATCH', path, { mapping: MAPPING })).body.state).toBe('checking');
    const checked = await settled(first.id);
    expect(checked).toMatchObject({ state: 'checked', check: { rejected: 1, records: { 'case.created': 3 } } });
    expect(checked.check.stories[0].case).toBe('1');

    const loaded = await step(first.id, 'load');
    expect(loaded).toMatchObject({ state: 'loaded', can: ['correct', 'undo'], result: { rejected: 1 } });
    expect(await creations()).toBe(3);
    const rejected = await ask('GET', loaded._links.rejected.href);
    expect(rejected.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(rejected.text.trim().split('\n')).toEqual([
      'Ticket,Opened,Closed,State,Owner,"rejected because"',
      expect.stringMatching(/^4,some day,,Open,Bob,"/),
    ]);

    expect(await step(first.id, 'undo')).toMatchObject({ state: 'undone', can: [], _links: { rejected: null } });
    expect(await creations()).toBe(0);
    expect((await ask('POST', `${path}/load`)).status).toBe(409);
    expect((await ask('GET', `${path}/rejected`)).status).toBe(404);
  });

  it('is brought once by requests with one Idempotency-Key, and the audit tells of it once', async () => {
    const keyed = (query: string, file: Sent, key = 'one') =>
      ask('POST', `${PATH}?${query}`, file, { headers: { 'Idempotency-Key': key } });
    const all = await Promise.all([keyed('name=a.csv', CSV), keyed('name=a.csv', CSV)]);
    const [first] = all.filter(({ status }) => status === 201);
    expect(all.map(({ status }) => status)).toEqual(expect.arrayContaining([201]));
    const { id } = first!.body;
    await settled(id);
    const again = await keyed('name=a.csv', CSV);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first!.body, 'true']);
    for (const [query, file] of [
      ['name=a.csv', `${CSV}\n5,some day,,Open,Bob`],
      ['name=b.csv', CSV],
    ] as const) {
      const { status, body } = await keyed(query, file);
      expect([status, body.errors]).toEqual([422, { idempotency_key: ['taken'] }]);
    }
    expect((await keyed('name=a.csv', CSV, 'k'.repeat(256))).body.errors).toEqual({ idempotency_key: ['too_long'] });
    const { body } = await ask('GET', `/api/v2/audit?resource=imports/${id}`);
    expect(body._embedded.entries.map(({ action }: { readonly action: string }) => action)).toEqual(['create']);
    expect((await ask('GET', PATH)).body._embedded.entries[0].id).toBe(id);
    await step(id, 'undo');
  });

  it('asks for the encoding where two fit, and reads the file in the one that was answered', async () => {
    const { id, questions } = await bring('encoded.csv', Buffer.from(CSV.replaceAll('Bob', '\xe8\xe8ra'), 'latin1'));
    expect(questions).toMatchObject([{ id: 'encoding', proposed: 'windows-1252' }]);
    expect((await ask('POST', `${PATH}/${id}/load`)).body.errors).toEqual({ questions: ['blank'] });
    await ask('PATCH', `${PATH}/${id}`, { answers: { encoding: 'windows-1250' } });
    const { mapping, preview } = await settled(id);
    expect([mapping.csv.encoding, preview.rows[1].at(-1)]).toEqual(['windows-1250', 'ččra']);
    await step(id, 'undo');
  });

  it('asks which source is meant where another has its cases', async () => {
    const a = await bring('week-1.csv', CSV.split('\n').slice(0, 3).join('\n'));
    await step(a.id, 'load');
    const b = await bring('week-2.csv', CSV.split('\n').slice(0, 4).join('\n'));
    expect(b).toMatchObject({
      ...{ state: 'checked', source: `upload-${a.id}`, check: { cases: { added: 1, changed: 0, gone: null } } },
      questions: [
        { id: 'newer_copy', proposed: `upload-${a.id}`, text: expect.stringContaining('0 changed and 1 new') },
      ],
    });
    const early = await ask('POST', `${PATH}/${b.id}/load`);
    expect([early.status, early.body.errors]).toEqual([422, { questions: ['blank'] }]);
    expect(early.body.details).toMatchObject([{ field: 'questions', allowed: ['newer_copy'] }]);
    await ask('PATCH', `${PATH}/${b.id}`, { answers: { newer_copy: `upload-${a.id}` } });
    expect(await settled(b.id)).toMatchObject({ state: 'checked', source: `upload-${a.id}` });
    const before = await reports();
    expect(await step(b.id, 'load')).toMatchObject({ state: 'loaded', can: ['correct', 'undo'] });
    expect(await creations()).toBe(3);
    expect(await step(a.id, 'undo')).toMatchObject({
      ...{ state: 'loaded', can: ['correct', 'undo'] },
      problem: `After this import, import ${b.id} wrote to the same source (upload-${a.id}): undo that one first.`,
    });
    expect(await creations()).toBe(3);
    expect(await step(b.id, 'undo')).toMatchObject({ state: 'undone', can: [] });
    expect(await reports()).toEqual(before);
    expect(await step(a.id, 'undo')).toMatchObject({ state: 'undone' });
    expect(await creations()).toBe(0);
  });

  it('is refused with a sentence where it is nothing that can be read, or its mapping looks at other files', async () => {
    const wrong = await bring('photo.png', Buffer.from('\x89PNG\r\n\x1a\nnothing', 'latin1'));
    expect(wrong).toMatchObject({ state: 'failed', problem: expect.stringContaining('photo.png is a picture') });
    expect((await ask('POST', `${PATH}/${wrong.id}/load`)).status).toBe(409);
    const lookup = { ...MAPPING, agent: { column: 'Owner', lookup: { file: '/etc/passwd', key: 'a', value: 'b' } } };
    const { status, body } = await ask('PATCH', `${PATH}/${wrong.id}`, { mapping: lookup, zone: 'Mars/Olympus' });
    expect([status, body.errors]).toEqual([422, { mapping: ['invalid'], zone: ['invalid'] }]);
    expect((await ask('POST', PATH, CSV)).body.errors).toEqual({ name: ['blank'] });
    expect((await ask('POST', `${PATH}?name=a.csv`)).body.errors).toEqual({ file: ['blank'] });
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', `${PATH}?name=a.csv`],
      ['POST', `${PATH}/${wrong.id}/load`],
    ])
      expect((await ask(method ?? '', path ?? '', undefined, { as: 'agent' })).status).toBe(403);
  });

  it('leaves nothing where the connection drops in the middle, and holds up nobody after that', async () => {
    const before = (await ask('GET', PATH)).body.total_entries;
    const { socket, id } = await dripping();
    socket.destroy();
    await once(socket, 'close');
    while ((await files()).includes('~part')) await sleep(20);
    while ((await ask('GET', `${PATH}/${id}`)).status === 200) await sleep(20);
    expect((await ask('GET', PATH)).body.total_entries).toBe(before);
    expect(await bring('b.csv', CSV)).toMatchObject({ state: 'checked' });
  });

  it('is listed with its bytes while it arrives, and holds up no other import', async () => {
    const { socket, id } = await dripping();
    const listed = async () =>
      (await ask('GET', PATH)).body._embedded.entries.find((entry: { readonly id: number }) => entry.id === id);
    expect(await listed()).toMatchObject({ name: 'a.csv', state: 'arriving', can: ['undo'] });
    const other = await bring('b.csv', CSV);
    expect(await step(other.id, 'load')).toMatchObject({ state: 'loaded' });
    expect(await step(other.id, 'undo')).toMatchObject({ state: 'undone' });
    while ((await listed()).size < CSV.length) await sleep(100);
    expect((await ask('POST', `${PATH}/${id}/load`)).status).toBe(409);
    const others = [await dripping(), await dripping()];
    expect((await ask('POST', `${PATH}?name=c.csv`, CSV)).status).toBe(409); // so many may arrive at once
    for (const one of [socket, ...others.map((dripped) => dripped.socket)]) one.destroy();
    while ((await files()).includes('~part')) await sleep(20);
    while ((await listed()) !== undefined) await sleep(20);
  });

  it('is broken off once its sender is removed, or somebody discards it', async () => {
    const place = ['--site', 'acme', '--login', 'leaving@acme.example', '--data-dir', folder];
    const add = ['user', 'add', '--role', 'Administrator', ...place, '--password-stdin'];
    expect((await run(add, { input: `${PASSWORD}\n` })).status).toBe(0);
    const leaving = await dripping('leaving');
    const discarded = await dripping();
    const removal = await run(['user', 'remove', ...place]);
    expect([removal.status, removal.err]).toEqual([0, '']);
    expect(await step(discarded.id, 'undo')).toMatchObject({ state: 'undone' });
    expect([await leaving.answer, await discarded.answer]).toEqual(['HTTP/1.1 401', 'HTTP/1.1 409']);
    while ((await files()).includes('~part')) await sleep(20);
    expect((await ask('GET', `${PATH}/${leaving.id}`)).status).toBe(404);
    expect((await ask('GET', `${PATH}/${discarded.id}`)).body.state).toBe('undone');
  });

  itAtLength('that a killed service left half is swept by the next one, which takes another file at once', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined); // it breaks with the service
    const Authorization = basic('administrator@acme.example', PASSWORD);
    const head = `POST ${PATH}?name=a.csv HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${Authorization}\r\n`;
    socket.write(`${head}Content-Length: 1000000\r\n\r\n${CSV}`);
    while (!(await files()).includes('~part')) await sleep(20);
    await service.end('SIGKILL');
    service = await startProgram(folder);
    const next = await ask('POST', `${PATH}?name=b.csv`, CSV); // by this time the turn has not run out
    expect(next.status).toBe(201);
    expect(await files()).not.toContain('~part');
    await settled(next.body.id);
  });

  itAtLength('may be far larger than other bodies, and goes on after a service that was killed', async () => {
    const padding = 'x'.repeat(200); // of a key that means nothing
    const lines = Array.from({ length: 15_000 }, (_, i) =>
      JSON.stringify({ type: 'case.created', id: `e${i}`, case: `c${i}`, at: '2026-01-10T10:00:00Z', padding }),
    );
    const sent = await ask('POST', `${PATH}?name=events.ndjson`, lines.join('\n'));
    expect([sent.status, sent.body.size > 4_000_000]).toEqual([201, true]);
    const { id } = await settled(sent.body.id);
    await ask('POST', `${PATH}/${id}/load`);
    for (;;) {
      const { body } = await ask('GET', `${PATH}/${id}`);
      if (body.progress !== null || body.state !== 'loading') break;
      await sleep(20);
    }
    await service.end('SIGKILL');
    service = await startProgram(folder);
    const after = await settled(id);
    expect(['interrupted', 'loaded']).toContain(after.state);
    if (after.state === 'interrupted') expect(await step(id, 'load')).toMatchObject({ state: 'loaded' });
    expect(await creations()).toBe(15_000);
    const again = await bring('events.ndjson.gz', gzipSync(lines.join('\n')));
    await step(again.id, 'load');
    expect(await creations()).toBe(15_000); // equal ids of two sources count once
  });
});

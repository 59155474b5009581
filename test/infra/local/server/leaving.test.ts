import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBodies } from '../../../../infra/local/server/body.ts';
import { type Listening, listen } from '../../../../infra/local/server/server.ts';
import { openUploadStore } from '../../../../infra/local/uploads/upload-store.ts';
import { ROLES } from '../../../../lib/access/roles.ts';
import type { Site } from '../../../../lib/access/site-fields.ts';
import { newSession } from '../../../../lib/access/tokens.ts';
import { readUser } from '../../../../lib/access/users.ts';
import { certain } from '../../../../lib/certain.ts';
import type { Route } from '../../../../lib/http/route.ts';
import { type Handler, serve } from '../../../../lib/http/serve.ts';
import type { Log } from '../../../../lib/log.ts';
import { routes, routesWith } from '../../../../lib/routes.ts';
import { LIMITS } from '../../../../lib/settings.ts';
import { keys } from '../../../../lib/store/keys.ts';
import type { Table } from '../../../../lib/store/table.ts';
import { endTurn } from '../../../../lib/uploads/turn.ts';
import type { UploadStore } from '../../../../lib/uploads/upload-store.ts';
import { STRIDE, some } from '../../../support/generators/depth.ts';
import { basic, PASSWORD } from '../../../support/service/credentials.ts';
import { createRequests } from '../../../support/service/every-route.ts';
import { importRecords } from '../../../support/service/import.ts';
import { addUser, askThrough, newSite, tokenOf } from '../../../support/service/service.ts';
import { freshTable } from '../../../support/service/table.ts';
import { addToken } from '../../../support/service/tokens.ts';
import { testUploads } from '../../../support/service/uploads.ts';

/** Steps between two at which a client leaves: each of them, or in `npm test` one or two of each route. */
const APART = STRIDE ** 2;
const LOGIN = 'administrator@test.example';
const RECORDS = [
  { type: 'group', id: 4, name: 'Second line' },
  { type: 'case.created', id: 'a', case: '12', channel: 1, at: '2025-10-01T10:00:00Z' },
];
const IDS = { group_id: '4', channel_id: '1', case_key: '12', name: 'none' };
const REFUSED: Readonly<Record<string, number>> = {
  checkImport: 409, // its file came with the request that created it
  showTopicBrand: 404, // the topic does not have the brand
  deleteSource: 404, // nothing came from it
};

/** What a request gets that was done before, where no `Idempotency-Key` tells so. */
function doneBefore({ method, secret }: Route): readonly number[] {
  if (method === 'DELETE') return [401, 404];
  return secret ? [422] : [];
}

/** The table, with a call of `step` before and after each of its answers. */
function stepping(table: Table, step: () => Promise<void>): Table {
  const steps = new Set(['get', 'batchGet', 'query', 'put', 'delete', 'add', 'transact', 'batchWrite']);
  return new Proxy(table, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (name === 'metered') return (usage: Table['usage']) => stepping(target.metered(usage), step);
      if (typeof value !== 'function' || !steps.has(String(name))) return value;
      return async (...given: unknown[]) => {
        await step();
        const answer: unknown = await value.apply(target, given);
        await step();
        return answer;
      };
    },
  });
}

describe('a client', () => {
  let table: Table;
  let service: Listening;
  let handler: Handler;
  let store: UploadStore;
  let step: () => Promise<void> = async () => undefined;
  const folder = mkdtempSync(join(tmpdir(), 'leaving-'));
  const logged: unknown[] = [];
  const log: Log = (level, message, details) => {
    if (level === 'warn' || level === 'error') logged.push({ level, message, details });
  };

  beforeAll(async () => {
    table = await freshTable();
    await addTestSite('test');
    for (const role of ROLES.filter((one) => one !== 'Administrator')) await addUser(table, 'test', role);
    const files = openUploadStore({ table, folder, log, options: {}, heap: 512 });
    // No process works on what has arrived: each import is interrupted, and its next step may be asked for again.
    store = { ...files, start: (turn) => endTurn({ table, clock: Date.now }, turn) };
    handler = serve({
      routes: routesWith(store),
      open: {},
      table: stepping(table, () => step()),
      log,
      clock: Date.now,
      newId: randomUUID,
      ...LIMITS,
    });
    const bodies = createBodies({ silence: 600_000, whole: 600_000 }); // ms; a busy machine breaks off no slow client
    service = await listen({ handler, log, newId: randomUUID, bodies }, 0, '127.0.0.1');
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function addTestSite(name: string): Promise<Site> {
    const site = await newSite(table, { name, locales: ['en_us', 'de'] }, { default: name === 'test' });
    await addUser(table, name, 'Administrator');
    return site;
  }

  /** A session of the site's Administrator, without the second that checking a password takes. */
  async function signIn(site: string): Promise<Record<string, string>> {
    const { text, token } = newSession(
      certain(await readUser(table, site, LOGIN)),
      { name: 'test', keeps: false },
      Date.now(),
    );
    await addToken(table, site, token);
    return { Authorization: `Bearer ${text}` };
  }

  interface LeftRequest {
    readonly target: string; // with the method
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
  }

  /** The bytes of a request, cut where a client may leave. */
  function partsOf({ target, body, headers }: LeftRequest): string[] {
    const length = target.startsWith('GET') ? 1_048_576 : Buffer.byteLength(body);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const half = Math.ceil(body.length / 2);
    const head = `${target} HTTP/1.1\r\n${lines.join('')}`;
    return [head, `Content-Length: ${length}\r\n\r\n`, body.slice(0, half), body.slice(half)];
  }

  /** Sends a request and leaves at a step: after a part is sent, or at a call of the table. Returns whether it left. */
  async function leaveAt(parts: readonly string[], at: number): Promise<boolean> {
    const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    let count = 0;
    let hasLeft = false;
    const next = async (): Promise<void> => {
      if (count++ !== at) return;
      hasLeft = true;
      socket.destroy();
      await sleep(2); // for the server to notice
    };
    step = next;
    for (const part of parts) {
      if (part !== '' && !hasLeft) socket.write(part);
      await sleep(1);
      await next();
    }
    if (!hasLeft) await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    step = async () => undefined;
    socket.destroy();
    return hasLeft;
  }

  const own = (): Record<string, string> => ({
    Host: 'test.localhost',
    Authorization: `Bearer ${tokenOf('Administrator')}`,
  });
  const byPassword = { Authorization: basic(LOGIN, PASSWORD) };
  /** Each try is of another user, as ten wrong passwords of one are not checked any more. */
  const wrong = (at: number): string =>
    basic(`${ROLES[at % ROLES.length]?.toLowerCase().replaceAll(' ', '-')}@test.example`, 'a wrong password');

  // Connections call a help desk before they are stored, doorbells belong to one: test/lib/live tries them.
  const each = routes
    .filter(({ path }) => !/\/(connections|doorbells)/.test(path))
    .map((route, nth) => [route.name, { route, nth }] as const);

  describe.each(some(each, 50))('of %s', (name, { route, nth }) => {
    it('may leave at every step, takes nothing with it, and asks again', async () => {
      const site = await addTestSite(`site-${nth}`);
      const host = `${site.name}.localhost`;
      const usual = askThrough(handler, host);
      const works = testUploads({ table, site }, join(folder, site.name));
      await importRecords(table, site, RECORDS);
      const bySession = await signIn(site.name);
      const requestOf = createRequests({
        ...{ ask: usual, sent: { headers: bySession }, login: LOGIN, password: PASSWORD, ids: IDS },
        onImport: async (id) => {
          await works.work(id, 'check');
          if (name === 'showRejected') await works.work(id, 'load');
        },
      });
      /** A session ends with its request or with a changed password, and only a password begins one over the API. */
      const credentials = async () => {
        if (route.body.current_password !== undefined) return own();
        if (name === 'createSession') return byPassword;
        return name === 'deleteSession' ? signIn(site.name) : bySession;
      };
      const statuses: number[] = [];
      let at = 0;
      for (let hasLeft = true; hasLeft; at += at === 0 ? 1 + (nth % APART) : APART) {
        const { target, body } = await requestOf(route);
        const headers = { ...(await credentials()), Host: host, 'Idempotency-Key': randomUUID() };
        hasLeft = await leaveAt(partsOf({ target: `${route.method} ${target}`, body, headers }), at);
        await isFree(site.name);
        statuses.push((await usual(route.method, target, { body, headers })).status);
      }
      const success = REFUSED[name] ?? route.success;
      expect(statuses[0]).toBe(success); // who left before all was sent has done nothing
      for (const status of statuses) expect([success, ...doneBefore(route)]).toContain(status);
      expect(logged.splice(0).filter((line) => !isRefusal(line))).toEqual([]);
    });
  });

  it.each<[string, string, object, (at: number) => string]>([
    ['an unknown path', 'PATCH /api/v2/nothing', { name: 'x' }, () => own().Authorization ?? ''],
    ['a wrong sign-in', 'POST /api/v2/topics', { name: 'x' }, wrong],
  ])('may leave at every step of a request with %s', async (_, target, body, by) => {
    const parts = (at: number) =>
      partsOf({ target, body: JSON.stringify(body), headers: { Host: 'test.localhost', Authorization: by(at) } });
    let at = 0;
    while (await leaveAt(parts(at), at)) at += 1;
    expect(at).toBeGreaterThan(parts(0).length);
    await isFree('test');
    expect((await create()).status).toBe(201);
    expect(logged.splice(0).filter((line) => !isRefusal(line))).toEqual([]);
  });

  it('may send slowly, as often as it likes, and holds up nobody else', async () => {
    const slow = Array.from({ length: 200 }, () => connect(service.port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(slow.map((socket) => once(socket, 'connect')));
    const sent = partsOf({ target: 'POST /api/v2/topics', body: '{"name":"slow"}', headers: own() });
    for (const socket of slow) socket.write(sent.slice(0, 3).join(''));
    while (service.held().requests < slow.length) await sleep(10);
    expect(service.held().requests).toBe(slow.length);
    for (let n = 0; n < 5; n += 1) expect((await create()).status).toBe(201);
    for (const socket of slow) socket.destroy();
    await isFree('test');
  });

  it('may break off as many requests as it likes', async () => {
    const broken = Array.from({ length: 300 }, async () => {
      const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(partsOf({ target: 'GET /api/v2/topics', body: '', headers: own() }).join(''));
      await sleep(20);
      socket.destroy();
    });
    await Promise.all(broken);
    await isFree('test');
    expect((await create()).status).toBe(201);
  });

  const isRefusal = (line: unknown): boolean => /unavailable|sign-ins/.test(JSON.stringify(line));

  /** Waits until nothing is held for any client, nor on a site: no lock, no turn of imports, no part of a file. */
  async function isFree(site: string): Promise<void> {
    while (service.held().requests > 0) await sleep(10); // a password takes long to be hashed beside other jobs
    expect(service.held()).toEqual({ requests: 0, bytes: 0 });
    const held = [await table.get(keys.lock(site)), await table.get(keys.uploadTurn(site))];
    expect(held.map((item) => item?.owner)).toEqual([undefined, undefined]);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(files.filter((path) => path.endsWith('~part'))).toEqual([]);
  }

  const create = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${service.port}/api/v2/topics`, {
      method: 'POST',
      headers: own(),
      body: '{"name":"After"}',
    });
});

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Listening, listen } from '../../../../infra/local/server/server.ts';
import { ROLES } from '../../../../lib/access/roles.ts';
import { newTokenText, tokenHash } from '../../../../lib/access/tokens.ts';
import { serve } from '../../../../lib/http/serve.ts';
import type { Log } from '../../../../lib/log.ts';
import { routes } from '../../../../lib/routes.ts';
import { LIMITS } from '../../../../lib/settings.ts';
import { keys } from '../../../../lib/store/keys.ts';
import type { Table } from '../../../../lib/store/table.ts';
import { basic, PASSWORD } from '../../../support/service/credentials.ts';
import { addUser, newSite } from '../../../support/service/service.ts';
import { freshTable } from '../../../support/service/table.ts';
import { addToken } from '../../../support/service/tokens.ts';

const TOKEN = newTokenText('administrator@test.example');
const REPORT = {
  fields: ['case_creates'],
  time: { min: '2026-01-01T00:00:00Z', max: '2026-01-02T00:00:00Z', window_size: 'none' },
};
const HOURS = { mon: [['09:00', '17:00']] };

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
  let step: () => Promise<void> = async () => undefined;
  let lock: Parameters<Table['get']>[0];
  const logged: unknown[] = [];
  const log: Log = (level, message, details) => {
    if (level === 'warn' || level === 'error') logged.push({ level, message, details });
  };

  beforeAll(async () => {
    table = await freshTable();
    const site = await newSite(table, { name: 'test' });
    for (const role of ROLES) await addUser(table, site.name, role);
    await addToken(table, site.name, {
      hash: tokenHash(TOKEN),
      login: 'administrator@test.example',
      name: 'own',
      created: 0,
    });
    lock = keys.lock(site.name);
    const handler = serve({
      routes,
      open: {},
      table: stepping(table, () => step()),
      log,
      clock: Date.now,
      newId: randomUUID,
      ...LIMITS,
    });
    service = await listen({ handler, log, newId: randomUUID }, 0, '127.0.0.1');
  });
  afterAll(() => service.close());

  /** The bytes of a request, cut where a client may leave. */
  function partsOf(target: string, body: string, credentials: string): string[] {
    const length = target.startsWith('GET') ? 1_048_576 : body.length;
    const head = `${target} HTTP/1.1\r\nHost: test.localhost\r\nAuthorization: ${credentials}\r\n`;
    const half = Math.ceil(body.length / 2);
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

  const own = (): string => `Bearer ${TOKEN}`;
  const right = (): string => basic('administrator@test.example', PASSWORD);
  /** Each try is of another user, as ten wrong passwords of one are not checked any more. */
  const wrong = (at: number): string =>
    basic(`${ROLES[at % ROLES.length]?.toLowerCase().replaceAll(' ', '-')}@test.example`, 'a wrong password');

  it.each<[string, string, object | undefined, (at: number) => string]>([
    ['read', 'GET /api/v2/topics', undefined, own],
    ['create', 'POST /api/v2/topics', { name: 'Returns' }, own],
    ['report', 'POST /api/v2/insights3/reports', REPORT, own],
    ['list of cases', 'POST /api/v2/insights3/cases', REPORT, own],
    ['new board', 'POST /api/v2/boards', { name: 'Week' }, own],
    ['new alert without its report', 'POST /api/v2/alerts', { name: 'Backlog', saved_report: 99 }, own],
    ['new calendar', 'POST /api/v2/calendars', { name: 'Week', time_zone: 'Europe/Berlin', hours: HOURS }, own],
    ['change of the settings', 'PATCH /api/v2/site', { title: 'Desk' }, own],
    ['sign-in for a session', 'POST /api/v2/session', {}, right],
    ['read of an unknown path', 'PATCH /api/v2/nothing', { name: 'x' }, own],
    ['wrong sign-in', 'POST /api/v2/topics', { name: 'x' }, wrong],
  ])('may leave at every step of a %s, takes nothing with it, and is no error', async (_, target, body, by) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const parts = (at: number) => partsOf(target, text, by(at));
    let at = 0;
    while (await leaveAt(parts(at), at)) at += 1;
    expect(at).toBeGreaterThan(parts(0).length);
    await isFree();
    expect((await table.get(lock))?.owner).toBeUndefined();
    expect((await create()).status).toBe(201);
    expect(logged.filter((line) => !isRefusal(line))).toEqual([]);
  });

  it('may send slowly, as often as it likes, and holds up nobody else', async () => {
    const slow = Array.from({ length: 200 }, () => connect(service.port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(slow.map((socket) => once(socket, 'connect')));
    for (const socket of slow)
      socket.write(partsOf('POST /api/v2/topics', '{"name":"slow"}', own()).slice(0, 3).join(''));
    for (let wait = 0; wait < 500 && service.held().requests < slow.length; wait += 1) await sleep(10);
    expect(service.held().requests).toBe(slow.length);
    for (let n = 0; n < 5; n += 1) expect((await create()).status).toBe(201);
    for (const socket of slow) socket.destroy();
    await isFree();
  });

  it('may break off as many requests as it likes', async () => {
    const broken = Array.from({ length: 300 }, async () => {
      const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(partsOf('GET /api/v2/topics', '', own()).join(''));
      await sleep(20);
      socket.destroy();
    });
    await Promise.all(broken);
    await isFree();
    expect((await create()).status).toBe(201);
  });

  const isRefusal = (line: unknown): boolean => /unavailable|sign-ins/.test(JSON.stringify(line));

  /** Waits until nothing is held for any client. */
  async function isFree(): Promise<void> {
    for (let wait = 0; wait < 500 && service.held().requests > 0; wait += 1) await sleep(10);
    expect(service.held()).toEqual({ requests: 0, bytes: 0 });
  }

  const create = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${service.port}/api/v2/topics`, {
      method: 'POST',
      headers: { Authorization: own(), Host: 'test.localhost' },
      body: '{"name":"After"}',
    });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certain } from '../../../lib/certain.ts';
import { routes } from '../../../lib/routes.ts';
import { STILL_MS, StoodStill } from '../../../lib/store/lease.ts';
import type { Table } from '../../../lib/store/table.ts';
import { readTurn, TURN_MS, takeTurn } from '../../../lib/uploads/turn.ts';
import { readUpload } from '../../../lib/uploads/upload.ts';
import { watchedTable } from '../../support/faults/faulty-table.ts';
import { holdTimers } from '../../support/service/held-timers.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { testUploads } from '../../support/service/uploads.ts';

const RENEWAL = TURN_MS / 5; // ms
const ID = 1; // of the import
const EVENT = '{"type":"case.created","id":"a","case":7,"at":"2026-10-01T10:00:00Z"}';
const folder = await mkdtemp(join(tmpdir(), 'kept-turn-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

let service: TestService;
let now: number; // epoch ms
const clock = () => now;
const timers = holdTimers();

beforeEach(async () => {
  service = await startService(routes);
  now = Date.now();
  // Renewals alone come when the test says so; the table's own waits are real.
  timers.hold();
});
afterEach(() => {
  timers.release();
});

/** Something that is waited for. */
function signal() {
  const to: { give?: () => void } = {};
  const given = new Promise<void>((resolve) => {
    to.give = resolve;
  });
  return { given, give: () => to.give?.() };
}

/** A worker in the middle of its work, which takes as long as the test likes. */
async function startWork(onError?: (error: unknown) => void) {
  const [free, begun] = [signal(), signal()];
  const fetch = (): Promise<void> => {
    begun.give();
    return free.given;
  };
  const done = testUploads(service, folder, onError, { clock, fetch }).bring(EVENT, {}, 'events.ndjson');
  await begun.given;
  return { goOn: free.give, done };
}

/** The service with a table whose writes by a work take `ms` of the test's time each; those that renew a turn are fast. */
function slowService(ms: number): Pick<TestService, 'table' | 'site'> {
  const { table, site } = service;
  const metered: Table['metered'] = (usage) => watchedTable(table.metered(usage), () => pass(ms, true));
  return { site, table: { ...table, metered } };
}

const turn = () => readTurn(service, service.site.name);
const another = (id?: number) => takeTurn({ ...service, clock }, { site: service.site.name, owner: 'another', id });

/** Time passes; the timers of a worker that hangs never fire. */
async function pass(ms: number, isAlive: boolean): Promise<void> {
  now += ms;
  if (!isAlive) return;
  const before = await turn();
  timers.pass(ms);
  for (let n = 0; n < 200 && (await turn()).expiresAt === before.expiresAt; n += 1)
    await new Promise((soon) => setTimeout(soon, 5));
}

describe('the turn of an import at work', () => {
  it('stays with a worker that works, however long that takes', async () => {
    const { goOn, done } = await startWork();
    for (let passed = 0; passed < 4 * TURN_MS; passed += RENEWAL) {
      await pass(RENEWAL, true);
      expect([await another(), await another(ID)]).toEqual([undefined, undefined]);
    }
    goOn();
    expect(await done).toMatchObject({ status: 'done', checked: { added: 1 } });
    expect(await another()).toMatchObject({ owner: 'another' });
  });

  it('goes to another where a worker hangs, which then changes nothing any more', async () => {
    const { goOn, done } = await startWork();
    await pass(TURN_MS - 1, false);
    expect(await another(ID)).toBeUndefined();
    await pass(1, false);
    const next = testUploads(service, folder, undefined, { clock });
    expect(await next.work(ID, 'check')).toMatchObject({ status: 'done', checked: { added: 1 } });
    const left = certain(await readUpload(service.table, service.site.name, ID));
    now += 1_000;
    goOn(); // it wakes up before it has heard that its turn is over
    expect(await done).toEqual(left);
    expect(await readUpload(service.table, service.site.name, ID)).toEqual(left);
  });

  it('stays with a worker that is slow, as long as it gets on', async () => {
    const { id } = await testUploads(service, folder, undefined, { clock }).bring(EVENT, {}, 'events.ndjson');
    const begun = now;
    const loaded = await testUploads(slowService(STILL_MS - RENEWAL), folder, undefined, { clock }).work(id, 'load');
    expect(loaded).toMatchObject({ status: 'done', loaded: { added: 1 } });
    expect(now - begun).toBeGreaterThan(STILL_MS);
    expect(await another()).toMatchObject({ owner: 'another' });
  });

  it('ends where a worker waits for ever, which is told, and changes nothing if it wakes up', async () => {
    const errors: unknown[] = [];
    const { goOn, done } = await startWork((error) => errors.push(error));
    await pass(STILL_MS, true);
    expect(await another()).toBeUndefined();
    timers.pass(2 * RENEWAL);
    const left = await done;
    expect(left).toMatchObject({ status: 'failed', problem: expect.stringContaining('stood still for half an hour') });
    expect(errors).toEqual([expect.any(StoodStill)]);
    goOn();
    expect(await testUploads(service, folder, undefined, { clock }).work(ID, 'check')).toMatchObject({
      status: 'done',
    });
  });
});

import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '../../../lib/routes.ts';
import { keys } from '../../../lib/store/keys.ts';
import { doNextStep } from '../../../lib/uploads/next-step.ts';
import { handOver, takeTurn } from '../../../lib/uploads/turn.ts';
import { readUpload, type Upload } from '../../../lib/uploads/upload.ts';
import type { WorkTools } from '../../../lib/uploads/work.ts';
import { startService, type TestService } from '../../support/service/service.ts';

const CASES = 40;
const LONG = 'x'.repeat(500);
const line = (n: number, id = 'a', at = '2026-01-05T10:00:00Z'): string =>
  JSON.stringify({ type: 'case.created', id, at, case: n, channel: 1, custom_fields: { 9: LONG } });
/** Forty cases, one line that is none, and one event that conflicts with another of its case. */
const LINES = [
  ...Array.from({ length: CASES }, (_, n) => line(n + 1)),
  '{"type":',
  line(7, 'a', '2026-01-06T10:00:00Z'),
];

let service: TestService;
let folder: string;

beforeEach(async () => {
  service = await startService(routes);
  folder = await mkdtemp(join(tmpdir(), 'steps-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A workshop whose steps end after so many groups, or are late at once. */
function toolsOf(limit: { readonly groups?: number; readonly isLate?: boolean }): WorkTools {
  let left = limit.groups ?? Number.POSITIVE_INFINITY;
  return {
    ...{ table: service.table, clock: Date.now, newId: randomUUID, folder },
    findPack: async () => {
      throw new Error('no packs here');
    },
    pathOf: ({ name }) => join(folder, name),
    drop: async () => undefined,
    dropRejected: () => rm(join(folder, 'file.rejected.ndjson'), { force: true }),
    ending: new AbortController().signal,
    onError: (error) => {
      throw error;
    },
    compaction: { fold: async () => false },
    spillBounds: { waiting: 4_000, group: 4_000 },
    limit: { isOver: () => (left -= 1) <= 0, isLate: () => limit.isLate ?? false },
  };
}

/** An import that waits for its next step. */
async function begun(work: 'check' | 'load', fields: Partial<Upload> = {}): Promise<number> {
  const { table, site } = service;
  const context = { table, clock: Date.now };
  const turn = await takeTurn(context, { site: site.name, owner: 'api', ...(fields.id ? { id: fields.id } : {}) });
  if (turn === undefined) throw new Error('somebody has the turn');
  const upload: Upload = {
    ...{ id: turn.id, name: 'file', size: 1, login: 'ann', given: { format: 'ndjson' }, created_at: 1, updated_at: 1 },
    ...{ work, status: 'working', problem: null, progress: null, touched: false },
    ...{ found: null, checked: null, loaded: null, merged: null, changes: [] },
    ...fields,
  };
  const { given, found, checked, loaded, merged, ...rest } = upload;
  const parts = JSON.stringify({ given, found, checked, loaded, merged });
  await table.put({ ...keys.upload(site.name, turn.id), ...rest, parts });
  await handOver(context, turn);
  return turn.id;
}

const next = (id: number, tools: WorkTools): Promise<boolean> =>
  doNextStep({ tools, pause: async () => undefined }, { site: service.site.name, id });
const found = (id: number) => readUpload(service.table, service.site.name, id);

/** Does steps of so many groups until none is due; gives how many there were. */
async function inSteps(id: number, groups: number): Promise<number> {
  let steps = 1;
  while (await next(id, toolsOf({ groups }))) steps += 1;
  return steps;
}

async function checkedAndLoaded(groups: number): Promise<{ readonly steps: number; readonly upload: Upload }> {
  await writeFile(join(folder, 'file'), LINES.join('\n'));
  const id = await begun('check');
  await inSteps(id, groups);
  const checked = await found(id);
  await begun('load', { ...checked, work: 'load', status: 'working' } as Upload);
  const steps = await inSteps(id, groups);
  return { steps, upload: (await found(id)) as Upload };
}

describe('an import in steps', () => {
  it('comes to what one step comes to: counts, rejected lines, and reports', async () => {
    const whole = await checkedAndLoaded(Number.POSITIVE_INFINITY);
    expect(whole.steps).toBe(1);
    expect(whole.upload).toMatchObject({ status: 'done', loaded: { added: CASES, rejected: 2 }, merged: null });
    const rejected = await readFile(join(folder, 'file.rejected.ndjson'), 'utf8');
    service = await startService(routes);
    const cut = await checkedAndLoaded(1);
    expect(cut.steps).toBeGreaterThan(3);
    expect(cut.upload.checked).toEqual(whole.upload.checked);
    expect(cut.upload.loaded).toEqual(whole.upload.loaded);
    expect(await readFile(join(folder, 'file.rejected.ndjson'), 'utf8')).toBe(rejected);
    const time = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'none' };
    const { body } = await service.ask('POST', '/api/v2/insights3/reports', {
      body: { fields: ['case_creates'], time },
    });
    expect(body.data[0][3]).toBe(CASES);
  });

  it('fails with a sentence where a step cannot even read the file', async () => {
    await writeFile(join(folder, 'file'), LINES.join('\n'));
    const id = await begun('check');
    expect(await next(id, toolsOf({ isLate: true }))).toBe(false);
    expect(await found(id)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('too large to be read'),
    });
  });

  it('does a step once where two hear of it, and takes up one whose worker died', async () => {
    await writeFile(join(folder, 'file'), LINES.join('\n'));
    const id = await begun('check');
    const both = await Promise.all([next(id, toolsOf({ groups: 1 })), next(id, toolsOf({ groups: 1 }))]);
    expect(both.sort()).toEqual([false, true]);
    // Somebody took the turn and died with it: it runs out before the message comes again.
    const { table, site } = service;
    await takeTurn({ table, clock: Date.now }, { site: site.name, owner: 'dead', id, isHanded: true });
    expect(await next(id, toolsOf({}))).toBe(false); // it might live
    await table.put({ ...(await table.get(keys.uploadTurn(site.name))), ...keys.uploadTurn(site.name), expiresAt: 1 });
    expect(await next(id, toolsOf({}))).toBe(false);
    expect(await found(id)).toMatchObject({ status: 'done', checked: { events: CASES + 1, added: CASES } });
    expect(await next(id, toolsOf({}))).toBe(false); // a message too many
  });

  it('begins anew where its source was removed between two steps', async () => {
    await writeFile(join(folder, 'file'), LINES.join('\n'));
    const id = await begun('check');
    await inSteps(id, Number.POSITIVE_INFINITY);
    const upload = (await found(id)) as Upload;
    const merged = { groups: ['never-made'], cases: { added: 0, changed: 0 }, fates: {}, removed: 7, erased: 0 };
    await begun('load', { ...upload, work: 'load', status: 'working', merged });
    await inSteps(id, Number.POSITIVE_INFINITY);
    expect((await found(id))?.loaded).toMatchObject({ added: CASES, removed: 0 });
  });
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { newTokenText, readTokenText } from '../../../lib/access/tokens.ts';
import { some } from '../../support/generators/depth.ts';
import { basic, CHEAP_HASH } from '../../support/service/credentials.ts';
import { ownProgram } from '../../support/service/own-program.ts';
import { addUser, newSite } from '../../support/service/service.ts';
import { putUser } from '../../support/service/stored-access.ts';
import { freshTable, hasEngine } from '../../support/service/table.ts';
import { addToken } from '../../support/service/tokens.ts';

const PROCESSES = 8;
const LOGIN = 'administrator@test.example';
const TIME = Date.parse('2026-03-01T12:00:20Z');
const run = promisify(execFile);
const printed = z.object({ counts: z.record(z.string(), z.number()), writeUnits: z.number() });

/** Asks a service of so many processes of its own all at once; the sums of what they print. */
async function ask(table: string, authorization: string, requests: number) {
  const program = ownProgram('test/support/service/limit-worker.ts');
  const args = [program, table, 'test.localhost', authorization, `${TIME}`, `${requests}`];
  const all = await Promise.all(Array.from({ length: PROCESSES }, () => run(process.execPath, args)));
  const each = all.map(({ stdout }) => printed.parse(JSON.parse(stdout)));
  const sum = (status: string): number => each.reduce((all, { counts }) => all + (counts[status] ?? 0), 0);
  return { sum, writeUnits: each.reduce((all, one) => all + one.writeUnits, 0) };
}

it.each(some(hasEngine ? (['lmdb', 'engine'] as const) : (['lmdb'] as const)))(
  'the rate limit holds within a tenth under 8 processes on %s',
  async (store) => {
    const table = await freshTable(store);
    await newSite(table, { name: 'test', rateLimit: 400 });
    await addUser(table, 'test', 'Administrator');
    const token = newTokenText(LOGIN);
    const { hash = '' } = readTokenText(token) ?? {};
    const used = new Date(TIME).toISOString().slice(0, 10);
    await addToken(table, 'test', { hash, login: LOGIN, name: 'test', created: TIME, used });
    // Each of a few could use the limit up, so that no process ends with a share that others would have used.
    const { sum, writeUnits } = await ask(table.name, `Bearer ${token}`, 120);
    expect(sum('200') + sum('429')).toBe(960);
    expect(sum('200')).toBeGreaterThanOrEqual(360);
    expect(sum('200')).toBeLessThanOrEqual(440);
    expect(writeUnits).toBeLessThan(960 / 32);
  },
);

it('wrong passwords are refused unchecked after ten under 8 processes, but for those under way', async () => {
  const table = await freshTable();
  await newSite(table, { name: 'test' });
  await putUser(table, 'test', { login: LOGIN, role: 'Administrator', deleted: false, password: CHEAP_HASH }, true);
  const { sum } = await ask(table.name, basic(LOGIN, 'wrong password'), 6);
  expect(sum('401') + sum('429')).toBe(48);
  expect(sum('401')).toBeGreaterThanOrEqual(10);
  expect(sum('401')).toBeLessThan(10 + PROCESSES);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../../infra/local/table/store.ts';
import { newTokenText, readTokenText } from '../../../lib/access/tokens.ts';
import { tries } from '../../support/generators/depth.ts';
import { type Running, startProgram, withFolder } from '../../support/service/program.ts';
import { newSite } from '../../support/service/service.ts';
import { putUser } from '../../support/service/stored-access.ts';
import { addToken } from '../../support/service/tokens.ts';

const ROUNDS = tries(4, 1 / 4); // of killing
const LOGIN = 'ann@test.example';

/** A folder with a site and a user; returns a token of that user. */
async function prepare(folder: string): Promise<string> {
  const { table, close } = await openStore(folder);
  await newSite(table, { name: 'test' });
  await putUser(table, 'test', { login: LOGIN, role: 'Administrator', deleted: false }, true);
  const token = newTokenText(LOGIN);
  const { hash = '' } = readTokenText(token) ?? {};
  await addToken(table, 'test', { hash, login: LOGIN, name: 'test', created: Date.now() });
  await close();
  return token;
}

it('creates one resource for each key, however often the service is killed and the request repeated', async () => {
  await withFolder(async (folder) => {
    const headers = { Authorization: `Bearer ${await prepare(folder)}` };
    let service: Running = await startProgram(folder);
    let key = 0;

    /** Sends creates, each until it is answered, until the service dies. */
    async function create(url: string): Promise<void> {
      for (;;) {
        const body = JSON.stringify({ name: `topic ${key}` });
        const sent = { ...headers, 'Idempotency-Key': `key ${key}` };
        const reply = await fetch(`${url}/api/v2/topics`, { method: 'POST', headers: sent, body });
        if (reply.status !== 201) throw new Error(`${reply.status}: ${await reply.text()}`);
        key += 1;
      }
    }

    for (let round = 0; round < ROUNDS; round += 1) {
      const before = key;
      const dying = create(service.url).catch((error: unknown) => error);
      while (key < before + 3) await sleep(5);
      await sleep(Math.random() * 50);
      await service.end('SIGKILL');
      expect(String(await dying)).toMatch(/fetch failed|terminated/);
      service = await startProgram(folder);
    }
    const last = create(service.url).catch(() => undefined);
    const before = key;
    while (key < before + 3) await sleep(5);
    await service.end('SIGTERM');
    await last;
    service = await startProgram(folder);
    const page = await fetch(`${service.url}/api/v2/topics?per_page=1000`, { headers });
    const { _embedded } = (await page.json()) as { _embedded: { entries: { name: string }[] } };
    const names = _embedded.entries.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(key);
    expect(names.length).toBeLessThanOrEqual(key + 1); // one may have been done and not answered
    await service.end('SIGTERM');
  });
});

import type { Site } from '../../lib/access/site-fields.ts';
import { newTokenText, tokenHash } from '../../lib/access/tokens.ts';
import { routes } from '../../lib/routes.ts';
import { saysOf } from '../support/service/says.ts';
import { type Ask, itInProcess, type Sent, startService } from '../support/service/service.ts';
import { addToken } from '../support/service/tokens.ts';

const PROCESSES = 8;
const MINUTE = 60_000;

/** A site with a limit for each user, or with those given, served by several processes: each remembers for itself. */
async function limited(limits: number | Pick<Site, 'rateLimit' | 'siteRateLimit'>) {
  const site = typeof limits === 'number' ? { rateLimit: limits } : limits;
  const service = await startService(routes, { roles: ['Administrator', 'Content Manager'], site });
  const processes = Array.from({ length: PROCESSES }, () => service.again({}));
  const text = newTokenText('administrator@test.example'); // a password is checked slowly in each process
  const token = { hash: tokenHash(text), login: 'administrator@test.example', name: 'test', created: service.now.at };
  await addToken(service.table, service.site.name, token);
  return { ...service, processes, by: { as: null, headers: { Authorization: `Bearer ${text}` } } };
}

const ask = (process: Ask | undefined, sent: Sent = {}) =>
  process?.('GET', '/api/v2/users/me', sent) ?? Promise.reject(new Error('no such process'));

/** How many of so many requests pass, sent to one process after the other. */
async function passing(processes: readonly Ask[], by: Sent, requests: number): Promise<number> {
  let passed = 0;
  for (let at = 0; at < requests; at += 1)
    if ((await ask(processes[at % processes.length], by)).status === 200) passed += 1;
  return passed;
}

describe('the rate limit', () => {
  itInProcess('says the truth in its headers, counts each user alone, and begins anew with the minute', async () => {
    const { processes, now } = await limited(5);
    const [one] = processes;
    now.at += 20_000;
    const left: (string | undefined)[] = [];
    for (let at = 0; at < 5; at += 1) left.push((await ask(one)).headers['x-rate-limit-remaining']);
    expect(left).toEqual(['4', '3', '2', '1', '0']);
    const refused = await ask(one);
    expect([refused.status, refused.body]).toEqual([
      429,
      { message: 'Too Many Requests', details: [saysOf('too_many_requests', /^The limit of \d+ requests a minute/)] },
    ]);
    expect(refused.headers).toMatchObject({
      'x-rate-limit-limit': '5',
      'x-rate-limit-remaining': '0',
      'x-rate-limit-reset': '40',
      'retry-after': '40',
    });
    expect((await ask(processes[1])).status).toBe(429);
    expect((await ask(one, { as: 'Content Manager' })).status).toBe(200);
    now.at += 40_000;
    expect((await ask(one)).headers).toMatchObject({ 'x-rate-limit-remaining': '4', 'x-rate-limit-reset': '60' });
  });

  itInProcess('of a site counts all its users together, and tells of the limit that leaves the fewest', async () => {
    const { processes, now } = await limited({ rateLimit: 5, siteRateLimit: 8 });
    const [one] = processes;
    const other = { as: 'Content Manager' } as const;
    const left: unknown[] = [];
    for (const sent of [{}, {}, {}, {}, other, other, other, other]) {
      const { status, headers } = await ask(one, sent);
      left.push([status, headers['x-rate-limit-limit'], headers['x-rate-limit-remaining']]);
    }
    const ofUser = ['4', '3', '2', '1'].map((remaining) => [200, '5', remaining]);
    expect(left).toEqual([...ofUser, ...['3', '2', '1', '0'].map((remaining) => [200, '8', remaining])]);
    const refused = await ask(one, other);
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({ 'x-rate-limit-limit': '8', 'retry-after': '60' });
    expect((await ask(processes[1])).status).toBe(429);
    now.at += MINUTE;
    expect((await ask(one, other)).status).toBe(200);
  });

  itInProcess('of a site holds across 8 processes within a tenth', async () => {
    const { processes, by } = await limited({ siteRateLimit: 300 });
    const passed = await passing(processes, by, 390);
    expect(passed).toBeGreaterThanOrEqual(270);
    expect(passed).toBeLessThanOrEqual(330);
  });

  itInProcess('answers 401 to who cannot sign in, and counts nobody else for it', async () => {
    const { processes, by } = await limited(3);
    for (let at = 0; at < 5; at += 1) {
      const headers = { Authorization: 'Bearer none.of.ours' };
      expect((await processes[0]?.('GET', '/api/v2/users/me', { as: null, headers }))?.status).toBe(401);
    }
    expect(await passing(processes, by, 5)).toBe(3);
  });

  itInProcess.each([300, 1200])(
    'of %i holds across 8 processes within a tenth, at once and evenly asked',
    async (limit) => {
      const { processes, by, now } = await limited(limit);
      for (let minute = 0; minute < 2; minute += 1) {
        const passed = await passing(processes, by, Math.round(limit * 1.3));
        expect(passed).toBeGreaterThanOrEqual(limit * 0.9);
        expect(passed).toBeLessThanOrEqual(limit * 1.1);
        now.at += MINUTE;
      }
    },
  );

  itInProcess('refuses nobody who stays a tenth below it, however the requests are spread', async () => {
    const { processes, by, now } = await limited(1200);
    for (let minute = 0; minute < 2; minute += 1) {
      expect(await passing(processes, by, 1080)).toBe(1080);
      now.at += MINUTE;
    }
  });

  itInProcess('loses no more than an eighth with a process that ends', async () => {
    const { processes, by, now } = await limited(1200);
    const [first, second] = processes.map((process) => [process]);
    expect(await passing(first!, by, 100)).toBe(100);
    now.at += MINUTE; // it was alone the minute before
    expect(await passing(first!, by, 100)).toBe(100);
    expect(await passing(second!, by, 1100)).toBeGreaterThanOrEqual(1100 - 1200 / 8);
  });

  itInProcess('costs less than a write in 50 requests', async () => {
    const { table, again, logged, by } = await limited(1200);
    const before = logged.length;
    await passing([again({ table })], by, 1200);
    const writes = logged.slice(before).filter(({ writeUnits }) => Number(writeUnits) > 0);
    expect(writes.length).toBeLessThan(1200 / 50);
  });
});

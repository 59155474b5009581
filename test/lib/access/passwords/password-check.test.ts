import { createPasswordCheck } from '../../../../lib/access/passwords/password-check.ts';
import { hashPassword, isOutdated, passwordFault } from '../../../../lib/access/passwords/passwords.ts';
import { PASSWORD_HASH } from '../../../support/service/credentials.ts';

const known = { hash: 'right', salt: '', N: 1, r: 1, p: 1 };
const never = new AbortController().signal;
const attempt = (password: string, login = 'ann') => ({ login, password, stored: known });

/** Checks that end when a test says so. */
function slowChecks() {
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const checks = createPasswordCheck(async (password) => {
    begun.push(password);
    await new Promise<void>((resolve) => ends.push(resolve));
    return password === 'right';
  });
  return { checks, begun, endAll: () => ends.splice(0).map((end) => end()) };
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('checks of passwords', () => {
  it('run four at a time; 64 wait, and further ones are sent away', async () => {
    const { checks, begun, endAll } = slowChecks();
    const all = Array.from({ length: 70 }, (_, n) => checks.check(attempt(`wrong ${n}`), 0, never));
    const outcomes = Promise.allSettled(all);
    await settle();
    expect(begun).toHaveLength(4);
    for (let round = 0; round < 20; round += 1) {
      endAll();
      await settle();
    }
    const failed = (await outcomes).filter(({ status }) => status === 'rejected');
    expect([begun.length, failed.length]).toEqual([68, 2]);
  });

  it('leave the queue with the request that asked for them', async () => {
    const { checks, begun, endAll } = slowChecks();
    const four = Array.from({ length: 4 }, (_, n) => checks.check(attempt(`wrong ${n}`), 0, never));
    const leaving = new AbortController();
    const fifth = checks.check(attempt('left'), 0, leaving.signal);
    leaving.abort();
    await expect(fifth).rejects.toMatchObject({ kind: 'unavailable' });
    endAll();
    await Promise.all(four);
    expect(begun).not.toContain('left');
  });

  it('go on for equal attempts of others when the request that asked for them leaves the queue', async () => {
    const { checks, begun, endAll } = slowChecks();
    const four = Array.from({ length: 4 }, (_, n) => checks.check(attempt(`wrong ${n}`), 0, never));
    const leaving = new AbortController();
    const first = checks.check(attempt('right'), 0, leaving.signal);
    const others = [checks.check(attempt('right'), 0, never), checks.check(attempt('right'), 0, never)];
    leaving.abort();
    await expect(first).rejects.toMatchObject({ kind: 'unavailable' });
    endAll();
    await Promise.all(four);
    await settle();
    endAll();
    expect(await Promise.all(others)).toEqual([true, true]);
    expect(begun.filter((password) => password === 'right')).toHaveLength(1);
  });

  it('are shared by equal attempts of one login alone, whether anybody has it or not', async () => {
    const { checks, begun, endAll } = slowChecks();
    const all = ['ann', 'ann', 'bob'].map((login) =>
      checks.check({ login, password: 'x', stored: undefined }, 0, never),
    );
    await settle();
    endAll();
    await Promise.all(all);
    expect(begun).toHaveLength(2);
  });

  it('are remembered for half an hour when they were right', async () => {
    const { checks, begun, endAll } = slowChecks();
    const first = checks.check(attempt('right'), 0, never);
    await settle();
    endAll();
    expect(await first).toBe(true);
    expect(await checks.check(attempt('right'), 1_799_999, never)).toBe(true);
    expect(checks.rememberedUntil(attempt('right'))).toBe(1_800_000);
    expect(checks.rememberedUntil(attempt('wrong'))).toBe(0);
    expect(begun).toHaveLength(1);
    const late = checks.check(attempt('right'), 1_800_000, never);
    await settle();
    expect(begun).toHaveLength(2);
    endAll();
    expect(await late).toBe(true);
  });
});

describe('a password', () => {
  it('is hashed at the cost that OWASP asks for', async () => {
    const hash = await hashPassword('correct horse');
    expect(hash).toMatchObject({ N: 2 ** 17, r: 8, p: 1 });
    expect([isOutdated(hash), isOutdated({ ...hash, N: 2 ** 15 })]).toEqual([false, true]);
    expect(PASSWORD_HASH).toMatchObject({ N: hash.N, r: hash.r, p: hash.p }); // test users sign in at the same cost
  });

  it.each([
    ['eleven char', 'at least 12'],
    ['qwertyuiop123', 'one of the first'],
    ['Password12345', 'one of the first'],
    ['aaaaaaaaaaaaaa', 'one of the first'],
    ['Ann@Acme.example', 'cannot be the password'],
  ])('cannot be %j', (password, reason) => {
    expect(passwordFault(password, 'ann@acme.example')).toContain(reason);
  });

  it('cannot be the one of the demo site, which stands in every copy of the project', () => {
    expect(passwordFault('demo-password', 'ann@acme.example')).toContain('one of the first');
  });
});

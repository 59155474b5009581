import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startZammad, type ZammadDesk } from '../../support/desks/zammad-desk.ts';
import { command } from '../../support/service/command.ts';
import { run } from '../../support/service/program.ts';

const DAY = 86_400_000;
let folder: string;
let desk: ZammadDesk;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'support-'));
  desk = await startZammad();
  desk.add(12, Date.now() - 40 * DAY, Date.now() - DAY);
  expect((await command(['site', 'add', 'acme', '--data-dir', folder])).status).toBe(0);
});
afterAll(async () => {
  await desk.close();
  await rm(folder, { recursive: true, force: true });
});

const its = () => ['--site', 'acme', '--data-dir', folder];
const support = (...args: string[]) => command([...args, ...its()]);
const json = async (...args: string[]) => {
  const { status, out, err } = await support(...args, '--json');
  return { status, err, json: out === '' ? undefined : JSON.parse(out) };
};
/** In a process of its own, which has a standard input. */
const connect = (lines: string, ...more: string[]) =>
  run(['connect', 'zammad', '--url', desk.url, '--token-stdin', ...more, ...its()], { input: lines });

describe('connect', () => {
  it('refuses with exit 2, in the words of the API, and stores nothing', async () => {
    expect(await connect('wrong-token\n')).toMatchObject({
      status: 2,
      err: expect.stringContaining('refuses the credentials: 401'),
    });
    expect(await connect('right-token\n', '--interval', '5')).toMatchObject({ status: 2 });
    expect(await connect('\n')).toMatchObject({ status: 2, err: 'The token is empty.\n' });
    expect(await run(['connect', 'zammad', '--url', desk.url, ...its()])).toMatchObject({
      ...{ status: 2, err: expect.stringContaining('add --token-stdin') },
    });
    expect(await support('connection', 'list')).toMatchObject({
      status: 0,
      out: 'The site is connected to no help desk.\n',
    });
  });

  it('connects by a token from standard input, and its second line is the secret of webhooks', async () => {
    const { status, out, err } = await connect('right-token\na bell\n'.replace(' ', '-'), '--json');
    expect([status, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({
      id: 1,
      system: 'zammad',
      state: 'backfilling',
      doorbell: { has_secret: true },
    });
    expect(out).not.toContain('right-token');
    expect(out).not.toContain('a-bell');
    expect(await connect('right-token\n')).toMatchObject({
      status: 2,
      err: expect.stringContaining('connected to a help desk already'),
    });
  });
});

describe('connection', () => {
  it('pulls without a service until all is in', async () => {
    const { status, json: shown } = await json('connection', 'pull', '1');
    expect([status, shown.state, shown.backfill]).toMatchObject([0, 'live', { done: true, cases: 12 }]);
    desk.answer(3, Date.now());
    expect((await json('connection', 'pull', '1')).json.last_pull).toMatchObject({ cases: 1 });
    expect((await support('connection', 'list')).out).toMatch(/1 +zammad +127\.0\.0\.1:\d+ +live/);
    expect((await support('connection', 'show', '1')).out).toMatch(/state: live\nas of: \d{4}-/);
  });

  it("compares with the help desk's own figures, and ends with 1 if one is unexplained", async () => {
    const same = await json('connection', 'check', '1');
    expect([same.status, same.json]).toMatchObject([0, { state: 'done', cases: 12, unexplained: 0 }]);
    desk.tickets[4]!.article_count = 40;
    const { status, out } = await support('connection', 'check', '1', '--cases', '12');
    expect([status, out]).toEqual([1, expect.stringMatching(/^12 cases: \d+ equal, .*1 unexplained/)]);
    expect(out).toMatch(/case 5: parts \d here, 40 there, unexplained\n {2}20\d\d-.* is created/);
    expect(await support('connection', 'check', '1', '--cases', '0')).toMatchObject({ status: 2 });
    expect(await support('connection', 'check', '7')).toMatchObject({ status: 2 });
    Object.assign(desk.tickets[4]!, { article_count: undefined });
  });

  it('pauses, resumes, and takes another token once it was tried', async () => {
    expect((await json('connection', 'pause', '1')).json).toMatchObject({ state: 'paused' });
    expect(await support('connection', 'pull', '1')).toMatchObject({
      status: 2,
      err: expect.stringContaining('resume it first'),
    });
    expect((await json('connection', 'resume', '1')).json).toMatchObject({ state: 'live' });
    const rotate = (token: string) =>
      run(['connection', 'rotate', '1', '--token-stdin', ...its()], { input: `${token}\n` });
    desk.token = 'new-token';
    expect(await json('connection', 'pull', '1')).toMatchObject({
      status: 1,
      json: { state: 'failing', error: { code: 'refused' } },
    });
    expect((await rotate('wrong')).status).toBe(2);
    expect((await rotate('new-token')).status).toBe(0);
    expect(await json('connection', 'pull', '1')).toMatchObject({ status: 0, json: { state: 'live', error: null } });
  });

  it('refuses an unknown id, a removal without --yes or without a word about the facts, with exit 2', async () => {
    expect(await support('connection', 'show', '7')).toMatchObject({
      status: 2,
      err: expect.stringContaining('connection 7'),
    });
    expect((await support('connection', 'remove', '1', '--facts', 'keep')).status).toBe(2);
    expect((await support('connection', 'remove', '1', '--yes')).status).toBe(2);
    expect((await json('connection', 'show', '1')).status).toBe(0);
  });

  it('disconnects with its facts', async () => {
    expect(await support('connection', 'remove', '1', '--facts', 'remove', '--yes')).toMatchObject({ status: 0 });
    expect((await json('source', 'list')).json).toEqual([]);
    expect((await json('connection', 'list')).json).toMatchObject({ total_entries: 0 });
  });
});

import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { command } from '../../support/service/command.ts';
import { basic } from '../../support/service/credentials.ts';
import { run, startByNpm, startProgram, withFolder } from '../../support/service/program.ts';

/** What a folder shows of its table: the rights of the folder and of each file. */
async function rightsOf(folder: string): Promise<string[]> {
  const all = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
  const modes = await Promise.all(all.map(async (path) => (await stat(path)).mode & 0o777));
  return [...new Set(modes.map((mode) => mode.toString(8)))];
}

describe('npm start', () => {
  it('serves until it is told to end, from a folder that nobody else may look into', async () => {
    await withFolder(async (folder) => {
      const service = await startProgram(folder);
      expect(await fetch(`${service.url}/health`).then((reply) => reply.json())).toEqual({ status: 'ok' });
      expect(await rightsOf(folder)).toEqual(['700', '600']);
      const { status } = await service.end('SIGTERM');
      expect([status, service.err()]).toEqual([0, '']);
    });
  });

  it('ends when npm, which started it, is told to end', async () => {
    await withFolder(async (folder) => {
      const npm = await startByNpm(folder);
      await npm.end('SIGTERM');
      await expect(fetch(npm.url)).rejects.toThrow();
    });
  });

  it('goes on with what a killed service had acknowledged', async () => {
    await withFolder(async (folder) => {
      const first = await startProgram(folder);
      expect((await run(['site', 'add', 'kept', '--data-dir', folder])).status).toBe(0);
      await first.end('SIGKILL');
      const second = await startProgram(folder);
      expect((await run(['site', 'list', '--data-dir', folder])).out).toContain('kept');
      await second.end('SIGINT');
    });
  });

  it('shares a folder with services and commands that start at once', async () => {
    await withFolder(async (folder) => {
      const [a, b, ...commands] = await Promise.all([
        startProgram(folder),
        startProgram(folder),
        ...['one', 'two'].map((site) => run(['site', 'add', site, '--data-dir', folder])),
      ]);
      expect(commands.map(({ status }) => status)).toEqual([0, 0]);
      await a.end('SIGTERM');
      expect((await fetch(`${b.url}/health`)).status).toBe(200);
      await b.end('SIGTERM');
    });
  });

  it('says in one sentence why it cannot listen, and leaves nothing running', async () => {
    await withFolder(async (folder) => {
      const other = createServer();
      const port = await new Promise<number>((resolve) =>
        other.listen(0, '127.0.0.1', () => resolve(Number(Object(other.address()).port))),
      );
      const { status, err } = await run(['start', '--data-dir', folder], { env: { PORT: `${port}`, DEMO: '0' } });
      other.close();
      expect([status, err.trim().split('\n').length]).toEqual([1, 1]);
      expect(err).toContain(`Port ${port} of 127.0.0.1 is in use`);
    });
  });
});

describe('sites and users from the command line', () => {
  const state: { service?: Awaited<ReturnType<typeof startProgram>>; leave?: () => void } = {};
  let folder = '';

  beforeAll(async () => {
    await new Promise<void>((ready, fail) => {
      withFolder(async (made) => {
        folder = made;
        state.service = await startProgram(made);
        ready();
        await new Promise<void>((resolve) => {
          state.leave = resolve;
        });
      }).catch(fail);
    });
  });

  afterAll(async () => {
    await state.service?.end('SIGTERM');
    state.leave?.();
  });

  const support = (args: string, input?: string) =>
    run([...args.split(' '), '--data-dir', folder], input === undefined ? {} : { input });
  const ask = (password: string, path = '/api/v2/topics') =>
    fetch(`${state.service?.url}${path}`, { headers: { Authorization: basic('ann@acme.example', password) } });

  it('adds a site and somebody who may sign in at once', async () => {
    expect((await ask('a first secret')).status).toBe(404);
    const site = await support('site add acme --locales en-US,de --time-zone Europe/Berlin --default --json');
    expect([site.status, JSON.parse(site.out)]).toEqual([
      0,
      expect.objectContaining({ name: 'acme', locales: ['en_us', 'de'], hosts: ['acme.localhost'], default: true }),
    ]);
    const user = await support(
      'user add --site acme --login ann@acme.example --role administrator --password-stdin',
      'a first secret\nx',
    );
    expect([user.status, user.out]).toEqual([0, 'Added ann@acme.example to acme as Administrator.\n']);
    expect((await ask('a first secret')).status).toBe(200);
    expect((await ask('wrong')).status).toBe(401);
  });

  it('changes a password and removes a user at once, named in capitals or not', async () => {
    expect(
      (await support('user set --site Acme --login ANN@acme.example --password-stdin', 'another secret\n')).status,
    ).toBe(0);
    expect([(await ask('a first secret')).status, (await ask('another secret')).status]).toEqual([401, 200]);
    expect((await support('user remove --site ACME --login ann@acme.example')).status).toBe(1); // the last Administrator
    await support(
      'user add --site acme --login bea@acme.example --role Administrator --password-stdin',
      'a third secret\n',
    );
    expect((await support('user remove --site ACME --login ann@acme.example')).status).toBe(0);
    expect((await ask('another secret')).status).toBe(401);
    const list = await support('user list --site acme --json');
    expect(JSON.parse(list.out)).toContainEqual({
      site: 'acme',
      login: 'ann@acme.example',
      role: 'Administrator',
      deleted: true,
      password: false,
    });
  });

  it('takes the first language of a new site as its default', async () => {
    const { out } = await support('site add zweitens --locales de,en-US --json');
    expect(JSON.parse(out)).toMatchObject({ locales: ['de', 'en_us'], defaultLocale: 'de' });
  });

  it('says what to do where there can be no table', async () => {
    const expected = [
      [['--data-dir', '/proc/nowhere'], 1, 'name another by --data-dir'], // where a recursive mkdir of Node never ends
      [['--data-dir', join(folder, 'table.mdb')], 1, 'name another by --data-dir'],
      [['--table', 't', '--endpoint', 'http://127.0.0.1:1'], 1, 'The table does not answer'],
      [['--table', 't', '--endpoint', 'nowhere'], 2, 'The endpoint nowhere is no URL'],
    ] as const;
    const found = await Promise.all(expected.map(([args]) => run(['site', 'list', ...args])));
    for (const [place, [, status, sentence]] of expected.entries())
      expect(found[place]).toMatchObject({ status, out: '', err: expect.stringContaining(sentence) });
  });

  it('refuses in one plain sentence: 1 for what failed, 2 for wrong use', async () => {
    const expected = [
      ['site add acme', 1, 'The site acme exists already'],
      ['site add other --host acme.localhost', 1, 'The host acme.localhost belongs to the site acme'],
      ['site set nowhere --title x', 1, 'There is no site nowhere'],
      ['site add Bad_Name', 2, 'A name has letters'],
      ['site add other --locales en_us,xx_yy', 2, '"xx_yy" is not a language code'],
      ['user add --site acme --login b@acme.example --role Boss', 2, 'It is none of: Agent'],
      ['frobnicate', 2, "unknown command 'frobnicate'"],
    ] as const;
    for (const [args, status, sentence] of expected) {
      const found = await command([...args.split(' '), '--data-dir', folder]);
      expect(found).toMatchObject({ status, out: '', err: expect.stringContaining(sentence) });
      expect(found.err).not.toMatch(/\n {4}at /);
    }
  });
});

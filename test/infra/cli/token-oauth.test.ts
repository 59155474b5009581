import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace } from '../../../infra/local/table/place.ts';
import { openSecrets, parseKeys } from '../../../lib/access/oauth/oauth-secrets.ts';
import { listTokens, secretsPlace } from '../../../lib/access/tokens.ts';
import { readSettings } from '../../../lib/settings.ts';
import { command } from '../../support/service/command.ts';
import { run, withFolder } from '../../support/service/program.ts';

it('a token with OAuth has four values, and secrets that only the key of the folder opens, also after a rekey', async () => {
  await withFolder(async (folder) => {
    const support = async (args: string) => {
      const { status, out, err } = await command([...args.split(' '), '--data-dir', folder, '--json']);
      expect([status, err]).toEqual([0, '']);
      return JSON.parse(out);
    };
    await support('site add acme --default');
    const ann = ['--site', 'acme', '--login', 'Ann@acme.example', '--role', 'Agent', '--data-dir', folder];
    await run(['user', 'add', ...ann, '--password-stdin'], { input: 'a good password' });
    const its = '--site acme --login ann@acme.example';
    const made = await support(`token add ${its} --name signs --oauth`);
    expect(made).toMatchObject({ name: 'signs', kind: 'oauth' });
    await support(`token add ${its} --name bears`);
    expect((await support('token list --site acme')).map(({ kind }: { kind: string }) => kind)).toEqual([
      'oauth',
      'bearer',
    ]);

    const path = join(folder, 'oauth.key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const stored = async () => {
      const { table, close } = await openPlace({ dataDir: folder }, readSettings());
      const [token] = await listTokens(table, 'acme');
      await close();
      if (token?.oauth === undefined) throw new Error('no token with OAuth');
      const keys = parseKeys(readFileSync(path, 'utf8'));
      return { keys, token, secrets: openSecrets(keys, token.oauth.sealed, secretsPlace('acme', token)) };
    };
    const before = await stored();
    const secrets = { consumer: made.consumer_secret, token: made.token_secret };
    expect(before.secrets).toEqual(secrets);
    expect(before.token.oauth?.consumer).toBe(made.consumer_key);
    for (const secret of Object.values(secrets)) expect(JSON.stringify(before.token)).not.toContain(secret);

    expect(await support('token rekey')).toEqual({ tokens: 1 });
    const [entry] = await support('audit --site acme --limit 1');
    expect(entry).toMatchObject({
      via: 'command line',
      action: 'update',
      resource: 'tokens',
      fields: ['oauth'],
      count: 1,
    });
    const after = await stored();
    expect(after.secrets).toEqual(secrets);
    expect(after.keys).toHaveLength(1);
    expect(after.keys[0]?.id).not.toBe(before.keys[0]?.id);
  });
});

it('of a deployed table need its secret, and tell so before anything is read', async () => {
  for (const args of ['token rekey', 'token add --site a --login b@c.example --name d --oauth']) {
    const { status, err } = await command([...args.split(' '), '--table', 'absent']);
    expect([status, err]).toEqual([2, expect.stringContaining('add --secret with the output OAuthSecretName')]);
  }
});

it('is not made where the key cannot be read, and the key stays', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'oauth.key');
    mkdirSync(path);
    const { status } = await command(['token', 'rekey', '--data-dir', folder]);
    expect([status, statSync(path).isDirectory()]).toEqual([1, true]);
  });
});

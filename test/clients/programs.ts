import { join } from 'node:path';
import * as z from 'zod';
import type { Checks } from '../cloud/checks.ts';
import { mustRun, ROOT } from '../cloud/command.ts';
import { pythonPrograms } from '../cloud/python.ts';
import { run } from '../support/service/program.ts';

const PYTHON = ['deskapi==0.1', 'libsaas==0.4', 'oauthlib==4.0.1', 'requests==2.34.2'] as const;
const NODE = 'request@2.88.2';
const HERE = join(ROOT, 'test/clients/programs');

/** The four values of `token add --oauth`, in the order in which the programs take them. */
const four = z.object({
  consumer_key: z.string(),
  consumer_secret: z.string(),
  token: z.string(),
  token_secret: z.string(),
});

interface Running {
  readonly folder: string; // where the service has its data, as `data`, and where packages are installed
  readonly url: string;
  readonly login: string;
  readonly password: string;
  readonly said: () => string; // what the service has printed, its log
}

/**
 * Runs programs that were written for the original service against this one, as the registries have them, changed in nothing
 * but base URL and credentials. What they say is in `programs/`; docs/interface.md has the table of all.
 */
export async function runPrograms(checks: Checks, { folder, url, login, password, said }: Running): Promise<void> {
  const { status, out, err } = await run(
    ['token', 'add', '--site', 'demo', '--login', login, '--name', 'programs', '--oauth', '--json'].concat(
      ...['--data-dir', join(folder, 'data')],
    ),
  );
  if (status !== 0) throw new Error(`no token was made: ${err}`);
  const signing = Object.values(four.parse(JSON.parse(out)));
  const python = (file: string, args: readonly string[]) => async () =>
    counted(await mustRun(join(await pythonPrograms(PYTHON), 'python'), [join(HERE, file), url, ...args]));
  await step('deskapi 0.1 does its work by Basic', python('run-deskapi.py', [login, password]));
  await step('libsaas 0.4 does its work by OAuth', python('run-libsaas.py', signing));
  await step('oauthlib 4.0.1 signs in all its ways', python('run-oauthlib.py', signing));
  await step('request 2.88.2 does what desk.js and an import tool do, by OAuth', async () => {
    const modules = join(folder, 'request');
    await mustRun('npm', ['install', '--prefix', modules, '--no-audit', '--no-fund', NODE]);
    return counted(await mustRun(process.execPath, [join(HERE, 'run-request.js'), modules, url, ...signing]));
  });
  await checks.step('their secrets stand in no line of the log', async () => {
    const log = said()
      .split('\n')
      .filter((line) => line.startsWith('{')); // before it stands how to sign in to the demo
    const told = [...signing, password].filter((secret) => log.some((line) => line.includes(secret)));
    if (told.length > 0 || log.length < 50) throw new Error(`of ${log.length} lines some tell: ${told.join(', ')}`);
  });

  async function step(title: string, work: () => Promise<string>): Promise<void> {
    const found = await checks.step(title, work);
    if (found !== undefined) console.log(`          ${found}`);
  }
}

/** Throws where a program held to nothing. */
function counted(printed: string): string {
  const held = printed.split('\n').filter((line) => line.startsWith('held: '));
  if (held.length === 0) throw new Error(`it checked nothing:\n${printed}`);
  return `${held.length} things held`;
}

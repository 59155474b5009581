import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withFolder } from '../support/service/program.ts';

// A Node that runs TypeScript itself needs no bundle, so there V8 compiled none.
const testBundle = 'typescript' in process.features && process.features.typescript ? test.skip : test;

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

describe('the command', () => {
  // A `bin` of the project itself has npx install the project in its cache, at each call: two at once spoil each other.
  test('is where npx looks first, so any number of them may begin at once', async () => {
    expect(await realpath(join(PROJECT, 'node_modules/.bin/support'))).toBe(join(PROJECT, 'bin/support.js'));
    expect(JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'))).not.toHaveProperty('bin');
  });
});

describe('a program', () => {
  test('runs what was made of its sources when packages were installed, and needs nothing else', async () => {
    await withProject(['esbuild'], async (project) => {
      await prepare(project);
      expect([await say(project, 'support.js'), await say(project, 'thread.js')]).toEqual(['first', 'first thread']);
    });
  });

  test('runs its sources where they have changed since', async () => {
    await withProject(['esbuild', 'tsx'], async (project) => {
      await prepare(project);
      await writePrograms(project, 'other');
      expect([await say(project, 'support.js'), await say(project, 'thread.js')]).toEqual(['other', 'other thread']);
      await prepare(project);
      expect(await say(project, 'support.js')).toBe('other');
    });
  });

  testBundle('runs what was made of its sources by another version of V8, too', async () => {
    await withProject(['esbuild'], async (project) => {
      await prepare(project);
      const cache = join(project, 'node_modules/.cache');
      const names = (await readdir(cache, { recursive: true })).filter((name) => name.endsWith('.compiled'));
      for (const name of names) await writeFile(join(cache, name), 'of another version');
      expect([await say(project, 'support.js'), await say(project, 'thread.js')]).toEqual(['first', 'first thread']);
    });
  });

  test('runs its sources where nothing was made of them', async () => {
    await withProject(['tsx'], async (project) => {
      expect(await say(project, 'support.js')).toBe('first');
    });
  });
});

/** A project with the real `bin`, whose programs say a word, and some packages. */
async function withProject(packages: readonly string[], work: (project: string) => Promise<void>): Promise<void> {
  await withFolder(async (project) => {
    await cp(join(PROJECT, 'bin'), join(project, 'bin'), { recursive: true });
    for (const folder of ['lib', 'infra/cli', 'infra/local/threads', 'node_modules'])
      await mkdir(join(project, folder), { recursive: true });
    await writeFile(join(project, 'package.json'), '{"type":"module"}');
    await writeFile(join(project, 'package-lock.json'), '{}');
    for (const name of packages)
      await symlink(join(PROJECT, 'node_modules', name), join(project, 'node_modules', name));
    await writePrograms(project, 'first');
    await work(project);
  });
}

async function writePrograms(project: string, word: string): Promise<void> {
  await writeFile(join(project, 'lib/word.ts'), `export const WORD: string = '${word}';`);
  const program = `import { WORD } from '../../lib/word.ts';
    export const runCommand = async (): Promise<number> => {
      const { EOL } = await import('node:os'); // as large modules are loaded, only where they are needed
      process.stdout.write(WORD + EOL);
      return 0;
    };`;
  await writeFile(join(project, 'infra/cli/support.ts'), program);
  const thread = `import { WORD } from '../../../lib/word.ts'; const what: string = 'thread'; console.log(WORD, what);`;
  for (const name of ['rows', 'insights', 'watch'])
    await writeFile(join(project, `infra/local/threads/${name}-thread.ts`), thread);
}

const prepare = (project: string): Promise<string> => say(project, 'bundle.js');

async function say(project: string, name: string): Promise<string> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const args = [join(project, 'bin', name), ...(name === 'thread.js' ? ['infra/local/threads/rows-thread.ts'] : [])];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout.trim();
}

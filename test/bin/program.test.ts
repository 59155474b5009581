import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { withFolder } from '../support/service/program.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

describe('the program', () => {
  test('is bundled once for the same sources, and anew for others', async () => {
    await withProject(async (project) => {
      await writeProgram(project, 'first');
      expect([await say(project), await say(project), (await bundles(project)).length]).toEqual(['first', 'first', 1]);
      await writeProgram(project, 'other');
      expect([await say(project), (await bundles(project)).length]).toEqual(['other', 2]);
    });
  });

  test('starts many times at once before there is a bundle', async () => {
    await withProject(async (project) => {
      await writeProgram(project, 'first');
      const said = await Promise.all(Array.from({ length: 4 }, () => say(project)));
      expect([new Set(said), (await bundles(project)).length]).toEqual([new Set(['first']), 1]);
    });
  });

  test('runs where no bundle can be kept', async () => {
    await withProject(async (project) => {
      await writeFile(join(project, 'node_modules/.cache'), 'no folder');
      await writeProgram(project, 'first');
      expect(await say(project)).toBe('first');
    });
  });
});

/** A project with the real start, whose command line says one word. */
async function withProject(work: (project: string) => Promise<void>): Promise<void> {
  await withFolder(async (project) => {
    await cp(join(PROJECT, 'bin'), join(project, 'bin'), { recursive: true });
    for (const folder of ['lib', 'infra/cli', 'node_modules']) await mkdir(join(project, folder), { recursive: true });
    await writeFile(join(project, 'package.json'), '{"type":"module"}');
    for (const name of ['esbuild', 'tsx'])
      await symlink(join(PROJECT, 'node_modules', name), join(project, 'node_modules', name));
    await work(project);
  });
}

async function writeProgram(project: string, word: string): Promise<void> {
  await writeFile(join(project, 'lib/word.ts'), `export const WORD: string = '${word}';`);
  const program = `import { WORD } from '../../lib/word.ts';
    export const runCommand = async (): Promise<number> => { console.log(WORD); return 0; };`;
  await writeFile(join(project, 'infra/cli/support.ts'), program);
}

async function say(project: string): Promise<string> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [join(project, 'bin/support.js')], { env });
  return stdout.trim();
}

const bundles = (project: string): Promise<string[]> => readdir(join(project, 'node_modules/.cache/support-service'));

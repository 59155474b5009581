import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun, ROOT } from './command.ts';

/**
 * Installs packages of Python into a virtual environment of the project, named after the first, where they are not there yet.
 * Returns the folder of their programs. They are given with their versions, `name==1.2.3`.
 */
export async function pythonPrograms(packages: readonly [string, ...string[]]): Promise<string> {
  const environment = join(ROOT, '.venv', packages[0].replace('==', '-'));
  const done = join(environment, 'done');
  if (!existsSync(done)) {
    await rm(environment, { recursive: true, force: true });
    await mustRun('python3', ['-m', 'venv', environment]);
    await mustRun(join(environment, 'bin', 'pip'), ['install', '--quiet', ...packages]);
    await writeFile(done, '');
  }
  return join(environment, 'bin');
}

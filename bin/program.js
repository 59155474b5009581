import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../', import.meta.url));
export const CACHE = join(PROJECT, 'node_modules/.cache/support-service');

/** What is run: the command line, and the thread that reads a file. */
export const PROGRAMS = ['infra/cli/support.ts', 'infra/local/threads/rows-thread.ts'];

/** Whether this Node runs TypeScript itself, as Node 22.18 and 24 do. */
export const runsTypes = Boolean(process.features.typescript);

/** Where the bundle of a program lies that was made of the sources as they are now. */
export const bundleOf = (program) => join(CACHE, fingerprint(), `${basename(program, '.ts')}.mjs`);

/**
 * The address of one of `PROGRAMS` as a module that this Node can load. Older Nodes load the bundle that was made when packages
 * were installed (`npm run prepare`), or, where a source has changed since, the sources through tsx. `support --version` takes
 * 0.2 s of processor time bundled, 0.2 s on Node 24 with its cache of compiled modules (0.5 s the first time), 1.1 s through tsx.
 */
export async function addressOf(program) {
  const source = join(PROJECT, program);
  if (runsTypes) {
    nodeModule.enableCompileCache(join(CACHE, 'compiled'));
    return pathToFileURL(source).href;
  }
  const bundle = bundleOf(program);
  if (existsSync(bundle)) return pathToFileURL(bundle).href;
  const { register } = await import('tsx/esm/api');
  register();
  return pathToFileURL(source).href;
}

/** Another for other sources or packages, whatever their times of change are. */
function fingerprint() {
  const hash = createHash('sha256');
  const sources = ['bin', 'infra', 'lib'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  for (const name of [...sources.filter((name) => /\.[jt]s$/.test(name)).sort(), 'package-lock.json']) {
    hash.update(`${name}\n`).update(readFileSync(join(PROJECT, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';

export const PROJECT = fileURLToPath(new URL('../', import.meta.url));
export const CACHE = join(PROJECT, 'node_modules/.cache/support-service');

/** What is run: the command line, and the thread that reads a file. */
export const PROGRAMS = ['infra/cli/support.ts', 'infra/local/threads/rows-thread.ts'];

/** Whether this Node runs TypeScript itself, as Node 22.18 and 24 do. */
export const runsTypes = Boolean(process.features.typescript);

/** Where the bundle of a program lies that was made of the sources as they are now. */
export const bundleOf = (program) => join(CACHE, fingerprint(), `${basename(program, '.ts')}.cjs`);

/** Where what V8 compiled of a bundle lies. */
export const compiledOf = (bundle) => `${bundle}.compiled`;

/** The parameters of the function that a bundle is. */
export const PARAMETERS = ['module', 'exports', 'require', 'infraUrl'];

/**
 * Loads one of `PROGRAMS`; returns its exports. Older Nodes load the bundle that was made when packages were installed
 * (`npm run prepare`), or, where a source has changed since, the sources through tsx. `support --version` takes 0.2 s of
 * processor time bundled (0.3 s were V8 to compile it), 0.2 s on Node 24 with its cache of compiled modules (0.5 s the
 * first time), 1.1 s through tsx.
 */
export async function load(program) {
  const source = pathToFileURL(join(PROJECT, program)).href;
  if (runsTypes) {
    nodeModule.enableCompileCache(join(CACHE, 'compiled'));
    return import(source);
  }
  const bundle = bundleOf(program);
  if (existsSync(compiledOf(bundle))) return runBundle(bundle); // which is written last
  const { register } = await import('tsx/esm/api');
  register();
  return import(source);
}

function runBundle(bundle) {
  const module = { exports: {} };
  const infraUrl = pathToFileURL(join(PROJECT, 'infra/')).href;
  const cachedData = readFileSync(compiledOf(bundle)); // another V8 does not take it and compiles the bundle itself
  compile(bundle, cachedData).runInThisContext()(module, module.exports, nodeModule.createRequire(bundle), infraUrl);
  return module.exports;
}

/** The script of a bundle. */
export const compile = (bundle, cachedData) =>
  new Script(readFileSync(bundle, 'utf8'), {
    filename: bundle,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });

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

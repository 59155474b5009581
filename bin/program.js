import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

export const PROJECT = fileURLToPath(new URL('../', import.meta.url));
export const CACHE = join(PROJECT, 'node_modules/.cache/support-service');

/** The programs: the command line, and the threads that read a file, compute reports, and watch an import. */
export const PROGRAMS = [
  'infra/cli/support.ts',
  'infra/local/threads/rows-thread.ts',
  'infra/local/threads/insights-thread.ts',
  'infra/local/threads/watch-thread.ts',
];

/** Whether this Node runs TypeScript itself, as Node 22.18 and 24 do. */
export const runsTypes = Boolean(process.features.typescript);

/** The path of a program's bundle for the present sources. */
export const bundleOf = (program) => join(CACHE, fingerprint(), `${basename(program, '.ts')}.cjs`);

/** The path of V8's compiled code of a bundle. */
export const compiledOf = (bundle) => `${bundle}.compiled`;

/** The parameters of the function in a bundle. */
export const PARAMETERS = ['module', 'exports', 'require', 'infraUrl'];

/**
 * Loads one of `PROGRAMS` and returns its exports. A Node that does not run TypeScript loads the bundle made when
 * packages were installed (`npm run prepare`), or the sources through tsx if they have changed since. `support
 * --version` takes 0.2 s of processor time bundled (0.3 s if V8 had to compile it), 0.2 s on Node 24 with its cache of
 * compiled modules (0.5 s the first time), 1.1 s through tsx.
 */
export async function load(program) {
  const source = pathToFileURL(join(PROJECT, program)).href;
  if (runsTypes) {
    nodeModule.enableCompileCache(join(CACHE, 'compiled'));
    return import(source);
  }
  const bundle = bundleOf(program);
  if (existsSync(compiledOf(bundle))) return runBundle(bundle); // written last, so the bundle is complete
  const { register } = await import('tsx/esm/api');
  register();
  return import(source);
}

function runBundle(bundle) {
  const module = { exports: {} };
  const infraUrl = pathToFileURL(join(PROJECT, 'infra/')).href;
  const cachedData = readFileSync(compiledOf(bundle)); // another version of V8 ignores it and compiles the bundle
  compile(bundle, cachedData).runInThisContext()(module, module.exports, nodeModule.createRequire(bundle), infraUrl);
  return module.exports;
}

/** Compiles a bundle. */
export const compile = (bundle, cachedData) =>
  new Script(readFileSync(bundle, 'utf8'), { filename: bundle, cachedData });

/** A hash of the content of sources and packages, whatever their times of change. */
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

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PROJECT = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(PROJECT, 'node_modules/.cache/support-service');
const BUNDLER = fileURLToPath(new URL('bundle.js', import.meta.url));
const FOLDERS = ['lib', 'infra']; // of sources
const FILES = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json', 'bin/bundle.js'];
const KEPT = 10 * 60 * 1000; // ms, of bundles of other sources: somebody may be starting from one

/**
 * The address of the command line as one module, bundled whenever sources or packages have changed: one by one, through a
 * hook, its modules load in 0.9 s instead of 0.3 and take 50 MB more. Where no bundle can be kept, tsx loads them so.
 */
export async function program() {
  const bundle = kept();
  if (bundle !== undefined) return pathToFileURL(bundle).href;
  const { register } = await import('tsx/esm/api');
  register();
  return new URL('../infra/cli/support.ts', import.meta.url).href;
}

/** The bundle's path; undefined where its folder cannot be written. */
function kept() {
  const folder = join(CACHE, fingerprint());
  const bundle = join(folder, 'support.mjs');
  if (existsSync(bundle)) return bundle;
  const draft = `${folder}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
  } catch {
    return undefined;
  }
  execFileSync(process.execPath, [BUNDLER, PROJECT, join(draft, 'support.mjs')], { stdio: 'inherit' });
  publish(draft, folder);
  sweep(folder);
  return bundle;
}

/** Others may have published the same meanwhile: theirs is as good. */
function publish(draft, folder) {
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

function sweep(folder) {
  for (const other of readdirSync(CACHE).map((name) => join(CACHE, name))) {
    const { mtimeMs = Infinity } = statSync(other, { throwIfNoEntry: false }) ?? {};
    if (other !== folder && mtimeMs < Date.now() - KEPT) rmSync(other, { recursive: true, force: true });
  }
}

/** Changes with the name, size and time of any source, whatever way it changes. */
function fingerprint() {
  const hash = createHash('sha256').update(PROJECT);
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  for (const name of [...sources, ...FILES]) {
    const { size, mtimeMs } = statSync(join(PROJECT, name), { throwIfNoEntry: false }) ?? {};
    hash.update(`${name}\n${size}\n${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

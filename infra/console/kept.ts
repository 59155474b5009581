import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Built } from '../../lib/console/built.ts';
import { ownJson } from '../../lib/own-json.ts';
import { projectPath } from '../project.ts';
import { buildConsole } from './build.ts';

const CACHE = 'node_modules/.cache/support-service-console';
const SOURCES = ['lib/console', 'infra/console']; // folders
const FILES = ['openapi.json', 'node_modules/preact/package.json'];

let loading: Promise<Built> | undefined;

/** Returns the built console: from a cache if the sources are unchanged, else built now. Loads it once in a process. */
export function loadConsole(): Promise<Built> {
  loading ??= keptOrBuilt().catch((error: unknown) => {
    loading = undefined; // the next request tries again
    throw error;
  });
  return loading;
}

async function keptOrBuilt(): Promise<Built> {
  const folder = projectPath(CACHE);
  const path = join(folder, `${await fingerprint()}.json`);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text !== undefined) return ownJson(text); // written below, by a build of the same sources
  const built = await buildConsole();
  await keep(folder, path, built).catch(() => undefined); // without a cache the next start builds again
  return built;
}

async function keep(folder: string, path: string, built: Built): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(built));
  await rename(draft, path);
}

/** A hash that changes with the name, size or time of any source. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  const sources = await Promise.all(SOURCES.map(listFiles));
  for (const name of [...sources.flat().sort(), ...FILES]) {
    const { size, mtimeMs } = await stat(projectPath(name));
    hash.update(`${name}\n${size}\n${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(projectPath(folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(projectPath('').length));
}

import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { WarehousePlace } from './place.ts';

const SCRATCH = '.writing-';

/** Opens a folder as a warehouse; it is made if it is new. */
export async function openFolder(path: string): Promise<WarehousePlace> {
  const root = resolve(path);
  await mkdir(root, { recursive: true });
  const at = (relative: string): string => join(root, relative);
  const scratches: string[] = [];

  /** Renames a file of the same disk, so that nobody sees a part of it. */
  async function swap(from: string, relative: string): Promise<void> {
    await mkdir(dirname(at(relative)), { recursive: true });
    await rename(from, at(relative));
  }

  return {
    address: root,
    isBucket: false,
    read: (relative) => readFile(at(relative), 'utf8').catch(orNothing),
    bytes: (relative) => readFile(at(relative)).catch(orNothing),
    put: (relative, file) => swap(file, relative),
    async write(relative, text) {
      const draft = join(root, `${SCRATCH}${randomUUID()}`);
      try {
        await writeFile(draft, text);
        await swap(draft, relative);
      } finally {
        await rm(draft, { force: true });
      }
    },
    remove: (relative) => rm(at(relative), { force: true }),
    async list(folder) {
      const entries = await readdir(at(folder), { recursive: true, withFileTypes: true }).catch(orNothing);
      return (entries ?? [])
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) =>
          join(parentPath, name)
            .slice(root.length + 1)
            .replaceAll('\\', '/'),
        );
    },
    async scratch() {
      // What an export left that was killed. No other export runs: they take turns by a lease.
      for (const name of await readdir(root)) {
        if (name.startsWith(SCRATCH)) await rm(join(root, name), { recursive: true, force: true });
      }
      const made = await mkdtemp(join(root, SCRATCH));
      scratches.push(made);
      return made;
    },
    close: async () => {
      for (const one of scratches) await rm(one, { recursive: true, force: true });
    },
  };
}

function orNothing(error: unknown): undefined {
  if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

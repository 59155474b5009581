import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Objects } from '../../../lib/store/objects.ts';

/** A folder in place of a bucket, for tests without S3. Upload forms are tested in the cloud test. */
export function folderObjects(folder: string): Objects & {
  /** Stores an object, as an upload by form would. */
  put(key: string, content: string | Uint8Array): Promise<void>;
  /** The file of an object. */
  pathOf(key: string): string;
} {
  const pathOf = (key: string): string => join(folder, `${key}.object`);
  const content = (key: string): Promise<Buffer | undefined> => readFile(pathOf(key)).catch(() => undefined);
  const versionOf = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
  /** An object is there as a whole or not at all, as in S3. */
  async function whole(key: string, write: (path: string) => Promise<unknown>): Promise<void> {
    const part = `${pathOf(key)}.${randomUUID()}`;
    await mkdir(dirname(part), { recursive: true });
    await write(part);
    await rename(part, pathOf(key));
  }
  return {
    pathOf,
    form: async (key) => ({ url: 'https://files.example/', fields: { key } }),
    find: async (key) => {
      const bytes = await content(key);
      return bytes && { size: bytes.length, version: versionOf(bytes) };
    },
    fetch: async (key, path, version) => {
      const bytes = await content(key);
      if (bytes === undefined || (version !== undefined && versionOf(bytes) !== version)) return false;
      await writeFile(path, bytes);
      return true;
    },
    keep: async (key, path, type) => {
      await whole(key, (part) => copyFile(path, part));
      await writeFile(`${pathOf(key)}.type`, type);
    },
    read: async (key, most = Number.POSITIVE_INFINITY) => {
      const bytes = await content(key);
      const type = await readFile(`${pathOf(key)}.type`, 'utf8').catch(() => '');
      return bytes && { type, text: bytes.toString('utf8', 0, most), isCut: bytes.length > most };
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    list: async (prefix) => {
      const found = await readdir(folder, { recursive: true });
      const keys = found.filter((path) => path.endsWith('.object')).map((path) => path.slice(0, -'.object'.length));
      return keys.filter((key) => key.startsWith(prefix));
    },
    put: (key, text) => whole(key, (part) => writeFile(part, text)),
  };
}

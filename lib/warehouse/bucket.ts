import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Objects } from '../store/objects.ts';
import type { WarehousePlace } from './place.ts';

/** Opens a prefix of a bucket as a warehouse; an object is put whole or not at all. */
export async function openBucket(objects: Objects, bucket: string, prefix: string): Promise<WarehousePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'warehouse-'));
  const root = prefix === '' ? '' : `${prefix}/`;
  const keep = (path: string, file: string): Promise<void> =>
    objects.keep(`${root}${path}`, file, path.endsWith('.parquet') ? 'application/vnd.apache.parquet' : 'text/plain');
  return {
    address: `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`,
    isBucket: true,
    read: async (path) => (await objects.read(`${root}${path}`))?.text,
    async bytes(path) {
      const [key, file] = [`${root}${path}`, join(folder, randomUUID())];
      if (!(await objects.fetch(key, file, undefined))) return undefined;
      const bytes = await readFile(file);
      await rm(file, { force: true });
      return bytes;
    },
    async put(path, file) {
      await keep(path, file);
      await rm(file, { force: true }); // the disk of a function is small
    },
    async write(path, text) {
      const file = join(folder, randomUUID()); // several are written at once
      await writeFile(file, text);
      await keep(path, file);
      await rm(file, { force: true });
    },
    remove: (path) => objects.remove(`${root}${path}`),
    list: async (within) => (await objects.list(`${root}${within}/`)).map((key) => key.slice(root.length)),
    scratch: async () => folder,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

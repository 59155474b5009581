import { mkdir, open, rm, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ImportFault } from '../import/formats/import-fault.ts';
import type { Objects } from '../store/objects.ts';
import { dropObjects, fileKey, rejectedKey } from './bucket.ts';
import { ENDINGS, wholeLines } from './rejected.ts';
import type { Workshop } from './work.ts';

/** What a workshop over a bucket is made of. */
export type ShopParts = Pick<Workshop, 'table' | 'clock' | 'newId' | 'findPack' | 'limit' | 'onError' | 'folder'> & {
  readonly objects: Objects;
};

/** A workshop that brings the files of a site from a bucket into a folder of its own. History is folded by the schedule. */
export function bucketShop(site: string, { objects, ...parts }: ShopParts): Workshop {
  const pathOf: Workshop['pathOf'] = ({ id, name }) => join(parts.folder, String(id), name);
  return {
    ...parts,
    pathOf,
    ending: new AbortController().signal, // a function that ends is killed
    compaction: { fold: async () => false },
    fetch: async ({ id, name, version }) => {
      const path = pathOf({ id, name });
      await mkdir(dirname(path), { recursive: true });
      if (await objects.fetch(fileKey({ site, id }), path, version)) return;
      throw new ImportFault(`${name} is not kept any more, or was replaced after it had come: bring it again.`);
    },
    keepRejected: async ({ id, name }) => {
      for (const [ending, type] of ENDINGS) {
        const path = `${pathOf({ id, name })}.rejected.${ending}`;
        if (await cutToLines(path)) await objects.keep(rejectedKey({ site, id }), path, type);
      }
    },
    drop: ({ id }) => dropObjects(objects, { site, id }),
    dropRejected: async ({ id, name }) => {
      await objects.remove(rejectedKey({ site, id }));
      for (const [ending] of ENDINGS) await rm(`${pathOf({ id, name })}.rejected.${ending}`, { force: true });
    },
  };
}

/** Cuts a file after the last line that can be downloaded; false where there is no such file. */
async function cutToLines(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return false;
  try {
    await truncate(path, (await wholeLines(file)).length);
  } finally {
    await file.close();
  }
  return true;
}

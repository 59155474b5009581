import { mkdir, open, rm, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ImportFault } from '../import/formats/import-fault.ts';
import type { Objects } from '../store/objects.ts';
import { dropObjects, fileKey, rejectedKey } from './bucket.ts';
import { ENDINGS, wholeLines } from './rejected.ts';
import type { WorkTools } from './work.ts';

/** The parts of `WorkTools` that the caller provides, and the bucket. */
export type ToolParts = Pick<WorkTools, 'table' | 'clock' | 'newId' | 'findPack' | 'limit' | 'onError' | 'folder'> & {
  readonly objects: Objects;
};

/**
 * The tools for imports with files in a bucket: they download a site's files into a folder. They fold no history, as
 * the schedule does that.
 */
export function bucketTools(site: string, { objects, ...parts }: ToolParts): WorkTools {
  const pathOf: WorkTools['pathOf'] = ({ id, name }) => join(parts.folder, String(id), name);
  return {
    ...parts,
    pathOf,
    ending: new AbortController().signal, // never aborted: a Lambda function is killed when it ends
    compaction: { fold: async () => false },
    fetch: async ({ id, name, version }) => {
      const path = pathOf({ id, name });
      await mkdir(dirname(path), { recursive: true });
      if (await objects.fetch(fileKey({ site, id }), path, version)) return;
      throw new ImportFault(`${name} is not kept any more, or was replaced after its upload: upload it again.`);
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

/** Cuts a file after the last line that can be downloaded; false if the file does not exist. */
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

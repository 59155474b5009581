import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { badRequest, Failure, tooLargeBody } from '../../../lib/errors.ts';
import type { Settings } from '../../../lib/settings.ts';
import { unavailable } from '../../../lib/store/faults.ts';
import { ENDINGS, wholeLines } from '../../../lib/uploads/rejected.ts';
import { KEPT_MS, LARGEST_FILE, type RejectedFile, type UploadedFile } from '../../../lib/uploads/upload-store.ts';
import { dataFolder, type PlaceOptions } from '../table/place.ts';

/** The folder for files sent over HTTP: in the data folder, wherever the table is. */
export const uploadFolder = (options: PlaceOptions, settings: Settings): string =>
  uploadFolderIn(dataFolder(options, settings));

/** The same in a data folder. */
export const uploadFolderIn = (dataFolder: string): string => join(dataFolder, 'imports');

/** The path of a file. */
export const uploadPath = (folder: string, { site, id, name }: UploadedFile): string =>
  join(folder, site, String(id), name);

/**
 * Writes a file as it arrives; returns its size in bytes. A broken or too large file leaves a part that `dropFile`
 * deletes. Throws `bad_request` if the upload breaks, `payload_too_large`, and `unavailable` if the disk cannot store
 * it.
 */
export async function keepFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  largest: number = LARGEST_FILE,
): Promise<number> {
  let size = 0;
  async function* bounded(): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of bytes) {
        size += part.length;
        if (size > largest) throw tooLargeBody('The file', largest);
        yield part;
      }
    } catch (error) {
      throw error instanceof Failure ? error : badRequest('The file did not arrive to its end.');
    }
  }
  const part = `${path}${PART}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(Readable.from(bounded(), { objectMode: false }), createWriteStream(part, { mode: 0o600 }));
    await rename(part, path);
  } catch (error) {
    throw error instanceof Failure ? error : unavailable(error); // such as a full disk
  }
  return size;
}

/** Deletes a file and everything beside it. */
export const dropFile = (path: string): Promise<void> => rm(dirname(path), { recursive: true, force: true });

/** Deletes all files of a site, with their rejected lines and unfinished parts. `folder` is that of `uploadFolder`. */
export const dropFilesOf = (folder: string, site: string): Promise<void> =>
  rm(join(folder, site), { recursive: true, force: true });

/** The lines that the last load of a file rejected, only the first ones if there are many; undefined if none. */
export async function readRejected(path: string): Promise<RejectedFile | undefined> {
  for (const [ending, type] of ENDINGS) {
    const file = await open(`${path}.rejected.${ending}`).catch(() => undefined);
    if (file === undefined) continue;
    try {
      return { type, body: (await wholeLines(file)).toString('utf8') };
    } finally {
      await file.close();
    }
  }
  return undefined;
}

/** Deletes the lines that an earlier load of a file rejected. */
export async function dropRejected(path: string): Promise<void> {
  for (const [ending] of ENDINGS) await rm(`${path}.rejected.${ending}`, { force: true });
}

/**
 * Deletes files that have not been used for `KEPT_MS`, and parts of files that do not arrive any more. `now` in epoch
 * ms.
 */
export async function sweepFiles(
  folder: string,
  now: number,
  isArriving: (site: string, id: number) => Promise<boolean>,
): Promise<void> {
  for (const site of await namesIn(folder)) {
    for (const id of await namesIn(join(folder, site))) {
      const path = join(folder, site, id);
      const used = await stat(path).catch(() => undefined); // undefined: deleted meanwhile
      if (used === undefined) continue;
      const isOld = used.mtimeMs + KEPT_MS < now;
      const isLeft = async () => (await isPart(path)) && !(await isArriving(site, Number(id))) && isPart(path); // it may have arrived just now
      if (isOld || (await isLeft())) await rm(path, { recursive: true, force: true });
    }
  }
}

const PART = '~part'; // ends the name of a file until all of it has arrived; no name that comes over HTTP has a `~`

const isPart = async (path: string): Promise<boolean> => (await namesIn(path)).some((name) => name.endsWith(PART));

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

import { isAscii, isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { ImportFault } from '../formats/import-fault.ts';
import { checkRatio, UNPACK_LIMITS } from './unpack-limits.ts';

/** A zip file whose list of files was read and checked. */
export interface Archive {
  readonly names: readonly string[]; // of all files, without folders
  readonly sizes: ReadonlyMap<string, number>; // unpacked bytes by name
  readonly open: (name: string) => Promise<Readable>; // the unpacked bytes; at most as many as the list says
  readonly close: () => void;
}

/** Opens a zip file at a path or in memory. Throws `ImportFault` if it is damaged, encrypted or a bomb. */
export async function openArchive(name: string, file: string | Buffer): Promise<Archive> {
  const zip = await opened(name, file);
  const entries = new Map<string, Entry>();
  let [packed, unpacked] = [0, 0];
  try {
    await eachEntry(zip, (entry) => {
      const path = pathOf(entry);
      if (path.endsWith('/')) return;
      if (entries.size >= UNPACK_LIMITS.entries)
        throw new ImportFault(`${name} holds more than ${UNPACK_LIMITS.entries} files.`);
      if ((entry.generalPurposeBitFlag & 1) === 1) {
        throw new ImportFault(`${name} is encrypted: unpack it, or save it without a password.`);
      }
      packed += entry.compressedSize;
      unpacked += entry.uncompressedSize;
      entries.set(path, entry);
    });
    checkRatio(name, packed, unpacked);
  } catch (error) {
    zip.close();
    throw faultOf(name, error);
  }
  return {
    names: [...entries.keys()],
    sizes: new Map([...entries].map(([path, { uncompressedSize }]) => [path, uncompressedSize])),
    open: (path) =>
      new Promise((resolve, reject) => {
        const entry = entries.get(path);
        if (entry === undefined) return reject(new ImportFault(`${name} holds no file ${path}.`));
        zip.openReadStream(entry, (error, stream) => {
          if (error) return reject(faultOf(name, error));
          resolve(stream);
        });
      }),
    close: () => zip.close(),
  };
}

/** The name of a file: without a flag it is in cp437, but many programs write UTF-8 all the same. */
function pathOf({ fileName, fileNameRaw }: Entry): string {
  const isOther = isAscii(fileNameRaw) || !isUtf8(fileNameRaw);
  return isOther ? fileName : fileNameRaw.toString('utf8').replaceAll('\\', '/');
}

/** Opens the list of files. Loaded only here, since few imports are of zip files. */
async function opened(name: string, file: string | Buffer): Promise<ZipFile> {
  const { fromBuffer, open } = (await import('yauzl')).default;
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true } as const;
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, zip: ZipFile): void => (error ? reject(faultOf(name, error)) : resolve(zip));
    if (typeof file === 'string') open(file, options, done);
    else fromBuffer(file, options, done);
  });
}

const eachEntry = (zip: ZipFile, take: (entry: Entry) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      try {
        take(entry);
        zip.readEntry();
      } catch (error) {
        reject(error);
      }
    });
    zip.readEntry();
  });

/** Says in one sentence why a zip file cannot be read. */
export function faultOf(name: string, error: unknown): ImportFault {
  if (error instanceof ImportFault) return error;
  const reason = error instanceof Error ? error.message : String(error);
  if (/relative path|absolute path|invalid characters in fileName/i.test(reason)) {
    return new ImportFault(`${name} names a file outside of its folder, as no export does: it is not read.`);
  }
  return new ImportFault(`${name} is damaged (${reason}): fetch or save it again.`);
}

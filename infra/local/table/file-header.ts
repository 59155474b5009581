import { open } from 'node:fs/promises';

const PAGE = 8192; // bytes (database.ts)
const MAGIC = 0xbeefc0de;
const VERSION = 2; // of LMDB's files
const AT = { magic: 24, version: 28, pageSize: 48, lastPage: 144, transaction: 152 } as const; // bytes into a header

/**
 * What is wrong with a database's file, as far as its two headers tell; undefined where nothing is. LMDB reads pages where the
 * headers say they are, and a file that ends before ends the process. An empty file is a new one.
 */
export async function whyDamaged(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2 * PAGE), 0, 2 * PAGE, 0);
    const { size } = await handle.stat(); // after the headers: a file grows before its header says so
    if (bytesRead === 0) return undefined;
    if (bytesRead < 2 * PAGE) return 'it is cut short';
    const headers = [buffer.subarray(0, PAGE), buffer.subarray(PAGE)];
    if (headers.some((header) => header.readUInt32LE(AT.magic) !== MAGIC)) return 'it is no table';
    if (headers.some((header) => header.readUInt32LE(AT.version) !== VERSION)) return 'its kind is not known';
    if (headers.some((header) => header.readUInt32LE(AT.pageSize) !== PAGE)) return 'its pages have another size';
    const [a = buffer, b = buffer] = headers;
    const latest = a.readBigUInt64LE(AT.transaction) >= b.readBigUInt64LE(AT.transaction) ? a : b;
    if (Number(latest.readBigUInt64LE(AT.lastPage) + 1n) * PAGE > size) return 'it is cut short';
    return undefined;
  } finally {
    await handle.close();
  }
}

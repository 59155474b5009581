import { open, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import * as z from 'zod';
import { commitLeft, isAsLeft, lookInto, noteLeft, whyDamaged } from '../../../../infra/local/table/damage.ts';
import { openDatabase, PAGE } from '../../../../infra/local/table/database.ts';
import { openLmdbTable } from '../../../../infra/local/table/lmdb-table.ts';
import { openStore } from '../../../../infra/local/table/store.ts';
import { some, tries } from '../../../support/generators/depth.ts';
import { run, withFolder } from '../../../support/service/program.ts';

/** A table of small items and one large one. */
async function made(folder: string): Promise<string> {
  const file = join(folder, 'table.mdb');
  const database = openDatabase(file);
  const table = openLmdbTable(database, () => true);
  const puts = Array.from({ length: 500 }, (_, n) => ({ put: { pk: `p${n % 9}`, sk: `${n}`, text: 'x'.repeat(400) } }));
  await table.batchWrite(puts);
  await table.put({ pk: 'large', sk: 'large', text: 'x'.repeat(100_000) });
  await database.close();
  return file;
}

async function overwrite(file: string, bytes: Uint8Array, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, at);
  await handle.close();
}

const scanned = z.array(z.unknown());

/** All items of a file. */
async function itemsOf(file: string): Promise<unknown[]> {
  const database = openDatabase(file);
  const items: unknown[] = [];
  for await (const page of openLmdbTable(database, () => true).scan()) items.push(...scanned.parse(page));
  await database.close();
  return items;
}

/** The bytes of a page, of those after the headers, at a place from 0 to 1. */
function pageAt(bytes: Buffer, place: number): Buffer {
  const at = (2 + Math.floor(place * (bytes.length / PAGE - 2))) * PAGE;
  return bytes.subarray(at, at + PAGE);
}

/** The header of the last commit (mdb.c). */
function newestHeader(bytes: Buffer): Buffer {
  const [a = 0n, b = 0n] = [0, PAGE].map((header) => bytes.readBigUInt64LE(header + 152));
  const at = a >= b ? 0 : PAGE;
  return bytes.subarray(at, at + PAGE);
}

function flip(bytes: Buffer, at: number): void {
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
}

type Damage = (bytes: Buffer, place: number) => Uint8Array;

/** A damage that changes bytes in their place. */
const changing =
  (change: (bytes: Buffer, place: number) => unknown): Damage =>
  (bytes, place) => {
    change(bytes, place);
    return bytes;
  };

/** What happens to a file at one place. */
const ONCE: Readonly<Record<string, Damage>> = {
  'cut to nothing': () => Buffer.alloc(0),
  'cut to less than its headers': (bytes) => bytes.subarray(0, 1_000),
  'cut to its headers': (bytes) => bytes.subarray(0, 2 * PAGE),
  'cut in half': (bytes) => bytes.subarray(0, bytes.length / 2),
  'cut by a page': (bytes) => bytes.subarray(0, bytes.length - PAGE),
  lengthened: (bytes) => Buffer.concat([bytes, Buffer.alloc(5_000, 1)]),
  'another text': () => Buffer.alloc(100_000, 'x'),
  'headers of zeros': changing((bytes) => bytes.fill(0, 0, 2 * PAGE)),
  'the newest header of zeros': changing((bytes) => newestHeader(bytes).fill(0)),
};

/** What happens to a file at any place. */
const ANYWHERE: Readonly<Record<string, Damage>> = {
  'cut within a page': (bytes, place) => bytes.subarray(0, bytes.length - Math.floor(place * PAGE) - 1),
  'a byte of a header flipped': changing((bytes, place) => flip(bytes, 16 + Math.floor(place * 160))),
  'a page of zeros': changing((bytes, place) => pageAt(bytes, place).fill(0)),
  'a page of noise': changing((bytes, place) => pageAt(bytes, place).fill(Buffer.from('noise of 19 letters'))),
  'a page of another': changing((bytes, place) => pageAt(bytes, 1 - place).copy(pageAt(bytes, place))),
  'a sector of zeros': changing((bytes, place) => pageAt(bytes, place).fill(0, 1_024, 1_536)),
  'a byte flipped': changing((bytes, place) => flip(bytes, Math.floor(2 * PAGE + place * (bytes.length - 2 * PAGE)))),
  'the head of a page flipped': changing((bytes, place) => flip(pageAt(bytes, place), Math.floor(place * 80_000) % 24)),
};

const KINDS = [
  ...Object.entries(ONCE).map(([kind, damage]) => ({ kind, damage, times: 1 })),
  ...Object.entries(ANYWHERE).map(([kind, damage]) => ({ kind, damage, times: tries(12) })),
];

describe('the file of a table', () => {
  it('that is whole is found so', async () => {
    await withFolder(async (folder) => {
      const file = await made(folder);
      expect([await whyDamaged(file), await whyDamaged(file, { items: true })]).toEqual([undefined, undefined]);
    });
  });

  it.each(some(KINDS, 4))('is never taken for whole unless all its items are: $kind', async ({ damage, times }) => {
    await withFolder(async (folder) => {
      const file = await made(folder);
      const bytes = await readFile(file);
      const [items, { commit: last }] = [await itemsOf(file), await lookInto(file)];
      const places = fc.sample(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
        numRuns: times,
        seed: 7,
      });
      for (const [nth, place] of places.entries()) {
        const copy = join(folder, `copy-${nth}.mdb`);
        await writeFile(copy, damage(Buffer.from(bytes), place));
        const { damage: found, commit } = await lookInto(copy, { items: true });
        if (found === undefined && commit >= last) expect(await itemsOf(copy)).toEqual(items);
      }
    });
  });

  it('is as the last process left it until another writes it, or cuts it', async () => {
    await withFolder(async (folder) => {
      const file = await made(folder);
      expect(await isAsLeft(file)).toBe(false);
      await noteLeft(file);
      expect(await isAsLeft(file)).toBe(true);
      await utimes(file, new Date(), new Date());
      expect(await isAsLeft(file)).toBe(false);
      await (await openStore(folder)).close();
      expect(await isAsLeft(file)).toBe(true);
      const { table } = await openStore(folder);
      await table.put({ pk: 'a', sk: 'b' });
      expect(await isAsLeft(file)).toBe(false); // as after a process that was killed
    });
  });

  it('is told by `doctor` if it is empty, or older than it was', async () => {
    await withFolder(async (folder) => {
      const place = ['doctor', '--data-dir', folder];
      const { table, close } = await openStore(folder);
      for (let n = 0; n < 20; n += 1) await table.put({ pk: 'a', sk: String(n) });
      await close();
      const file = join(folder, 'table.mdb');
      expect(await commitLeft(file)).toBeGreaterThan(20);
      const bytes = await readFile(file);
      newestHeader(bytes).fill(0);
      if (bytes.readUInt32LE(16) !== 0) await writeFile(file, bytes);
      else await noteLeft(file, 100);
      expect((await run(place)).out).toMatch(/^WARNING table file: its last commit is number \d+, and was \d+/m);
      for (const note of [true, false]) {
        await writeFile(file, '');
        if (!note) await rm(`${file}-left`);
        const { status, out } = await run(place);
        expect([status, out]).toEqual([1, expect.stringMatching(/^FAULT {3}table file: .* is damaged: it is empty$/m)]);
      }
    });
  });

  it('is told by `doctor` if an item in it cannot be read', async () => {
    await withFolder(async (folder) => {
      const file = await made(folder);
      const place = ['doctor', '--data-dir', folder];
      const whole = await run(place);
      expect(whole.out).toMatch(/^ok {6}table file: every item can be read$/m);
      const bytes = await readFile(file);
      const start = '[{"text":"xxx';
      for (
        let at = bytes.indexOf(start);
        at >= 0;
        at = bytes.indexOf(start, at + 1) // some are on free pages
      )
        await overwrite(file, Buffer.from('?'), at);
      const { status, out } = await run(place);
      expect([status, out]).toEqual([
        1,
        expect.stringMatching(
          /^FAULT {3}table file: .* is damaged: these items cannot be read: p\d \d+, .* and \d+ more\n {8}→ Put back a copy/m,
        ),
      ]);
    });
  });
});

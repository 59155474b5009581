import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Input, openInput, openRereadable } from '../../../../lib/import/formats/input.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'input-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(content: Uint8Array | string): Promise<string> {
  const path = join(folder, 'events.ndjson');
  await writeFile(path, content);
  return path;
}

const onLinux = existsSync('/proc/self/fd') ? it : it.skip;
const linkOf = (number: string) => readlink(join('/proc/self/fd', number)).catch(() => '');

async function textOf({ bytes }: Input): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of bytes) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

describe('openInput', () => {
  it.each([
    ['plain', 'hello'],
    ['empty', ''],
    ['one byte', 'h'],
  ])('reads a file that is %s', async (_, content) => {
    expect(await textOf(await openInput(await fileWith(content)))).toBe(content);
  });

  onLinux('holds a file open only while it is read, also where its end is not asked for', async () => {
    const text = Array.from({ length: 200_000 }, (_, line) => line * 7919).join('\n');
    for (const content of [text, gzipSync(text)]) {
      const path = await fileWith(content);
      const input = await openInput(path);
      const isOpen = async () => {
        const open = await Promise.all((await readdir('/proc/self/fd')).map(linkOf));
        return open.some((name) => name.startsWith(path));
      };
      expect(await isOpen()).toBe(false);
      for await (const _ of input.bytes) {
        expect(await isOpen()).toBe(true);
        break;
      }
      for (let tries = 0; tries < 100 && (await isOpen()); tries += 1) await setTimeout(10);
      expect(await isOpen()).toBe(false);
    }
  });

  it('unpacks gzip whatever the name says, several members too, and tells how far it is', async () => {
    const packed = Buffer.concat([gzipSync('hello '), gzipSync('world')]);
    const input = await openInput(await fileWith(packed));
    expect(await textOf(input)).toBe('hello world');
    expect([input.position(), input.size]).toEqual([packed.length, packed.length]);
  });

  it('reads standard input for -, packed or not, in pieces of any size', async () => {
    const pieces = [...gzipSync('hello')].map((byte) => Buffer.from([byte]));
    for (const given of [pieces, [Buffer.from('hello')]]) {
      const input = await openRereadable('-', () => Readable.from(given));
      expect(await textOf(input)).toBe('hello');
      await input.close();
    }
  });

  it('gives the bytes of standard input once more', async () => {
    const piped = await openRereadable('-', () => Readable.from([gzipSync('hello')]));
    expect([await textOf(piped), await textOf({ ...piped, bytes: piped.again() })]).toEqual(['hello', 'hello']);
    await piped.close();
  });

  it('says in one sentence that a gzip file is cut short or damaged', async () => {
    const packed = gzipSync(Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * index) % 251)));
    const short = await openInput(await fileWith(packed.subarray(0, packed.length - 20)));
    await expect(textOf(short)).rejects.toThrow(/ is a broken gzip file \(unexpected end of file after \d+ unpacked/);
    const damaged = await openInput(await fileWith(packed.fill(0, 20, 40)));
    await expect(textOf(damaged)).rejects.toThrow(/ is a broken gzip file \(.*\): pack or fetch it again\.$/);
  });

  it('says in one sentence that there is no such file', async () => {
    await expect(openInput(join(folder, 'none'))).rejects.toThrow(/none does not exist: name an existing file/);
    await expect(openInput(folder)).rejects.toThrow(/ is a folder: name a file/);
  });
});

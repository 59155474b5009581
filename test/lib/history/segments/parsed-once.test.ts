import { deflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { parsedOnce } from '../../../../lib/history/segments/parsed-once.ts';

const texts = z.array(z.string()).default(['none']);
const pack = (value: unknown): Uint8Array => deflateRawSync(JSON.stringify(value));

describe('deflated JSON', () => {
  it('is read by its schema, and where there is none that says what stands for it', () => {
    const read = parsedOnce(texts);
    expect(read(pack(['a', 'ü']))).toEqual(['a', 'ü']);
    expect(read(undefined)).toEqual(['none']);
    expect(() => read(pack([1]))).toThrow(z.ZodError);
  });

  it('is read once, by its bytes, wherever these lie', () => {
    const read = parsedOnce(texts);
    const first = read(pack(['a']));
    const among = Buffer.concat([Buffer.from('xyz'), pack(['a'])]).subarray(3);
    expect(read(among)).toBe(first);
    expect(read(pack(['b']))).toEqual(['b']);
  });

  it('is right also where it is long, or where there are many', () => {
    const read = parsedOnce(texts);
    const long = Array.from({ length: 2000 }, (_, place) => `${place * 7919}`);
    expect(read(pack(long))).toEqual(long);
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 1500; n += 1) expect(read(pack([`${n}`]))).toEqual([`${n}`]);
    }
  });
});

import { inflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import * as z from 'zod';
import { sameValue, unpackBits } from '../../../../lib/history/segments/bit-packing.ts';
import { type ColumnFile, openColumnFile, writeColumnFile } from '../../../../lib/history/segments/column-file.ts';
import { tries } from '../../../support/generators/depth.ts';

const Head = z.strictObject({ name: z.string(), start: z.int() });

type Numbers = Readonly<Record<string, readonly number[]>>;
type Json = Readonly<Record<string, unknown>>;

interface Content {
  readonly head: z.infer<typeof Head>;
  readonly numbers: Numbers;
  readonly json: Json;
}

const ABSENT = 'nowhere';

const name = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('constructor', 'toString'));
const unsigned = fc.oneof(fc.nat(300), fc.nat(), fc.maxSafeNat());
const constant = fc
  .tuple(unsigned, fc.integer({ min: 1, max: 2000 }))
  .map(([value, count]) => new Array<number>(count).fill(value));
const repeated = fc
  .tuple(fc.array(fc.nat(255)), fc.integer({ min: 1, max: 100 }))
  .map(([list, times]) => new Array<number[]>(times).fill(list).flat());
const minutes = fc.array(fc.nat(10_000_000)).map((list) => list.map((value) => 60 * value));

const contents: fc.Arbitrary<Content> = fc.record({
  head: fc.record({ name: fc.string(), start: fc.maxSafeNat() }),
  numbers: fc.dictionary(name, fc.oneof(fc.array(unsigned), constant, repeated, minutes)),
  json: fc.dictionary(name, fc.jsonValue()),
});

const write = ({ head, numbers, json }: Content): Uint8Array => writeColumnFile(head, numbers, json);

function expectContent(file: ColumnFile<Content['head']>, { head, numbers, json }: Content): void {
  expect(file.head).toEqual(head);
  const columns = Object.keys(numbers).map((name) => file.numbers(name));
  for (const [name, values] of Object.entries(numbers)) {
    expect(file.length(name)).toBe(values.length);
    expect(Array.from(file.passingNumbers(name))).toEqual(values);
  }
  expect(columns.map((column) => Array.from(column))).toEqual(Object.values(numbers));
  for (const [name, value] of Object.entries(json)) {
    const text = JSON.stringify(value);
    expect(JSON.stringify(file.json(name))).toBe(text);
    expect(inflateRawSync(file.text(name)!).toString()).toBe(text);
  }
}

function expectNone(file: ColumnFile<unknown>, name: string): void {
  expect(Array.from(file.numbers(name))).toEqual([]);
  expect(Array.from(file.passingNumbers(name))).toEqual([]);
  expect(file.length(name)).toBe(0);
  expect(file.packed(name)).toBeUndefined();
  expect(file.json(name)).toBeUndefined();
  expect(file.text(name)).toBeUndefined();
}

const among = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from('xyz'), bytes, Buffer.from('xyz')]).subarray(3, 3 + bytes.length);

describe('a file of columns', () => {
  it('gives back its content by name', () => {
    fc.assert(
      fc.property(contents, (content) => {
        expectContent(openColumnFile(write(content), Head), content);
      }),
      { numRuns: tries(100) },
    );
  });

  it('is read wherever its bytes lie', () => {
    fc.assert(
      fc.property(contents, (content) => {
        expectContent(openColumnFile(among(write(content)), Head), content);
      }),
      { numRuns: tries(100) },
    );
  });

  it('has nothing where there is no such column', () => {
    fc.assert(
      fc.property(contents, (content) => {
        expectNone(openColumnFile(write(content), Head), ABSENT);
      }),
      { numRuns: tries(100) },
    );
  });

  it('keeps numbers and JSON of one name apart', () => {
    const content = { head: { name: '', start: 0 }, numbers: { a: [1, 2], b: [3] }, json: { b: 'text', a: [4] } };
    expectContent(openColumnFile(write(content), Head), content);
  });

  it('is refused where its head is not what the reader expects', () => {
    const bytes = write({ head: { name: 'x', start: 1 }, numbers: {}, json: {} });
    expect(() => openColumnFile(bytes, z.string())).toThrow(z.ZodError);
  });

  it('has the same bytes for the same content', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const bytes = write(content);
        const { head, json, numbers } = structuredClone(content);
        const typed = Object.entries(numbers).map(([name, values]) => [name, Float64Array.from(values)]);
        expect(writeColumnFile(head, Object.fromEntries(typed), json)).toEqual(bytes);
      }),
      { numRuns: tries(100) },
    );
  });

  it('leaves out columns without values', () => {
    fc.assert(
      fc.property(contents, ({ head, numbers, json }) => {
        const more = { [ABSENT]: [], ...numbers };
        const filled = Object.fromEntries(Object.entries(numbers).filter(([, values]) => values.length > 0));
        expect(writeColumnFile(head, more, json)).toEqual(writeColumnFile(head, filled, json));
      }),
      { numRuns: tries(100) },
    );
  });

  it('says how the numbers of a column are packed, where they are', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const file = openColumnFile(write(content), Head);
        for (const [name, values] of Object.entries(content.numbers)) {
          const packed = file.packed(name);
          if (packed !== undefined) expect(Array.from(unpackBits(packed))).toEqual(values);
        }
      }),
      { numRuns: tries(100) },
    );
    const numbers = { same: [5, 5, 5], few: [1, 2, 3], large: [2 ** 31, 0], none: [] };
    const file = openColumnFile(writeColumnFile({ name: 'x', start: 1 }, numbers, {}), Head);
    expect(sameValue(file.packed('same')!)).toBe(5);
    expect(sameValue(file.packed('few')!)).toBeUndefined();
    expect(file.packed('few')).toMatchObject({ count: 3, base: 1 });
    expect([file.packed('large'), file.packed('none')]).toEqual([undefined, undefined]);
  });

  it('is refused where its format is not known', () => {
    const bytes = writeColumnFile({ name: 'x', start: 1 }, { a: [1] }, {});
    bytes[3] = 9;
    expect(() => openColumnFile(bytes, Head)).toThrow('format 9');
  });
});

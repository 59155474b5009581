import fc from 'fast-check';
import { MAX_OBJECT, readObjects } from '../../../../lib/import/formats/json-objects.ts';
import { tries } from '../../../support/generators/depth.ts';
import { bytesOf } from '../../../support/generators/read-rows.ts';

async function cut(...chunks: readonly (string | Uint8Array)[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const cuts of readObjects(bytesOf(...chunks), new Set(['audits', 'users']))) found.push(...cuts);
  return found;
}

describe('readObjects', () => {
  it('gives an object a line, over several lines, and beside one another', async () => {
    expect(await cut('{"a":1}\r\n\n{\n "b": "}\\"{"\n}\n{"c":[{}]} {"d":2},{"e":3}')).toEqual([
      { line: 1, text: '{"a":1}' },
      { line: 3, text: '{\n "b": "}\\"{"\n}' },
      { line: 6, text: '{"c":[{}]}' },
      { line: 6, text: '{"d":2}' },
      { line: 6, text: '{"e":3}' },
    ]);
  });

  it('takes the elements of pages and of a list by itself one by one', async () => {
    expect(
      await cut('{"next":"audits","audits":[{"id":1},\n{"id":2,"users":[{}]}],"count":2,"users":[{"id":3}]}'),
    ).toEqual([
      { line: 1, text: '{"id":1}', page: 'audits' },
      { line: 2, text: '{"id":2,"users":[{}]}', page: 'audits' },
      { line: 2, text: '{"id":3}', page: 'users' },
    ]);
    expect(await cut('[{"id":1},\n {"id":2}]')).toEqual([
      { line: 1, text: '{"id":1}' },
      { line: 2, text: '{"id":2}' },
    ]);
  });

  it('reports what breaks off with the line where it began, and goes on behind it', async () => {
    expect(await cut('{"audits":[{"id":1},\n{"id":2,"x":3\n{"audits":[{"id":3}]}\n{"audits":[{"id":4},{"id')).toEqual([
      { line: 1, text: '{"id":1}', page: 'audits' },
      {
        line: 1,
        raw: '{"id":2,"x":3',
        reason: 'the page that begins here is incomplete: another one begins inside it',
      },
      { line: 3, text: '{"id":3}', page: 'audits' },
      { line: 4, text: '{"id":4}', page: 'audits' },
      { line: 4, raw: '{"id', reason: 'the page that begins here is incomplete: the file ends inside it' },
    ]);
    expect(await cut('{"a":"cut\n{"b":1}\n{"c":[\n{"d":1}\nnonsense\n{"e":1}')).toEqual([
      { line: 1, raw: '{"a":"cut', reason: 'the object is incomplete: a line ends inside one of its texts' },
      { line: 2, text: '{"b":1}' },
      { line: 3, raw: '{"c":[\n{"d":1}\nnonsense', reason: 'the object is incomplete: another one begins inside it' },
      { line: 6, text: '{"e":1}' },
    ]);
    expect(await cut('{"a":[\n{"b":1},\n  {"c":2},\n{"d":3}\n')).toEqual([
      {
        line: 1,
        raw: '{"a":[\n{"b":1},\n  {"c":2},\n{"d":3}',
        reason: 'the object is incomplete: the file ends inside it',
      },
      { line: 2, text: '{"b":1}' },
      { line: 4, text: '{"d":3}' },
    ]);
    expect(await cut('nonsense\n{"a":1}\nid,name')).toEqual([
      { line: 1, raw: 'nonsense', reason: 'the line is not a JSON object' },
      { line: 2, text: '{"a":1}' },
      { line: 3, raw: 'id,name', reason: 'the line is not a JSON object' },
    ]);
  });

  it('skips an object that is too long', async () => {
    const piece = Buffer.alloc(1_000_000, 'a');
    const many = Array.from({ length: Math.ceil(MAX_OBJECT / piece.length) + 3 }, () => piece);
    const [long, after, ...rest] = await cut('{"a":"', ...many, '"}\n{"b":1}');
    expect(long).toEqual({ line: 1, raw: expect.any(String), reason: `the object is longer than ${MAX_OBJECT} bytes` });
    expect([after, rest]).toEqual([{ line: 2, text: '{"b":1}' }, []]);
  });

  it('gives the same whatever the chunks', async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const file = fc.array(
      fc.oneof(
        fc.dictionary(fc.string(), value).map((one) => JSON.stringify(one)),
        fc.array(fc.dictionary(fc.string(), value)).map((audits) => JSON.stringify({ n: 1, audits }, null, 1)),
        fc.constantFrom('{"cut":[', '"', 'x', '{"audits":[{},', '\\', ']'),
      ),
    );
    await fc.assert(
      fc.asyncProperty(file, fc.integer({ min: 1, max: 9 }), async (parts, size) => {
        const bytes = Buffer.from(parts.join('\n'));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        expect(await cut(...chunks)).toEqual(await cut(bytes));
      }),
      { numRuns: tries(100) },
    );
  });
});

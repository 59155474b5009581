import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { openSpill, type SpillBounds, type SpillForm } from '../../../../lib/import/spill/spill.ts';
import { tries } from '../../../support/generators/depth.ts';

const folder = mkdtempSync(join(tmpdir(), 'spill-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Value {
  readonly line: number;
  readonly key: number;
  readonly text: string;
}

const FORM: SpillForm<Value> = {
  subjectOf: ({ key }) => `c${key}`,
  lineOf: ({ line }) => line,
  write: (value) => `${JSON.stringify(value)}\n`,
  read: (written) =>
    written
      .toString()
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line)])),
};
const PADDING = 'ü'.repeat(20);
const SIZE = 80; // bytes of a value, about

/** What a spill gives back: groups, of them subjects, of them lines. */
async function spilled(cases: readonly number[], bounds: SpillBounds): Promise<Map<string, number[]>[]> {
  const spill = openSpill(folder, FORM, bounds);
  for (const [place, key] of cases.entries()) {
    spill.add({ line: place + 1, key, text: PADDING });
    await spill.rest();
  }
  const groups: Map<string, number[]>[] = [];
  for await (const group of spill.groups())
    groups.push(new Map([...group].map(([subject, values]) => [subject, values.map(({ line }) => line)])));
  await spill.close();
  return groups;
}

const cases = fc.array(fc.nat({ max: 30 }), { maxLength: 80 });

describe('a spill', () => {
  it('gives every case whole and in its order, in memory or through its file alike', async () => {
    const property = fc.asyncProperty(cases, fc.integer({ min: 1, max: 30 }), async (given, waiting) => {
      const groups = await spilled(given, { waiting: waiting * SIZE, group: 7 * SIZE });
      const subjects = groups.flatMap((group) => [...group.keys()]);
      expect(new Set(subjects).size).toBe(subjects.length);
      const lines = (key: number) => given.flatMap((each, place) => (each === key ? [place + 1] : []));
      for (const [subject, found] of groups.flatMap((group) => [...group]))
        expect(found).toEqual(lines(Number(subject.slice(1))));
      expect(groups.flatMap((group) => [...group.values()]).flat().length).toBe(given.length);
    });
    await fc.assert(property, { numRuns: tries(60, 1 / 4) });
  });

  it('makes groups no larger than its bound, however many events one bucket gets', async () => {
    const many = Array.from({ length: 40_000 }, (_, place) => place); // some 40 a bucket
    const groups = await spilled(many, { waiting: 1_000_000, group: 10 * SIZE });
    const sizes = groups.map((group) => [...group.values()].flat().length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(many.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(30); // parts are even only on average
  });

  it('reads a subject of many groups twice at most', async () => {
    let reads = 0;
    const read = (written: Buffer): Value[] => {
      const values = FORM.read(written);
      reads += values.length;
      return values;
    };
    const spill = openSpill(folder, { ...FORM, read }, { waiting: 1_000_000, group: 10 * SIZE });
    for (let line = 0; line < 500; line += 1) spill.add({ line, key: 7, text: PADDING });
    for await (const group of spill.groups()) expect(group.get('c7')).toHaveLength(500);
    await spill.close();
    expect(reads).toBeLessThanOrEqual(1_000);
  });

  it('leaves no file behind', async () => {
    await spilled([1, 2, 3], { waiting: 1, group: SIZE });
    expect(readdirSync(folder)).toEqual([]);
  });
});

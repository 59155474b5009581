import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { caseGroups, type KeyedRow } from '../../../../lib/history/formats/case-groups.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groups-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function grouped(rows: readonly KeyedRow[], held: number): Promise<Record<string, [number, string][]>> {
  const groups = caseGroups({ held, parts: 4, folder });
  for (const row of rows) await groups.add([row]);
  const found: [string, [number, string][]][] = [];
  for await (const batch of groups.groups()) {
    for (const [key, group] of batch) found.push([key, group.map(({ line, raw }) => [line, raw])]);
  }
  await groups.close();
  expect(new Set(found.map(([key]) => key)).size).toBe(found.length);
  return Object.fromEntries(found);
}

describe('caseGroups', () => {
  it('brings the rows of a case together in their order, in memory or through files alike', async () => {
    const row = fc.record({ caseKey: fc.constantFrom('1', '2', 'INC3', 'ü'), raw: fc.string({ unit: 'grapheme' }) });
    await fc.assert(
      fc.asyncProperty(fc.array(row), fc.nat({ max: 60 }), async (given, held) => {
        const rows = given.map((each, index) => ({ ...each, line: index + 2 }));
        const whole = await grouped(rows, Number.POSITIVE_INFINITY);
        expect(Object.values(whole).flat().length).toBe(rows.length);
        for (const group of Object.values(whole)) expect(group).toEqual([...group].sort((a, b) => a[0] - b[0]));
        expect(await grouped(rows, held)).toEqual(whole);
      }),
      { numRuns: 40 },
    );
    expect(await readdir(folder)).toEqual([]);
  });
});

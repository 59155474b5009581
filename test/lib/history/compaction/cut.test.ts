import * as fc from 'fast-check';
import { type Block, cutBlocks } from '../../../../lib/history/compaction/cut.ts';
import { comparePositions, type RowPosition } from '../../../../lib/history/segments/row-position.ts';

interface Rows extends Block {
  readonly rows: readonly Row[];
}
interface Row extends RowPosition {
  readonly weight: number;
  readonly dead?: true;
}

const MOST = 50;

const row = fc.record({
  second: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 7_258_118_400 })),
  hash: fc.oneof(fc.constantFrom(0, 1, 2 ** 31), fc.integer({ min: 0, max: 2 ** 32 - 1 })),
  weight: fc.integer({ min: 1, max: 30 }),
});

const blockOf = (rows: readonly Row[]): Rows => {
  const sorted = [...rows].sort(comparePositions);
  const weight = sorted.reduce((sum, each) => sum + each.weight, 0);
  return { low: sorted[0]!, high: sorted.at(-1)!, weight, rows: sorted };
};

/** A block some of whose rows are dead, which is known only when it is opened. */
const mixedBlockOf = (rows: readonly Row[], dead: readonly Row[]): Rows => ({
  ...blockOf([...rows, ...dead.map((each): Row => ({ ...each, dead: true }))]),
  least: rows.length,
});

async function cut(blocks: readonly Rows[]): Promise<Row[][]> {
  const parts: Row[][] = [];
  const open = async ({ rows, least }: Rows): Promise<Rows[]> => {
    const alive = rows.filter((each) => !each.dead);
    if (least !== undefined) return alive.length === 0 ? [] : [blockOf(alive)];
    return alive.map((each) => blockOf([each]));
  };
  for await (const part of cutBlocks(blocks, MOST, open)) {
    parts.push(part.flatMap(({ rows }) => rows).sort((a, b) => comparePositions(a, b) || a.weight - b.weight));
  }
  return parts;
}

describe('the canonical cut', () => {
  it('is the same however the rows are gathered in blocks', async () => {
    const gathered = fc
      .array(row, { minLength: 1, maxLength: 60 })
      .chain((rows) =>
        fc.tuple(fc.constant(rows), fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 60, maxLength: 60 })),
      );
    const property = fc.asyncProperty(gathered, async ([rows, groups]) => {
      const blocks = [0, 1, 2, 3, 4, 5].map((group) => rows.filter((_, at) => groups[at] === group));
      const parts = await cut(blocks.filter((block) => block.length > 0).map(blockOf));
      expect(parts).toEqual(await cut(rows.map((each) => blockOf([each]))));
      expect(parts.flat().length).toBe(rows.length);
    });
    await fc.assert(property);
  });

  it('is the same when blocks hold dead rows, too', async () => {
    const blocks = fc.array(fc.tuple(fc.array(row, { maxLength: 20 }), fc.array(row, { minLength: 1, maxLength: 8 })), {
      maxLength: 6,
    });
    const property = fc.asyncProperty(blocks, async (some) => {
      const parts = await cut(some.map(([rows, dead]) => mixedBlockOf(rows, dead)));
      expect(parts).toEqual(await cut(some.flatMap(([rows]) => rows.map((each) => blockOf([each])))));
    });
    await fc.assert(property);
  });

  it('makes no part too heavy unless all its rows lie in one place', async () => {
    const property = fc.asyncProperty(fc.array(row, { maxLength: 60 }), async (rows) => {
      for (const part of await cut(rows.map((each) => blockOf([each])))) {
        const heavy = part.reduce((sum, { weight }) => sum + weight, 0) > MOST;
        if (heavy) expect(comparePositions(part[0]!, part.at(-1)!)).toBe(0);
      }
    });
    await fc.assert(property);
  });
});

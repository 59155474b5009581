import { tmpdir } from 'node:os';
import { openSpread } from '../spread.ts';
import { hashOf } from '../subject.ts';
import type { HeldRow } from './case-rows.ts';

/** A row with the case that it belongs to. */
export interface KeyedRow extends HeldRow {
  readonly caseKey: string;
}

/** The rows of one case, in the order of the file. */
export type CaseGroup = readonly [caseKey: string, rows: readonly HeldRow[]];

export interface GroupBounds {
  readonly held: number; // bytes of rows kept in memory before they go to a file
  readonly parts: number; // that cases are spread over; one of them has to fit in memory
  readonly folder: string; // for the file, which has no name: whatever happens, nothing stays behind
}

export const GROUP_BOUNDS: GroupBounds = { held: 16_000_000, parts: 1024, folder: tmpdir() };

export interface CaseGroups {
  readonly add: (rows: readonly KeyedRow[]) => Promise<void>;
  /** All that was added, some thousand rows at a time, each case whole. */
  readonly groups: () => AsyncGenerator<readonly CaseGroup[]>;
  readonly close: () => Promise<void>;
}

/** Brings the rows of each case together, whatever their order in the file, in bounded memory. */
export function caseGroups({ held, parts, folder }: GroupBounds): CaseGroups {
  const spread = openSpread<KeyedRow>({ folder, buckets: parts, waiting: held });
  return {
    add: async (rows) => {
      for (const row of rows) spread.add(hashOf(row.caseKey) % parts, row);
      await spread.rest();
    },
    groups: async function* () {
      for (const range of spread.ranges(held / 8)) yield* inBatches(await spread.read(range));
    },
    close: spread.close,
  };
}

/** Some thousand rows of whole cases at a time. */
function* inBatches(rows: readonly KeyedRow[]): Generator<readonly CaseGroup[]> {
  const cases = new Map<string, HeldRow[]>();
  for (const row of rows) {
    const group = cases.get(row.caseKey);
    if (group === undefined) cases.set(row.caseKey, [row]);
    else group.push(row);
  }
  let batch: CaseGroup[] = [];
  let size = 0;
  for (const group of cases) {
    batch.push(group);
    size += group[1].length;
    if (size < 2_000) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

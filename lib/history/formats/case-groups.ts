import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HeldRow } from './case-rows.ts';
import { readLines } from './lines.ts';

/** A row with the case that it belongs to. */
export interface KeyedRow extends HeldRow {
  readonly caseKey: string;
}

/** The rows of one case, in the order of the file. */
export type CaseGroup = readonly [caseKey: string, rows: readonly HeldRow[]];

export interface GroupBounds {
  readonly held: number; // characters of rows kept in memory before they go to files
  readonly parts: number; // files that cases are spread over; one of them has to fit in memory
  readonly folder: string; // where the files are made and removed again
}

export const GROUP_BOUNDS: GroupBounds = { held: 50_000_000, parts: 128, folder: tmpdir() };

export interface CaseGroups {
  readonly add: (rows: readonly KeyedRow[]) => Promise<void>;
  /** All that was added, some thousand rows at a time, each case whole. */
  readonly groups: () => AsyncGenerator<readonly CaseGroup[]>;
  /** Removes the temporary files. */
  readonly close: () => Promise<void>;
}

/**
 * Brings the rows of each case together, whatever their order in the file. Rows stay in memory up to a bound; past it
 * they go to temporary files by a hash of their case, which are then read one after the other.
 */
export function caseGroups(bounds: GroupBounds): CaseGroups {
  let held: KeyedRow[] = [];
  let size = 0;
  let folder: string | undefined;
  const spillHeld = async () => {
    folder ??= await mkdtemp(join(bounds.folder, 'support-import-'));
    await spill(folder, held, bounds.parts);
    held = [];
    size = 0;
  };
  return {
    add: async (rows) => {
      for (const row of rows) {
        held.push(row);
        size += row.raw.length;
      }
      if (size >= bounds.held) await spillHeld();
    },
    groups: async function* () {
      if (folder === undefined) return yield* inBatches(held);
      await spillHeld();
      for (let part = 0; part < bounds.parts; part++) yield* inBatches(await unspill(join(folder, String(part))));
    },
    close: async () => {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
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

async function spill(folder: string, rows: readonly KeyedRow[], parts: number): Promise<void> {
  const texts: string[][] = Array.from({ length: parts }, () => []);
  for (const { caseKey, line, raw } of rows) texts[hash(caseKey) % parts]?.push(JSON.stringify([caseKey, line, raw]));
  for (const [part, lines] of texts.entries()) {
    if (lines.length > 0) await appendFile(join(folder, String(part)), `${lines.join('\n')}\n`);
  }
}

async function unspill(path: string): Promise<KeyedRow[]> {
  const rows: KeyedRow[] = [];
  try {
    for await (const { lines } of readLines(createReadStream(path, { highWaterMark: 262_144 }))) {
      for (const text of lines) if (text !== '') rows.push(spilledRow(String(text)));
    }
  } catch (error) {
    if (!isMissing(error)) throw error; // no case had this hash
  }
  return rows;
}

function spilledRow(text: string): KeyedRow {
  const [caseKey, line, raw]: [string, number, string] = JSON.parse(text);
  return { caseKey, line, raw };
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}

/** FNV-1a of 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let place = 0; place < text.length; place++) {
    value = Math.imul(value ^ text.charCodeAt(place), 0x01000193);
  }
  return value >>> 0;
}

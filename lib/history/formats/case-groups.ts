import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HeldRow } from './case-rows.ts';

/** A row with the case that it belongs to. */
export interface KeyedRow extends HeldRow {
  readonly caseKey: string;
}

/** The rows of one case, in the order of the file. */
export type CaseGroup = readonly [caseKey: string, rows: readonly HeldRow[]];

export interface GroupBounds {
  readonly held: number; // characters of rows kept in memory before they go to a file
  readonly parts: number; // that cases are spread over; one of them has to fit in memory
  readonly folder: string; // for the file, which has no name: whatever happens, nothing stays behind
}

export const GROUP_BOUNDS: GroupBounds = { held: 50_000_000, parts: 128, folder: tmpdir() };

export interface CaseGroups {
  readonly add: (rows: readonly KeyedRow[]) => Promise<void>;
  /** All that was added, some thousand rows at a time, each case whole. */
  readonly groups: () => AsyncGenerator<readonly CaseGroup[]>;
  readonly close: () => Promise<void>;
}

/** Where in the file some rows of a part lie. */
interface Piece {
  readonly at: number; // byte
  readonly length: number; // bytes
}

/**
 * Brings the rows of each case together, whatever their order in the file. Rows stay in memory up to a bound; past it
 * they go to a temporary file by a hash of their case, whose parts are then read one after the other.
 */
export function caseGroups(bounds: GroupBounds): CaseGroups {
  const pieces: Piece[][] = Array.from({ length: bounds.parts }, () => []);
  let held: KeyedRow[] = [];
  let size = 0;
  let file: FileHandle | undefined;
  let end = 0;

  async function spill(): Promise<void> {
    file ??= await openNameless(bounds.folder);
    const parts: KeyedRow[][] = Array.from({ length: bounds.parts }, () => []);
    for (const row of held) parts[hash(row.caseKey) % bounds.parts]?.push(row);
    for (const [part, rows] of parts.entries()) {
      if (rows.length === 0) continue;
      const bytes = Buffer.from(JSON.stringify(rows));
      await file.write(bytes, 0, bytes.length, end);
      pieces[part]?.push({ at: end, length: bytes.length });
      end += bytes.length;
    }
    held = [];
    size = 0;
  }

  return {
    add: async (rows) => {
      for (const row of rows) {
        held.push(row);
        size += row.raw.length;
      }
      if (size >= bounds.held) await spill();
    },
    groups: async function* () {
      if (file === undefined) return yield* inBatches(held);
      await spill();
      for (const part of pieces) yield* inBatches(await readPieces(file, part));
    },
    close: async () => file?.close(),
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

async function openNameless(folder: string): Promise<FileHandle> {
  const own = await mkdtemp(join(folder, 'support-import-'));
  const file = await open(join(own, 'rows'), 'w+');
  await rm(own, { recursive: true });
  return file;
}

async function readPieces(file: FileHandle, pieces: readonly Piece[]): Promise<KeyedRow[]> {
  const found: KeyedRow[] = [];
  for (const { at, length } of pieces) {
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, at);
    const rows: KeyedRow[] = JSON.parse(bytes.toString());
    for (const row of rows) found.push(row);
  }
  return found;
}

/** FNV-1a of 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let place = 0; place < text.length; place++) {
    value = Math.imul(value ^ text.charCodeAt(place), 0x01000193);
  }
  return value >>> 0;
}

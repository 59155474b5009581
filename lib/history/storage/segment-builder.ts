import * as z from 'zod';
import { deflateJson, inflateJson } from '../segments/deflated-json.ts';
import { encodeRows, type HistoryRow, openRows, type RowName, rowPosition, weightOf } from '../segments/history-row.ts';
import { comparePositions, type RowPosition, SEGMENT_KINDS, type SegmentKind } from '../segments/row-position.ts';
import type { NewSegment } from './commit.ts';
import type { Draft } from './draft.ts';

/** The largest weight of a segment. Its bytes are about half as many, well below the 400 KB of an item. */
export const SEGMENT_WEIGHT = 560_000;

/** A row in an older segment that a newer row replaces, and the seconds in which this can change a report. */
export interface Replaced {
  readonly names: readonly RowName[]; // all names that the row may have in older segments
  readonly start: number; // s
  readonly end: number; // s
}

/** The content of a segment's blob: the names of the rows that it replaces in older segments, and its columns. */
export interface SegmentBlob {
  readonly superseded: readonly RowName[];
  readonly columns: Uint8Array; // for `openSegment` or `openSessions`
}

const PREFIX = 4; // bytes that hold the length of the names, little-endian
const Names = z.array(z.tuple([z.int(), z.string()]));

export function packSegment({ superseded, columns }: SegmentBlob): Uint8Array {
  const names = superseded.map(({ second, subject }) => [second, subject]);
  const packed = names.length === 0 ? Buffer.alloc(0) : deflateJson(names);
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32LE(packed.length);
  return Buffer.concat([prefix, packed, columns]);
}

export function unpackSegment(bytes: Uint8Array): SegmentBlob {
  const end = PREFIX + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const columns = bytes.subarray(end);
  if (end === PREFIX) return { superseded: [], columns };
  const names = Names.parse(inflateJson(bytes.subarray(PREFIX, end)));
  return { superseded: names.map(([second, subject]) => ({ second, subject })), columns };
}

/** Collects the new rows of a commit and cuts them into fresh segments. */
export interface SegmentBuilder {
  /** Adds a subject's new row and the row that it replaces; either may be absent. */
  add(row: HistoryRow | undefined, replaced: Replaced | undefined, kind: SegmentKind): Promise<void>;
  /** Writes the last segments to the draft and returns all. */
  finish(): Promise<NewSegment[]>;
}

export function buildSegments(draft: Draft): SegmentBuilder {
  const segments: NewSegment[] = [];
  const gathered = { cases: noRows(), sessions: noRows() };

  async function flush(kind: SegmentKind): Promise<void> {
    const { rows, replaced } = gathered[kind];
    gathered[kind] = noRows();
    if (rows.length + replaced.length > 0)
      segments.push(await writeSegment(draft, kind, encodeFresh(kind, rows), { replaced }));
  }

  return {
    async add(row, replaced, kind) {
      const heap = gathered[kind];
      if (replaced) heap.replaced.push(replaced);
      if (row) {
        heap.rows.push(row);
        heap.weight += weightOf(row);
      }
      if (heap.weight >= SEGMENT_WEIGHT) await flush(kind);
    },
    async finish() {
      for (const kind of SEGMENT_KINDS) await flush(kind);
      return segments;
    },
  };
}

interface PendingRows {
  readonly rows: HistoryRow[];
  readonly replaced: Replaced[];
  weight: number;
}

const noRows = (): PendingRows => ({ rows: [], replaced: [], weight: 0 });

/** Encoded rows, and those numbers for the manifest that the head of the columns does not hold. */
export interface SegmentRows {
  readonly columns: Uint8Array;
  readonly low: RowPosition; // of the first row
  readonly high: RowPosition; // of the last row
  readonly weight: number;
}

function encodeFresh(kind: SegmentKind, rows: readonly HistoryRow[]): SegmentRows {
  const positions = rows.map(rowPosition).sort(comparePositions);
  const nowhere: RowPosition = { second: 0, hash: 0 };
  return {
    columns: encodeRows(kind, rows),
    low: positions[0] ?? nowhere,
    high: positions.at(-1) ?? nowhere,
    weight: rows.reduce((sum, row) => sum + weightOf(row), 0),
  };
}

/**
 * Writes one segment to a draft: a settled one if `born` is given, the largest `born` of its rows; else a fresh one.
 */
export async function writeSegment(
  draft: Draft,
  kind: SegmentKind,
  { columns, ...rest }: SegmentRows,
  { replaced = [], born }: { readonly replaced?: readonly Replaced[]; readonly born?: number },
): Promise<NewSegment> {
  const superseded = replaced
    .flatMap(({ names }) => names)
    .sort((a, b) => a.second - b.second || (a.subject < b.subject ? -1 : 1));
  const { id, parts } = await draft.add('segment', packSegment({ superseded, columns }));
  const { head } = openRows(kind, columns);
  const extents = head.rows === 0 ? replaced : [head, ...replaced];
  return {
    id,
    parts,
    kind,
    settled: born !== undefined,
    born,
    start: extents.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY),
    end: extents.reduce((most, { end }) => Math.max(most, end), 0),
    version: head.version,
    rows: head.rows,
    facts: head.facts,
    ...rest,
    superseded: superseded.length,
  };
}

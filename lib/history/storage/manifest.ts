import * as z from 'zod';
import { SHARDS } from '../cases/subject.ts';
import { openColumnFile, writeColumnFile } from '../segments/column-file.ts';
import { type RowPosition, SEGMENT_KINDS, type SegmentKind } from '../segments/row-position.ts';
import type { Blob } from './blobs.ts';

/** The manifest's entry of a live segment: all that is known of it without reading it. */
export interface SegmentRef {
  readonly id: number;
  readonly parts: number; // number of items that store it
  readonly kind: SegmentKind;
  readonly settled: boolean; // true: a part of the canonical cut; false: fresh, with rows of any positions
  readonly born: number; // version of the commit that added its newest rows; it supersedes rows only in older segments
  readonly start: number; // s, first second in which it can change a report: of its rows and the rows it replaces
  readonly end: number; // s, last such second
  readonly low: RowPosition; // of its first row
  readonly high: RowPosition; // of its last row
  readonly version: number; // ROW_VERSION of its rows; the smallest if they differ
  readonly rows: number;
  readonly facts: number;
  readonly weight: number; // sum of its rows' weights; the canonical cut limits it
  readonly superseded: number; // number of names of rows in older segments that it replaces
}

/** What a manifest says of a part of it: an immutable blob with the entries of some segments. */
export interface ManifestPart {
  readonly id: number;
  readonly parts: number; // number of items that store it
  readonly start: number; // s, first second in which one of its segments can change a report
  readonly end: number; // s, last such second
}

/** A list of committed segments. One transaction replaces it together with the directory shards and the head. */
export interface Manifest {
  readonly version: number; // 0: nothing was ever committed
  readonly shardVersions: readonly number[]; // of each directory shard
  readonly segments: readonly SegmentRef[];
}

/** The item of a manifest: its segments are those in no part. */
export interface ManifestItem extends Manifest {
  readonly parts: readonly ManifestPart[]; // none as long as the item names all segments
}

/** A part of a manifest, as it was read. */
export interface ReadPart extends ManifestPart {
  readonly segments: readonly SegmentRef[];
}

/** A manifest with all of its segments, those in parts too. */
export interface WholeManifest extends Manifest {
  readonly read: readonly ReadPart[];
}

/** Segments of a part, and the most that the item of a manifest names itself: 300 KB of the 400 that an item may have. */
export const PART_SEGMENTS = 10_000;

export const EMPTY_MANIFEST: ManifestItem = {
  version: 0,
  shardVersions: Array(SHARDS).fill(0),
  segments: [],
  parts: [],
};

/** Whether a segment can change a report on the seconds `from` … `to`, both inclusive. */
export const canChangeReport = (segment: Pick<SegmentRef, 'start' | 'end'>, from: number, to: number): boolean =>
  segment.start <= to && segment.end >= from;

/** The first and last second in which some of these can change a report; without any `start` is infinite, `end` 0. */
export const spanOf = (
  extents: readonly Pick<SegmentRef, 'start' | 'end'>[],
): { readonly start: number; readonly end: number } => ({
  start: extents.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY),
  end: extents.reduce((most, { end }) => Math.max(most, end), 0),
});

/** Returns the blob of a segment. */
export const segmentBlob = ({ id, parts }: SegmentRef): Blob => ({ kind: 'segment', id, parts });

/** Returns the blob of a part of the manifest. */
export const partBlob = ({ id, parts }: ManifestPart): Blob => ({ kind: 'manifest', id, parts });

const Head = z.object({});

/** Encodes a manifest, or a part of one: about 30 bytes for each segment, so that 10,000 fit into one item. */
export function encodeManifest({ shardVersions, segments, parts }: Omit<ManifestItem, 'version'>): Uint8Array {
  const column = (value: (segment: SegmentRef) => number): number[] => segments.map(value);
  const numbers = {
    shardVersions,
    id: column(({ id }) => id),
    parts: column(({ parts }) => parts),
    kind: column(({ kind }) => SEGMENT_KINDS.indexOf(kind)),
    settled: column(({ settled }) => (settled ? 1 : 0)),
    born: column(({ born }) => born),
    start: column(({ start }) => start),
    length: column(({ start, end }) => end - start),
    lowSecond: column(({ low }) => low.second),
    lowHash: column(({ low }) => low.hash),
    highSpan: column(({ low, high }) => high.second - low.second),
    highHash: column(({ high }) => high.hash),
    version: column(({ version }) => version),
    rows: column(({ rows }) => rows),
    facts: column(({ facts }) => facts),
    weight: column(({ weight }) => weight),
    superseded: column(({ superseded }) => superseded),
    partId: parts.map(({ id }) => id), // columns without numbers are left out
    partItems: parts.map((part) => part.parts),
    partStart: parts.map(({ start }) => start),
    partLength: parts.map(({ start, end }) => end - start),
  };
  return writeColumnFile({}, numbers, {});
}

/** Decodes the bytes of `encodeManifest`; their version is stored beside them. */
export function decodeManifest(bytes: Uint8Array, version: number): ManifestItem {
  const file = openColumnFile(bytes, Head);
  const column = (name: string): ((i: number) => number) => {
    const values = file.numbers(name);
    return (i) => values[i]!;
  };
  const ids = file.numbers('id');
  const versions = file.numbers('version'); // empty in manifests older than row versions
  const [parts, kind, settled, born] = [column('parts'), column('kind'), column('settled'), column('born')];
  const [start, length, superseded] = [column('start'), column('length'), column('superseded')];
  const [lowSecond, lowHash] = [column('lowSecond'), column('lowHash')];
  const [highSpan, highHash] = [column('highSpan'), column('highHash')];
  const [rows, facts, weight] = [column('rows'), column('facts'), column('weight')];
  const segments = Array.from(
    ids,
    (id, i): SegmentRef => ({
      id,
      parts: parts(i),
      kind: SEGMENT_KINDS[kind(i)]!,
      settled: settled(i) === 1,
      born: born(i),
      start: start(i),
      end: start(i) + length(i),
      low: { second: lowSecond(i), hash: lowHash(i) },
      high: { second: lowSecond(i) + highSpan(i), hash: highHash(i) },
      version: versions[i] ?? 1,
      rows: rows(i),
      facts: facts(i),
      weight: weight(i),
      superseded: superseded(i),
    }),
  );
  const [partItems, partStart, partLength] = [column('partItems'), column('partStart'), column('partLength')];
  const named = Array.from(
    file.numbers('partId'), // empty where the item names all segments
    (id, i): ManifestPart => ({
      id,
      parts: partItems(i),
      start: partStart(i),
      end: partStart(i) + partLength(i),
    }),
  );
  return { version, shardVersions: Array.from(file.numbers('shardVersions')), segments, parts: named };
}

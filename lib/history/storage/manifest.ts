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

/** The list of all committed segments. One transaction replaces it together with the directory shards and the head. */
export interface Manifest {
  readonly version: number; // 0: nothing was ever committed
  readonly shardVersions: readonly number[]; // of each directory shard
  readonly segments: readonly SegmentRef[];
}

export const EMPTY_MANIFEST: Manifest = { version: 0, shardVersions: Array(SHARDS).fill(0), segments: [] };

/** Whether a segment can change a report on the seconds `from` … `to`, both inclusive. */
export const canChangeReport = (segment: SegmentRef, from: number, to: number): boolean =>
  segment.start <= to && segment.end >= from;

/** Returns the blob of a segment. */
export const segmentBlob = ({ id, parts }: SegmentRef): Blob => ({ kind: 'segment', id, parts });

const Head = z.object({});

/** Encodes a manifest, about 30 bytes for each segment: 10,000 segments fit into one item. */
export function encodeManifest({ shardVersions, segments }: Manifest): Uint8Array {
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
  };
  return writeColumnFile({}, numbers, {});
}

/** Decodes the bytes of `encodeManifest`; their version is stored beside them. */
export function decodeManifest(bytes: Uint8Array, version: number): Manifest {
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
  return { version, shardVersions: Array.from(file.numbers('shardVersions')), segments };
}

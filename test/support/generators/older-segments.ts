import * as z from 'zod';
import type { CaseRow } from '../../../lib/history/cases/case-row.ts';
import { ALL_FACT_KINDS, extentOf, OLDER_KINDS } from '../../../lib/history/cases/case-row.ts';
import { openColumnFile, writeColumnFile } from '../../../lib/history/segments/column-file.ts';
import { rowPosition } from '../../../lib/history/segments/history-row.ts';
import { comparePositions } from '../../../lib/history/segments/row-position.ts';
import { openSegment, SegmentHead } from '../../../lib/history/segments/segment.ts';
import { columnName, DICTIONARIES, LISTS } from '../../../lib/history/segments/segment-columns.ts';
import { encodeSegment } from '../../../lib/history/segments/segment-encode.ts';
import { blobItems, readBlobs } from '../../../lib/history/storage/blobs.ts';
import { readManifest } from '../../../lib/history/storage/commit.ts';
import type { HistoryContext } from '../../../lib/history/storage/history-context.ts';
import { encodeManifest, type SegmentRef, segmentBlob } from '../../../lib/history/storage/manifest.ts';
import { packSegment, unpackSegment } from '../../../lib/history/storage/segment-builder.ts';
import { keys } from '../../../lib/store/keys.ts';
import { segmentRows } from './segment-rows.ts';

const [FIRST_KINDS = []] = OLDER_KINDS; // the kinds of facts in version 1

/** The row as version 1 of rows stored it; undefined if it stored none. */
export function olderRow(row: CaseRow): CaseRow | undefined {
  const kept = ALL_FACT_KINDS.map((kind) => [kind, FIRST_KINDS.includes(kind) ? row.facts[kind] : []]);
  const facts: CaseRow['facts'] = { ...row.facts, ...Object.fromEntries(kept) };
  if (FIRST_KINDS.every((kind) => facts[kind].length === 0)) return undefined;
  return { ...row, ...extentOf(facts, row.start), facts, attributes: { ...row.attributes, status: 0 } };
}

/** The bytes of a segment as version 1 of rows wrote it: without the columns that were added later. */
function olderSegment(rows: readonly CaseRow[]): Uint8Array {
  const file = openColumnFile(encodeSegment(rows), SegmentHead);
  const { version, ...head } = file.head;
  const facts = [
    columnName.factCount,
    columnName.factDelta,
    columnName.factAgent,
    columnName.factGroup,
    columnName.factValue,
  ];
  const numbers = [
    columnName.start,
    ...(['channel', 'agent', 'group', 'priority', 'company', 'score'] as const).map(columnName.attribute),
    ...LISTS.flatMap((name) => [columnName.list(name), columnName.listCount(name)]),
    columnName.macroResolves,
    ...FIRST_KINDS.flatMap((kind) => facts.map((name) => name(kind))),
  ];
  const dictionaries = [...DICTIONARIES.filter((name) => name !== 'statuses'), 'customValues' as const];
  const texts = [columnName.keys, ...dictionaries.map(columnName.dictionary)].filter(
    (name) => file.json(name) !== undefined,
  );
  return writeColumnFile(
    head,
    Object.fromEntries(numbers.map((name) => [name, file.numbers(name)])),
    Object.fromEntries(texts.map((name) => [name, file.json(name)])),
  );
}

/** Rewrites all stored rows of cases as version 1 of rows would have stored them. */
export async function makeOlder(context: HistoryContext): Promise<void> {
  const { table, site } = context;
  const manifest = await readManifest(table, site.name);
  const segments: SegmentRef[] = [];
  for (const ref of manifest.segments) segments.push(ref.kind === 'cases' ? await rewriteAsOlder(context, ref) : ref);
  const item = z.object({ version: z.number() }).parse(await table.get(keys.manifest(site.name)));
  const bytes = encodeManifest({ ...manifest, segments, parts: [] });
  await table.put({ ...keys.manifest(site.name), ...item, bytes });
}

async function rewriteAsOlder({ table, site }: HistoryContext, ref: SegmentRef): Promise<SegmentRef> {
  const [packed] = await readBlobs(table, site.name, [segmentBlob(ref)]);
  const { superseded, columns } = unpackSegment(packed!);
  const rows = segmentRows(openSegment(columns)).flatMap((row) => olderRow(row) ?? []);
  const bytes = packSegment({ superseded, columns: olderSegment(rows) });
  const items = blobItems(site.name, 'segment', ref.id, bytes);
  await table.batchWrite(items.map((put) => ({ put })));
  const places = rows.map(rowPosition).sort(comparePositions);
  const [low = ref.low, high = ref.high] = [places[0], places.at(-1)];
  return { ...ref, low, high, rows: rows.length, parts: items.length, version: 1 };
}

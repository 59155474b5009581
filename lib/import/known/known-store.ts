import * as z from 'zod';
import type { Instant } from '../../history/cases/event.ts';
import { readSources } from '../../history/sources.ts';
import type { HistoryContext } from '../../history/storage/history-context.ts';
import { ConditionFailed } from '../../store/faults.ts';
import { keys } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import { type CaseShape, NO_CASES, type PackedCases } from './known-cases.ts';

/** The known cases of a source, as its last import stored them. */
export interface StoredCases {
  readonly exported: Instant | null; // when the import's file was made
  readonly cases: PackedCases;
  readonly shapes: readonly CaseShape[];
}

const headSchema = z.object({
  moment: z.number(), // µs, moment of the import that stored them; valid only if it was the source's last import
  asOf: z.number().nullable(), // µs, when its file was made, as far as known
  parts: z.number(),
  count: z.number(),
  shapes: z.string(), // JSON
});
const shapesSchema = z.array(z.record(z.string(), z.number()));
const NOTHING: StoredCases = { exported: null, cases: NO_CASES, shapes: [] };
const PART_BYTES = 380_000;
const SHAPES_BYTES = 100_000; // most bytes of the shapes' JSON

/**
 * Reads the known cases of a source; none if anything has changed the source since they were stored, or this export,
 * made at `asOf`, is older.
 */
export async function readStoredCases(
  context: HistoryContext,
  source: string,
  asOf: Instant | null,
): Promise<StoredCases> {
  const { table, site } = context;
  const item = await table.get(keys.known(site.name, source));
  const [note] = await readSources(context, [source]);
  if (item === undefined || note === undefined) return NOTHING;
  const head = headSchema.parse(item);
  const isOlder = asOf !== null && asOf < (head.asOf ?? -1);
  if (head.parts === 0 || head.moment !== note.moment || isOlder) return NOTHING;
  const parts = await table.batchGet(
    Array.from({ length: head.parts }, (_, part) => keys.knownPart(site.name, source, part)),
  );
  const bytes = parts.flatMap((part) => (part?.bytes instanceof Uint8Array ? [part.bytes] : []));
  if (bytes.length < parts.length) return NOTHING;
  return {
    exported: head.asOf,
    cases: unpack(Buffer.concat(bytes), head.count),
    shapes: shapesSchema.parse(JSON.parse(head.shapes)),
  };
}

/** Records the start of an import of a source. From now on no case is known, until `saveStoredCases`. */
export async function beginStoredCases(context: HistoryContext, source: string, moment: Instant): Promise<void> {
  const head = { moment, asOf: null, parts: 0, count: 0, shapes: '[]' };
  await context.table.put({ ...keys.known(context.site.name, source), ...head });
}

/** Stores the known cases of the import with this moment, unless something else has changed the source since. */
export async function saveStoredCases(
  { table, site }: HistoryContext,
  source: string,
  { exported, cases, shapes }: StoredCases,
  moment: Instant,
): Promise<void> {
  const json = JSON.stringify(shapes);
  if (json.length > SHAPES_BYTES) return;
  const bytes = pack(cases);
  const count = cases.high.length;
  const parts = Math.ceil(bytes.length / PART_BYTES);
  const puts = Array.from({ length: parts }, (_, part): { readonly put: Item } => ({
    put: {
      ...keys.knownPart(site.name, source, part),
      bytes: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    },
  }));
  await table.batchWrite(puts);
  try {
    const head = { moment, asOf: exported, parts, count, shapes: json };
    await table.put({ ...keys.known(site.name, source), ...head }, { attribute: 'moment', equals: moment });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error; // a live event or another import came between
  }
}

/** All columns one after the other. Earlier versions wrote case by case: none of their digests is found, and each case is read. */
const pack = ({ high, low, shape }: PackedCases): Buffer =>
  Buffer.concat(
    [high, low, shape].map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );

function unpack(bytes: Buffer, count: number): PackedCases {
  const { buffer } = new Uint8Array(bytes); // a copy begins where its numbers are aligned
  return {
    high: new Uint32Array(buffer, 0, count),
    low: new Uint32Array(buffer, 4 * count, count),
    shape: new Uint16Array(buffer, 8 * count, count),
  };
}

import * as z from 'zod';
import { FATES } from '../history/cases/versions.ts';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item, Table, Write } from '../store/table.ts';
import { checkTurn, releaseTurn, type UploadTurn } from './turn.ts';

/** The works on an import, in their order. */
export const WORKS = ['check', 'load', 'undo'] as const;
export type Work = (typeof WORKS)[number];

/** The format and options that a person gave, which replace the recognised ones. */
const given = z.object({
  format: z.string().optional(), // as in `support import --format`
  mapping: z.record(z.string(), z.unknown()).optional(), // the mapping of a CSV
  zone: z.string().optional(), // zone of times without offset; absent: the site's
  source: z.string().optional(),
});
export type Given = z.infer<typeof given>;

const note = z.object({ what: z.string(), why: z.string(), is_sure: z.boolean() });
const preview = z.union([
  z.object({ header: z.array(z.string()), rows: z.array(z.array(z.string())) }),
  z.object({ lines: z.array(z.string()) }),
]);

/** The recognised format, mapping and sources of a file. */
const found = z.object({
  format: z.string(),
  why: z.string(),
  mapping: z.record(z.string(), z.unknown()).nullable(),
  notes: z.array(note), // the proposed mapping explained
  preview,
  source: z.string(), // the source of its events
  sources: z.array(z.string()), // that source and those in its records
});
export type FoundFile = z.infer<typeof found>;

const counts = z.record(z.string(), z.int());
const outcome = z.object({
  records: counts, // well-formed records by type
  ...{ events: z.int(), added: z.int(), replaced: z.int(), unchanged: z.int(), superseded: z.int(), removed: z.int() },
  rejected: z.int(), // lines
  rejections: z.array(z.object({ reason: z.string(), count: z.int(), first: z.array(z.string()) })),
  ignored: counts,
  warnings: z.array(z.string()),
  story: z.array(z.string()), // the first cases in words, after a dry run
});

/** The result of an import or of its dry run. */
export type ImportOutcome = z.infer<typeof outcome>;

const progress = z.object({
  step: z.enum(['reading', 'storing', 'folding']),
  share: z.number().nullable(), // share of the step that is done, 0…1
  events: z.int(), // so far
});
export type ImportProgress = z.infer<typeof progress>;

const fateCounts = z.record(z.enum(FATES), z.int());

/** What earlier steps of a work have merged (docs/design/uploads.md). */
const merged = z.object({
  groups: z.array(z.string()), // digests
  fates: z.record(z.string(), fateCounts), // counts by type of event
  ...{ removed: z.int(), erased: z.int() },
});
export type MergedSoFar = z.infer<typeof merged>;

const parts = {
  ...{ given, found: found.nullable(), checked: outcome.nullable(), loaded: outcome.nullable() },
  merged: merged.nullable().default(null),
};

/** The default source of an import. */
export const ownSource = (id: number): string => `upload-${id}`;

/** The shapes of an import's parts in replies. */
export const SHAPES = { note, preview, outcome, progress } as const;

const stored = z.object({
  id: z.int(),
  name: z.string(), // name of the file, without folders
  size: z.int(), // bytes as sent
  login: z.string(), // the user who sent it
  work: z.enum(WORKS), // the last one started
  status: z.enum(['waiting', 'working', 'done', 'failed']), // waiting: the file has not been sent
  version: z.string().optional(), // version of the file, if it can be sent again
  problem: z.string().nullable(), // why it failed, for people
  progress: progress.nullable(),
  touched: z.boolean(), // loading has started
  brought: z.array(z.string()), // sources that this import created
  ...{ created_at: z.number(), updated_at: z.number() }, // epoch ms
  ...parts,
});

/** An import: a file, and the work on it. */
export type Upload = Readonly<z.infer<typeof stored>>;

const MOST_BYTES = 300_000; // bytes of the parts in an item; DynamoDB takes 400 KB

const uploadIn = (item: Item): Upload => stored.parse({ ...item, ...JSON.parse(String(item.parts)) });

function itemOf(site: string, { given, found, checked, loaded, merged, ...upload }: Upload): Item {
  const key = keys.upload(site, upload.id);
  const parts = JSON.stringify({ given, found, checked, loaded, merged });
  if (Buffer.byteLength(parts) <= MOST_BYTES) return { ...key, ...upload, parts };
  const short = (one: ImportOutcome | null) => one && { ...one, rejections: [], ignored: {}, story: [], warnings: [] };
  const less = { given, found: found && { ...found, preview: { lines: [] }, notes: [] } };
  return {
    ...key,
    ...upload,
    parts: JSON.stringify({ ...less, checked: short(checked), loaded: short(loaded), merged }),
  };
}

/** Reads an import; undefined if there is none with this id. */
export async function readUpload(table: Table, site: string, id: number): Promise<Upload | undefined> {
  const item = await table.get(keys.upload(site, id));
  return item && uploadIn(item);
}

/** A site's imports, the latest first. */
export async function listUploads(table: Table, site: string): Promise<Upload[]> {
  const items = await table.query(keys.uploads(site).pk, { prefix: 'upload#' });
  return items.map(uploadIn).reverse();
}

/** Another process has the turn. */
export class TurnLost extends Error {
  constructor() {
    super('another process works on this import');
    this.name = 'TurnLost';
  }
}

/** Writes an import together with `beside` if the turn is still held. Throws `TurnLost`. */
export async function putUpload(
  table: Table,
  turn: UploadTurn,
  upload: Upload,
  beside: readonly Write[] = [],
): Promise<void> {
  try {
    await table.transact([{ put: itemOf(turn.site, upload) }, checkTurn(turn), ...beside]);
  } catch (error) {
    throw error instanceof ConditionFailed ? new TurnLost() : error;
  }
}

/**
 * Writes an import for the last time in its turn and releases the turn in the same transaction, so that an import shown
 * as done can be continued at once. Throws `TurnLost`.
 */
export async function finishUpload(
  table: Table,
  turn: UploadTurn,
  upload: Upload,
  beside: readonly Write[] = [],
): Promise<void> {
  const back = await releaseTurn(table, turn);
  if (back === undefined) throw new TurnLost();
  try {
    await table.transact([{ put: itemOf(turn.site, upload) }, back, ...beside]);
  } catch (error) {
    throw error instanceof ConditionFailed ? new TurnLost() : error;
  }
}

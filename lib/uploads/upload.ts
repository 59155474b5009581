import * as z from 'zod';
import { FATES } from '../history/cases/versions.ts';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item, Table, Write } from '../store/table.ts';
import { turnBack, type UploadTurn, whileMine } from './turn.ts';

/** What is done to an import, one after the other. */
export const WORKS = ['check', 'load', 'undo'] as const;
export type Work = (typeof WORKS)[number];

/** What somebody said of a file in the place of what it was taken for. */
const given = z.object({
  format: z.string().optional(), // as `support import --format` takes it
  mapping: z.record(z.string(), z.unknown()).optional(), // of a CSV
  zone: z.string().optional(), // of times without offset; absent: the site's
  source: z.string().optional(),
});
export type Given = z.infer<typeof given>;

const note = z.object({ what: z.string(), why: z.string(), is_sure: z.boolean() });
const preview = z.union([
  z.object({ header: z.array(z.string()), rows: z.array(z.array(z.string())) }),
  z.object({ lines: z.array(z.string()) }),
]);

/** What a file was found to be. */
const found = z.object({
  format: z.string(),
  why: z.string(),
  mapping: z.record(z.string(), z.unknown()).nullable(),
  notes: z.array(note), // what the proposed mapping says, and why
  preview,
  source: z.string(), // where its events come from
  sources: z.array(z.string()), // that and those its records name
});
export type FoundFile = z.infer<typeof found>;

const counts = z.record(z.string(), z.int());
const outcome = z.object({
  records: counts, // well-formed ones by type
  ...{ events: z.int(), added: z.int(), replaced: z.int(), unchanged: z.int(), superseded: z.int(), removed: z.int() },
  rejected: z.int(), // lines
  rejections: z.array(z.object({ reason: z.string(), count: z.int(), first: z.array(z.string()) })),
  ignored: counts,
  warnings: z.array(z.string()),
  story: z.array(z.string()), // the first cases in words, of a dry run
});

/** What an import brings, or would bring. */
export type ImportOutcome = z.infer<typeof outcome>;

const progress = z.object({
  step: z.enum(['reading', 'storing', 'folding']),
  share: z.number().nullable(), // of the step, 0 to 1
  events: z.int(), // so far
});
export type ImportProgress = z.infer<typeof progress>;

const fateCounts = z.record(z.enum(FATES), z.int());

/** What the steps of a work that were before this one have merged (docs/design/uploads.md). */
const merged = z.object({
  groups: z.array(z.string()), // digests
  fates: z.record(z.string(), fateCounts), // by type of event
  ...{ removed: z.int(), erased: z.int() },
});
export type MergedSoFar = z.infer<typeof merged>;

const parts = {
  ...{ given, found: found.nullable(), checked: outcome.nullable(), loaded: outcome.nullable() },
  merged: merged.nullable().default(null),
};

/** The source of an import for which nobody names another. */
export const ownSource = (id: number): string => `upload-${id}`;

/** What parts of an import look like in replies. */
export const SHAPES = { note, preview, outcome, progress } as const;

const stored = z.object({
  id: z.int(),
  name: z.string(), // of the file, without folders
  size: z.int(), // bytes as they came
  login: z.string(), // who brought it
  work: z.enum(WORKS), // the last that was begun
  status: z.enum(['waiting', 'working', 'done', 'failed']), // waiting: for its file
  version: z.string().optional(), // of the file, where it may be sent again
  problem: z.string().nullable(), // why it failed, for people
  progress: progress.nullable(),
  touched: z.boolean(), // loading was begun
  brought: z.array(z.string()), // sources that this import was the first to bring
  ...{ created_at: z.number(), updated_at: z.number() }, // epoch ms
  ...parts,
});

/** A file on its way into a site's history. */
export type Upload = Readonly<z.infer<typeof stored>>;

const MOST_BYTES = 300_000; // of an item; DynamoDB takes 400 KB

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

/** An import; undefined where there is none of this id. */
export async function readUpload(table: Table, site: string, id: number): Promise<Upload | undefined> {
  const item = await table.get(keys.upload(site, id));
  return item && uploadIn(item);
}

/** A site's imports, the latest first. */
export async function listUploads(table: Table, site: string): Promise<Upload[]> {
  const items = await table.query(keys.uploads(site).pk, { prefix: 'upload#' });
  return items.map(uploadIn).reverse();
}

/** Another has the turn by now. */
export class TurnLost extends Error {
  constructor() {
    super('another process works on this import');
    this.name = 'TurnLost';
  }
}

/** Writes an import, and what goes beside it, while the turn is its own. Throws `TurnLost`. */
export async function putUpload(
  table: Table,
  turn: UploadTurn,
  upload: Upload,
  beside: readonly Write[] = [],
): Promise<void> {
  try {
    await table.transact([{ put: itemOf(turn.site, upload) }, whileMine(turn), ...beside]);
  } catch (error) {
    throw error instanceof ConditionFailed ? new TurnLost() : error;
  }
}

/** Writes an import for the last time in its turn and releases the turn with it: whoever sees the one may take the other. */
export async function finishUpload(
  table: Table,
  turn: UploadTurn,
  upload: Upload,
  beside: readonly Write[] = [],
): Promise<void> {
  const back = await turnBack(table, turn);
  if (back === undefined) throw new TurnLost();
  try {
    await table.transact([{ put: itemOf(turn.site, upload) }, back, ...beside]);
  } catch (error) {
    throw error instanceof ConditionFailed ? new TurnLost() : error;
  }
}

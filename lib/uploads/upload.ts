import * as z from 'zod';
import { principalShape } from '../access/principal.ts';
import { accessChangeShape } from '../import/reference/access.ts';
import { ownJson } from '../own-json.ts';
import type { Condition } from '../store/condition.ts';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item, Table, Write } from '../store/table.ts';
import {
  choicesShape,
  type ImportOutcome,
  mergedShape,
  outcomeShape,
  progressShape,
  type Understanding,
  understandingShape,
} from './shapes.ts';
import { checkTurn, releaseTurn, type TurnContext, type UploadTurn } from './turn.ts';

/** The works on an import, in their order. */
export const WORKS = ['check', 'load', 'undo'] as const;
export type Work = (typeof WORKS)[number];

const parts = {
  given: choicesShape,
  found: understandingShape.nullable(),
  checked: outcomeShape.nullable(),
  loaded: outcomeShape.nullable(),
  merged: mergedShape.nullable().default(null),
  changes: z.array(accessChangeShape).default([]), // of users and settings, which undoing takes back
};

/** The default source of an import. */
export const ownSource = (id: number): string => `upload-${id}`;

/** The name under which the history notes what an import changes (docs/design/undo.md). */
export const importIdOf = ownSource;

const stored = z.object({
  id: z.int(),
  name: z.string(), // name of the file, without folders
  size: z.int(), // bytes as sent
  login: z.string(), // the user who sent it
  work: z.enum(WORKS), // the last one started
  status: z.enum(['arriving', 'waiting', 'working', 'done', 'failed']), // waiting: for its file, or for its turn
  holder: z.string().optional(), // the process that takes in the file that arrives, if its death can be seen
  version: z.string().optional(), // version of the file, if it can be sent again
  problem: z.string().nullable(), // why it failed, for people
  progress: progressShape.nullable(),
  asked: principalShape.optional().catch(undefined), // who asked for the last work; earlier versions kept the login alone
  touched: z.boolean(), // loading has started
  forgotten: z.int().optional(), // how often persons were erased from it
  created_at: z.number(),
  updated_at: z.number(), // epoch ms
  ...parts,
});

/** An import: a file, and the work on it. */
export type Upload = Readonly<z.infer<typeof stored>>;

const MOST_BYTES = 300_000; // bytes of the parts in an item; DynamoDB takes 400 KB

const uploadIn = (item: Item): Upload => stored.parse({ ...item, ...ownJson<object>(String(item.parts)) });

function itemOf(site: string, { given, found, checked, loaded, merged, changes, ...upload }: Upload): Item {
  const own = { ...keys.upload(site, upload.id), ...upload };
  const all = { given, found, checked, loaded, merged, changes };
  const parts = JSON.stringify(all);
  if (Buffer.byteLength(parts) <= MOST_BYTES) return { ...own, parts };
  const less = { found: found && withoutRows(found), checked: inNumbers(checked), loaded: inNumbers(loaded) };
  return { ...own, parts: JSON.stringify({ ...all, ...less }) };
}

/** An outcome without what it shows of the file. */
export const inNumbers = (one: ImportOutcome | null): ImportOutcome | null =>
  one && { ...one, rejections: [], ignored: {}, stories: [], warnings: [] };

/** What a file was found to be, without what that shows of it, save open questions. */
export const withoutRows = (found: Understanding): Understanding => ({
  ...found,
  preview: { lines: [] },
  notes: [],
  proposal: null,
});

/** Replaces an import that was read, whoever has the turn. Throws `ConditionFailed` if it was written meanwhile. */
export const replaceUpload = (table: Table, site: string, before: Upload, after: Upload): Promise<void> =>
  table.put(itemOf(site, after), { attribute: 'updated_at', equals: before.updated_at });

const ARRIVING: Condition = { attribute: 'status', equals: 'arriving' };

/** Writes an import whose file arrives, with `beside`. Throws `ConditionFailed` if it does not any more. */
export const replaceArriving = (
  table: Table,
  site: string,
  upload: Upload,
  beside: readonly Write[] = [],
): Promise<void> => table.transact([{ put: itemOf(site, upload), when: ARRIVING }, ...beside]);

/** Deletes the record of an import whose file arrives. Throws `ConditionFailed` if it does not any more. */
export const deleteArriving = (table: Table, site: string, id: number): Promise<void> =>
  table.delete(keys.upload(site, id), ARRIVING);

/** Reads an import; undefined if there is none with this id. */
export async function readUpload(table: Table, site: string, id: number): Promise<Upload | undefined> {
  const item = await table.get(keys.upload(site, id));
  return item && uploadIn(item);
}

const head = stored.pick({
  id: true,
  name: true,
  size: true,
  login: true,
  work: true,
  status: true,
  forgotten: true,
  updated_at: true,
  holder: true,
});

/** An import without what was found out about its file, which may be large. */
export type UploadHead = Readonly<z.infer<typeof head>>;

/** The heads of a site's imports, the latest first. */
export async function listUploads(table: Table, site: string): Promise<UploadHead[]> {
  const attributes = Object.keys(head.shape);
  const items = await table.query(keys.uploads(site).pk, { prefix: 'upload#', attributes });
  return items.map((item) => head.parse(item)).reverse();
}

/** Reads some imports; those that are not there any more are left out. */
export async function readUploads(table: Table, site: string, ids: readonly number[]): Promise<Upload[]> {
  const items = await table.batchGet(ids.map((id) => keys.upload(site, id)));
  return items.flatMap((item) => (item ? [uploadIn(item)] : []));
}

/** Deletes the record of an import, unless it was written since it was read. */
export const deleteUpload = (table: Table, site: string, { id, updated_at }: UploadHead): Promise<void> =>
  table.delete(keys.upload(site, id), { attribute: 'updated_at', equals: updated_at });

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
  await writeInTurn(table, [{ put: itemOf(turn.site, upload) }, checkTurn(turn), ...beside]);
}

async function writeInTurn(table: Table, writes: readonly Write[]): Promise<void> {
  try {
    await table.transact(writes);
  } catch (error) {
    throw error instanceof ConditionFailed ? new TurnLost() : error;
  }
}

/**
 * Writes an import for the last time in its turn and releases the turn in the same transaction, so that an import shown
 * as done can be continued at once. Throws `TurnLost`.
 */
export async function finishUpload(
  context: TurnContext,
  turn: UploadTurn,
  upload: Upload,
  beside: readonly Write[] = [],
): Promise<void> {
  const back = await releaseTurn(context, turn);
  if (back === undefined) throw new TurnLost();
  await writeInTurn(context.table, [{ put: itemOf(turn.site, upload) }, back, ...beside]);
}

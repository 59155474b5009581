import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { type ImportState, type ImportView, stateOf } from './show.ts';
import { readTurn, type TurnContext } from './turn.ts';
import { listUploads, readUpload, readUploads, type UploadHead } from './upload.ts';

type ImportReads = Pick<Context, 'site' | 'table' | 'now'> & Pick<TurnContext, 'holders'>;

const turnOf = (place: ImportReads): Promise<ImportView['turn']> => readTurn(place, place.site.name);

/**
 * Reads an import and its turn. As these are two reads, a work that ended or began between them looks interrupted, so
 * an interrupted import is read again. Throws `not_found`.
 */
export async function readImport(place: ImportReads, id: number): Promise<ImportView> {
  const first = await readOnce(place, id);
  return stateOf(first) === 'interrupted' ? readOnce(place, id) : first;
}

/** The head of an import, and its state. */
export interface ImportHeadView {
  readonly head: UploadHead;
  readonly state: ImportState;
}

/**
 * Reads the heads of all imports of a site with their states, the latest first, again if one looks interrupted, as for
 * one import.
 */
export async function readImportHeads(place: ImportReads): Promise<ImportHeadView[]> {
  const once = async (): Promise<ImportHeadView[]> => {
    const heads = await listUploads(place.table, place.site.name);
    const turn = await turnOf(place);
    return heads.map((head) => ({ head, state: stateOf({ upload: head, turn, now: place.now }) }));
  };
  const first = await once();
  return first.some(({ state }) => state === 'interrupted') ? once() : first;
}

/** Reads the imports of some heads; those that are not there any more are left out. */
export async function readImports(place: ImportReads, some: readonly ImportHeadView[]): Promise<ImportView[]> {
  const uploads = await readUploads(
    place.table,
    place.site.name,
    some.map(({ head: { id } }) => id),
  );
  const turn = await turnOf(place);
  return Promise.all(
    uploads.map((upload) => {
      const seen = { upload, turn, now: place.now };
      return stateOf(seen) === 'interrupted' ? readOnce(place, upload.id) : seen;
    }),
  );
}

async function readOnce(place: ImportReads, id: number): Promise<ImportView> {
  const upload = await readUpload(place.table, place.site.name, id);
  if (upload === undefined) throw notFound(`import ${id}`);
  return { upload, turn: await turnOf(place), now: place.now };
}

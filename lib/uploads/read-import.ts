import type { Context } from '../context.ts';
import { Failure } from '../errors.ts';
import { keys } from '../store/keys.ts';
import { type Seen, stateOf } from './show.ts';
import { turnIn } from './turn.ts';
import { listUploads, readUpload } from './upload.ts';

type Place = Pick<Context, 'site' | 'table' | 'now'>;

const turnOf = async ({ site, table }: Place): Promise<Seen['turn']> =>
  turnIn(await table.get(keys.uploadTurn(site.name)));

/**
 * Reads an import and its turn. As these are two reads, a work that ended or began between them looks interrupted, so
 * an interrupted import is read again. Throws `not_found`.
 */
export async function readImport(place: Place, id: number): Promise<Seen> {
  const first = await readOnce(place, id);
  return stateOf(first) === 'interrupted' ? readOnce(place, id) : first;
}

/** Reads all imports of a site in the same way, the latest first. */
export async function readImports(place: Place): Promise<Seen[]> {
  const uploads = await listUploads(place.table, place.site.name);
  const turn = await turnOf(place);
  return Promise.all(
    uploads.map((upload) => {
      const seen = { upload, turn, now: place.now };
      return stateOf(seen) === 'interrupted' ? readOnce(place, upload.id) : seen;
    }),
  );
}

async function readOnce(place: Place, id: number): Promise<Seen> {
  const upload = await readUpload(place.table, place.site.name, id);
  if (upload === undefined) throw new Failure('not_found');
  return { upload, turn: await turnOf(place), now: place.now };
}

import type { Context } from '../context.ts';
import { Failure } from '../errors.ts';
import { created, show } from '../http/reply.ts';
import type { UploadedFile, UploadHouse } from './house.ts';
import { importPath, type Seen, type Step, showImport, stepsOf, WORK_OF } from './show.ts';
import { endTurn, keepTurn, TURN_MS, type Turn, takeTurn } from './turn.ts';
import { type Given, putUpload, readUpload, TurnLost, type Upload } from './upload.ts';

/** A file as it comes. */
interface Arriving {
  readonly name: string;
  readonly given: Given;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** One import of a site is at work at a time: whoever comes second may try again. */
const busy = (): Failure => new Failure('conflict', { headers: { 'Retry-After': '5' } });

/**
 * Keeps a file and begins to check it. Throws `conflict` while another import of the site is at work, `payload_too_large`,
 * and `bad_request` where the connection drops; nothing of the file is kept then.
 */
export async function receive(context: Context, house: UploadHouse, arriving: Arriving): Promise<Seen> {
  const { site, table, newId, user } = context;
  const turn = await takeTurn(context, site.name, newId());
  if (turn === undefined) throw busy();
  const name = plainName(arriving.name);
  const file: UploadedFile = { site: site.name, id: turn.id, name };
  let upload: Upload;
  try {
    const size = await whileKept(context, turn, () => house.receive(file, arriving.bytes));
    if (size === 0) throw new Failure('invalid', { errors: { file: ['blank'] } });
    const at = context.clock();
    upload = {
      ...{ id: turn.id, name, size, login: user.login, given: arriving.given, created_at: at, updated_at: at },
      ...{ work: 'check', status: 'working', problem: null, progress: null, touched: false, brought: [] },
      ...{ found: null, checked: null, loaded: null },
    };
    const answer = created(context.origin, importPath(upload.id), showImport(seenAtWork(context, upload)));
    await putUpload(table, turn, upload, context.beside(answer));
  } catch (error) {
    await house.drop(file);
    await endTurn(context, turn);
    if (error instanceof Failure) throw error;
    throw error instanceof TurnLost ? busy() : new Failure('bad_request');
  }
  house.start(turn, 'check');
  return seenAtWork(context, upload);
}

/** Does the work while the turn is renewed. */
async function whileKept<T>(context: Context, turn: Turn, work: () => Promise<T>): Promise<T> {
  const release = keepTurn(context, turn, () => undefined); // a turn that is lost is found out where the import is written
  try {
    return await work();
  } finally {
    release();
  }
}

/** The next step of an import, with what it changes at once. */
interface Next {
  readonly step: Step;
  readonly fields: Partial<Upload>;
}

/** Begins a step. Throws `conflict` where the import does not allow it as it stands, or another one is at work. */
export async function begin(context: Context, house: UploadHouse, seen: Seen, { step, fields }: Next): Promise<Seen> {
  if (!stepsOf(seen).includes(step)) throw busy();
  const { site, table, newId } = context;
  const { id } = seen.upload;
  const turn = await takeTurn(context, site.name, newId(), id);
  if (turn === undefined) throw busy();
  const work = WORK_OF[step];
  const next = { ...{ work, status: 'working' as const, problem: null, progress: null }, ...fields };
  const upload: Upload = { ...seen.upload, ...next, updated_at: context.clock() };
  try {
    const now = await readUpload(table, site.name, id);
    if (now?.updated_at !== seen.upload.updated_at) throw new TurnLost(); // another step came between
    await putUpload(table, turn, upload, context.beside(show(showImport(seenAtWork(context, upload)))));
  } catch (error) {
    await endTurn(context, turn);
    throw error instanceof TurnLost ? busy() : error;
  }
  house.start(turn, work);
  return seenAtWork(context, upload);
}

const seenAtWork = ({ now }: Context, upload: Upload): Seen => ({
  upload,
  now,
  turn: { owner: 'taken', id: upload.id, last: upload.id, until: now + TURN_MS },
});

const LONGEST = 120; // code points of a file's name on the disk

/** The name of a file without folders and what a file system may not take; its ending stays. */
function plainName(given: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  const plain = base.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^\.+/, '');
  const short = [...plain].slice(-LONGEST).join('');
  return short.trim() === '' ? 'file' : short;
}

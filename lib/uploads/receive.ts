import type { Context } from '../context.ts';
import { Failure, type FailureDetails } from '../errors.ts';
import { created, show } from '../http/reply.ts';
import { roomFor } from './quota.ts';
import type { UploadChoices } from './shapes.ts';
import { type ImportView, importPath, type OfferedStep, showImport, stepsOf, WORK_OF } from './show.ts';
import { endTurn, keepTurn, TURN_MS, takeTurn, type UploadTurn } from './turn.ts';
import { finishUpload, putUpload, readUpload, TurnLost, type Upload } from './upload.ts';
import type { ByForm, UploadedFile, UploadStore, WithRequest } from './upload-store.ts';

/** A file that is being sent. */
interface SentFile {
  readonly name: string;
  readonly given: UploadChoices;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Only one import of a site works at a time: the client may try again later. */
const busy = (): Failure => new Failure('conflict', { headers: { 'Retry-After': '5' } });

/**
 * Creates an import of a file. If the file is the request's body, stores it and starts its check; else the import waits
 * for the file. Throws `conflict` while another import of the site works, `payload_too_large`, and `bad_request` if the
 * connection breaks, and `invalid` if the site has no room for it; then nothing of the file is kept.
 */
export async function receiveFile(context: Context, store: UploadStore, sent: SentFile): Promise<ImportView> {
  const { site, newId } = context;
  const turn = await takeTurn({ ...context, holders: store.holders }, { site: site.name, owner: newId() });
  if (turn === undefined) throw busy();
  const file: UploadedFile = { site: site.name, id: turn.id, name: plainName(sent.name) };
  const { arrival } = store;
  try {
    const largest = await roomFor(context.table, site.name, store, context.now);
    if ('invite' in arrival) return await waitForFile(context, arrival, { turn, file, sent });
    const upload = await keepFile(context, arrival, { turn, file, sent }, largest);
    await store.start(turn, 'check');
    return seenAtWork(context, upload);
  } catch (error) {
    await store.drop(file);
    await endTurn(context, turn);
    if (error instanceof Failure) throw error;
    throw error instanceof TurnLost ? busy() : new Failure('bad_request');
  }
}

/** A file that is being sent, with the turn of its import. */
interface NewImport {
  readonly turn: UploadTurn;
  readonly file: UploadedFile;
  readonly sent: SentFile;
}

async function keepFile(
  context: Context,
  { receive }: WithRequest,
  newImport: NewImport,
  largest: number,
): Promise<Upload> {
  const { turn, file, sent } = newImport;
  const size = await whileKept(context, turn, sent.bytes, (bytes) => receive(file, bytes, largest));
  if (size === 0) throw new Failure('invalid', { errors: { file: ['blank'] } });
  const upload: Upload = { ...newUpload(context, newImport), size, status: 'working' };
  await putUpload(context.table, turn, upload, besideNew(context, seenAtWork(context, upload)));
  return upload;
}

/** The import holds no turn while it waits for its file. */
async function waitForFile(context: Context, { invite }: ByForm, newImport: NewImport): Promise<ImportView> {
  const { file, sent, turn } = newImport;
  for await (const part of sent.bytes) if (part.length > 0) throw new Failure('invalid', SENT_HERE);
  const form = await invite(file, context.now);
  const seen: ImportView = { upload: newUpload(context, newImport), now: context.now, turn: undefined, form };
  await finishUpload(context, turn, seen.upload, besideNew(context, seen));
  return seen;
}

const besideNew = (context: Context, seen: ImportView) =>
  context.beside(created(context.origin, importPath(seen.upload.id), showImport(seen)));

const SENT_HERE = {
  errors: { file: ['invalid'] },
  details: [{ field: 'file', code: 'invalid', message: 'Send no body: send the file by the form in the answer.' }],
} as const satisfies FailureDetails;

function newUpload({ clock, user }: Context, { file, sent }: NewImport): Upload {
  const { id, name } = file;
  const at = clock();
  return {
    ...{ id, name, size: 0, login: user.login, given: sent.given, created_at: at, updated_at: at },
    ...{ work: 'check', status: 'waiting', problem: null, progress: null, touched: false },
    ...{ found: null, checked: null, loaded: null, merged: null, changes: [] },
  };
}

/**
 * Starts the check of a file that was sent by the form. Throws `invalid` if it has not arrived, `conflict` if no import
 * waits for it.
 */
export async function confirmArrival(context: Context, store: UploadStore, seen: ImportView): Promise<ImportView> {
  const { id, name } = seen.upload;
  if (!('find' in store.arrival) || !stepsOf(seen).includes('check')) throw busy();
  const found = await store.arrival.find({ site: context.site.name, id, name });
  if (found === undefined || found.size === 0) throw new Failure('invalid', { errors: { file: ['blank'] } });
  return startStep(context, store, seen, { step: 'check', fields: { size: found.size, version: found.version } });
}

/** Does the work and keeps renewing the turn while bytes arrive. */
async function whileKept<T>(
  context: Context,
  turn: UploadTurn,
  bytes: AsyncIterable<Uint8Array>,
  work: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  let parts = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const part of bytes) {
      parts += 1;
      yield part;
    }
  }
  // A lost turn is detected when the import is written.
  const { stop, still } = keepTurn(context, turn, { progress: () => parts, onTaken: () => undefined });
  try {
    return await Promise.race([work(counted()), still]);
  } finally {
    stop();
  }
}

/** The next step of an import, and the fields it changes at once. */
export interface StepRequest {
  readonly step: OfferedStep;
  readonly fields: Partial<Upload>;
}

/** Starts a step. Throws `conflict` if the import's state does not allow it, or another import works. */
export async function startStep(
  context: Context,
  store: UploadStore,
  seen: ImportView,
  { step, fields }: StepRequest,
): Promise<ImportView> {
  if (!stepsOf(seen).includes(step)) throw busy();
  const { site, table, newId } = context;
  const { id } = seen.upload;
  const turn = await takeTurn({ ...context, holders: store.holders }, { site: site.name, owner: newId(), id });
  if (turn === undefined) throw busy();
  const work = WORK_OF[step];
  const asked = context.user.login;
  const next = {
    ...{ work, status: 'working' as const, problem: null, progress: null, merged: null, asked },
    ...fields,
  };
  const upload: Upload = { ...seen.upload, ...next, updated_at: context.clock() };
  try {
    const now = await readUpload(table, site.name, id);
    if (now?.updated_at !== seen.upload.updated_at) throw new TurnLost(); // another step was first
    await putUpload(table, turn, upload, context.beside(show(showImport(seenAtWork(context, upload)))));
    await store.start(turn, work);
  } catch (error) {
    await endTurn(context, turn);
    throw error instanceof TurnLost ? busy() : error;
  }
  return seenAtWork(context, upload);
}

const seenAtWork = ({ now }: Context, upload: Upload): ImportView => ({
  upload,
  now,
  turn: { owner: 'taken', expiresAt: now + TURN_MS, kept: { id: upload.id, last: upload.id } },
});

const LONGEST = 120; // code points of a file name on the disk

/** A file name without folders and without characters that file systems refuse; keeps the extension. */
function plainName(given: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  const plain = base.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^\.+/, '');
  const short = [...plain].slice(-LONGEST).join('');
  return short.trim() === '' ? 'file' : short;
}

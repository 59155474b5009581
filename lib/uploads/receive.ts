import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { badRequest, Failure, type FailureDetails } from '../errors.ts';
import { created, show } from '../http/reply.ts';
import { ConditionFailed } from '../store/faults.ts';
import { busy, whileArriving } from './arrival.ts';
import { roomFor } from './quota.ts';
import type { UploadChoices } from './shapes.ts';
import { type ImportView, importPath, type OfferedStep, showImport, stepsOf, WORK_OF } from './show.ts';
import { checkTurn, endTurn, TURN_MS, takeTurn, type UploadTurn } from './turn.ts';
import {
  deleteArriving,
  finishUpload,
  putUpload,
  readUpload,
  replaceArriving,
  TurnLost,
  type Upload,
} from './upload.ts';
import type { ByForm, UploadedFile, UploadStore } from './upload-store.ts';

/** A file that is being sent. */
interface SentFile {
  readonly name: string;
  readonly given: UploadChoices;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Creates an import of a file. If the file is the request's body, takes it in and then starts its check; else the import
 * waits for the file. Throws `conflict` while another import of the site works, `payload_too_large`, `bad_request` if the
 * connection breaks, `unauthorized` if the sender is removed meanwhile, and `invalid` if the site has no room for it;
 * then nothing of the file is kept.
 */
export async function receiveFile(context: Context, store: UploadStore, sent: SentFile): Promise<ImportView> {
  const { site, newId, table } = context;
  const { arrival, holders } = store;
  const turn = await takeTurn({ ...context, holders }, { site: site.name, owner: newId() });
  if (turn === undefined) throw busy();
  const file: UploadedFile = { site: site.name, id: turn.id, name: plainName(sent.name) };
  const newImport = { turn, file, sent };
  try {
    const largest = await roomFor(table, site.name, store, context.now);
    if ('invite' in arrival) return await waitForFile(context, arrival, newImport);
    const upload = { ...newUpload(context, newImport), status: 'arriving' as const, holder: await holders?.own() };
    await finishUpload(context, turn, upload); // the turn is free for others while bytes arrive
    return await takeIn(context, store, { upload, receive: (bytes) => arrival.receive(file, bytes, largest), sent });
  } catch (error) {
    await store.drop(file);
    await unlessGone(deleteArriving(table, site.name, file.id));
    await endTurn(context, turn);
    if (error instanceof Failure) throw error;
    throw error instanceof TurnLost || error instanceof ConditionFailed
      ? busy()
      : badRequest('The file did not arrive to its end.');
  }
}

/** A file that is being sent, with the turn of its import. */
interface NewImport {
  readonly turn: UploadTurn;
  readonly file: UploadedFile;
  readonly sent: SentFile;
}

/** A file that arrives, and where its bytes go. */
interface ArrivingFile {
  readonly upload: Upload;
  readonly receive: (bytes: AsyncIterable<Uint8Array>) => Promise<number>;
  readonly sent: SentFile;
}

const PATIENCE_MS = 30_000; // for the turn, once the bytes are there
const PAUSE_MS = 250; // between two tries

/** Takes in a file, takes the turn once its bytes are there, and starts its check. */
async function takeIn(
  context: Context,
  store: UploadStore,
  { upload: { holder: _, ...made }, receive, sent }: ArrivingFile,
): Promise<ImportView> {
  const { table, site, newId } = context;
  const { id } = made;
  const size = await whileArriving(context, made, sent.bytes, receive);
  if (size === 0) throw new Failure('invalid', { errors: { file: ['blank'] } });
  const wish = { site: site.name, owner: newId(), id };
  const until = performance.now() + PATIENCE_MS;
  let turn = await takeTurn({ ...context, holders: store.holders }, wish);
  while (turn === undefined && performance.now() < until) {
    await sleep(PAUSE_MS);
    turn = await takeTurn({ ...context, holders: store.holders }, wish);
  }
  const arrived: Upload = { ...made, size, updated_at: context.clock() };
  if (turn === undefined) {
    const seen: ImportView = { upload: { ...arrived, status: 'waiting' }, now: context.now, turn };
    await replaceArriving(table, site.name, seen.upload, besideNew(context, seen));
    return seen;
  }
  try {
    const upload: Upload = { ...arrived, status: 'working' };
    const seen = seenAtWork(context, upload);
    await replaceArriving(table, site.name, upload, [checkTurn(turn), ...besideNew(context, seen)]);
    await store.start(turn, 'check');
    return seen;
  } catch (error) {
    await endTurn(context, turn);
    throw error;
  }
}

/** Waits for a deletion; what it deletes may be gone or somebody else's. */
async function unlessGone(deletion: Promise<void>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
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
    id,
    name,
    size: 0,
    login: user.login,
    given: sent.given,
    created_at: at,
    updated_at: at,
    work: 'check',
    status: 'waiting',
    problem: null,
    progress: null,
    touched: false,
    found: null,
    checked: null,
    loaded: null,
    merged: null,
    changes: [],
  };
}

/**
 * Starts the check of a file that was sent by the form, or that waits for its turn. Throws `invalid` if it has not
 * arrived, `conflict` if no import waits for it.
 */
export async function confirmArrival(context: Context, store: UploadStore, seen: ImportView): Promise<ImportView> {
  const { id, name } = seen.upload;
  if (!stepsOf(seen).includes('check')) throw busy();
  if (!('find' in store.arrival)) return startStep(context, store, seen, { step: 'check', fields: {} });
  const found = await store.arrival.find({ site: context.site.name, id, name });
  if (found === undefined || found.size === 0) throw new Failure('invalid', { errors: { file: ['blank'] } });
  return startStep(context, store, seen, { step: 'check', fields: { size: found.size, version: found.version } });
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
  const asked = context.actor;
  const next = { work, status: 'working' as const, problem: null, progress: null, merged: null, asked, ...fields };
  const upload: Upload = { ...seen.upload, ...next, updated_at: context.clock() };
  try {
    const now = await readUpload(table, site.name, id);
    const isBeat = now?.status === 'arriving' && seen.upload.status === 'arriving'; // its record counts its bytes meanwhile
    if (now?.updated_at !== seen.upload.updated_at && !isBeat) throw new TurnLost(); // another step was first
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
const MOST_BYTES = 200; // of the same: file systems take 255, with the endings of what lies beside the file

/** A file name without folders and without characters that file systems refuse; keeps the extension. */
export function plainName(given: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  const plain = base.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^\.+/, '');
  const letters = [...plain].slice(-LONGEST);
  while (Buffer.byteLength(letters.join('')) > MOST_BYTES) letters.shift();
  const short = letters.join('');
  return short.trim() === '' ? 'file' : short;
}

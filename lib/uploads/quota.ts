import { Failure } from '../errors.ts';
import { ConditionFailed } from '../store/faults.ts';
import type { Table } from '../store/table.ts';
import { busy, isStranded } from './arrival.ts';
import { deleteUpload, listUploads, type UploadHead } from './upload.ts';
import { KEPT_MS, LARGEST_FILE, LARGEST_IN_CLOUD, type UploadStore } from './upload-store.ts';

/** What the imports of a site may hold at once. */
export const QUOTA = {
  open: 50, // imports that are neither loaded nor undone
  arriving: 3, // files on their way at once
  bytes: 20 * 1024 ** 3, // of kept files
} as const;

const DAY = 86_400_000;
/** Time after which the record of an import is deleted, in ms after its last change: of a loaded one, and of others. */
export const RECORD_MS = { loaded: 400 * DAY, other: 30 * DAY } as const;

const INVITED_MS = 3_600_000; // a form is good for so long: its file may come

/** What an import does to the quota of its site. */
interface QuotaShare {
  readonly isOpen: boolean;
  readonly isArriving?: true;
  readonly bytes: number;
}

/** The share of an import; its file is gone once it was undone or not used for `KEPT_MS`. */
function shareOf({ work, status, size, updated_at }: UploadHead, now: number): QuotaShare {
  const isKept = updated_at + KEPT_MS > now && !(work === 'undo' && status === 'done');
  if (!isKept) return { isOpen: false, bytes: 0 };
  if (status === 'arriving') return { isOpen: true, isArriving: true, bytes: LARGEST_FILE };
  if (status === 'waiting' && size === 0)
    return { isOpen: true, bytes: updated_at + INVITED_MS > now ? LARGEST_IN_CLOUD : 0 };
  return { isOpen: work === 'check' || status !== 'done', bytes: size };
}

/**
 * How large a further file of a site may be, in bytes. Deletes what is past its time: records, with their files. `now`
 * in epoch ms. Throws `invalid` with a sentence if the site has no room for a further import, and `conflict` while the
 * files that arrive may need it: each is counted with the most that it may have.
 */
export async function roomFor(
  table: Table,
  site: string,
  store: Pick<UploadStore, 'drop' | 'holders'>,
  now: number,
): Promise<number> {
  const shares: QuotaShare[] = [];
  for (const head of await listUploads(table, site)) {
    if (isPast(head, now) || (await isStranded(head, now, store.holders))) await forgetRecord(table, site, store, head);
    else shares.push(shareOf(head, now));
  }
  const open = shares.filter(({ isOpen }) => isOpen).length;
  if (open >= QUOTA.open)
    throw full(`The site has ${open} open imports, the most that it may have: load or undo some first.`);
  const left = QUOTA.bytes - shares.reduce((sum, { bytes }) => sum + bytes, 0);
  const arriving = shares.filter(({ isArriving }) => isArriving).length;
  if (arriving >= QUOTA.arriving || (arriving > 0 && left <= 0)) throw busy();
  if (left <= 0)
    throw full(
      `The files of the site's imports have reached ${QUOTA.bytes / 1024 ** 3} GiB: undo some, or wait until they are deleted, ${KEPT_MS / DAY} days after their last use.`,
    );
  return Math.min(left, LARGEST_FILE);
}

const full = (message: string): Failure =>
  new Failure('invalid', { errors: { base: ['too_large'] }, details: [{ field: 'base', code: 'too_large', message }] });

function isPast({ work, status, updated_at }: UploadHead, now: number): boolean {
  const isLoaded = work === 'load' && status === 'done';
  return updated_at + (isLoaded ? RECORD_MS.loaded : RECORD_MS.other) < now;
}

async function forgetRecord(
  table: Table,
  site: string,
  { drop }: Pick<UploadStore, 'drop'>,
  head: UploadHead,
): Promise<void> {
  try {
    await deleteUpload(table, site, head);
  } catch (error) {
    if (error instanceof ConditionFailed) return; // somebody uses it
    throw error;
  }
  await drop({ site, id: head.id, name: head.name });
}

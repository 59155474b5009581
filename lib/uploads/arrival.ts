import { mayStill } from '../access/authority.ts';
import { R_ADMIN } from '../access/roles.ts';
import type { Context } from '../context.ts';
import { Failure, refusal } from '../errors.ts';
import { ConditionFailed } from '../store/faults.ts';
import { isLeaseOver } from '../store/lease.ts';
import type { Holders } from './turn.ts';
import { readUpload, replaceArriving, type Upload, type UploadHead } from './upload.ts';

/** ms after which the record of a file that arrives says again how much of it there is. */
export const BEAT_MS = 5_000;
/** ms without that after which nobody takes the file in any more: its process has died. */
export const SILENT_MS = 60_000;

type Arriving = Pick<UploadHead, 'status' | 'updated_at'>;

/** Whether the file of an import is on its way; `now` in epoch ms. */
export const isArriving = ({ status, updated_at }: Arriving, now: number): boolean =>
  status === 'arriving' && !isLeaseOver(updated_at + SILENT_MS, now, SILENT_MS);

/** Whether the file of an import was on its way and comes no more, as its process is dead. */
export async function isStranded(
  head: Pick<UploadHead, 'status' | 'updated_at' | 'holder'>,
  now: number,
  holders: Holders | undefined,
): Promise<boolean> {
  if (head.status !== 'arriving') return false;
  if (!isArriving(head, now)) return true;
  return head.holder !== undefined && ((await holders?.isGone(head.holder)) ?? false);
}

/** Only one import of a site works at a time, and few files arrive: the client may try again later. */
export const busy = (): Failure =>
  refusal(
    'conflict',
    'Another import of the site is at work, as many files arrive as it takes at once, or this one was discarded.',
    {
      'Retry-After': '5',
    },
  );

/**
 * Does the work on a file that arrives, which holds no turn. Its record says how many bytes there are; it ends within
 * `BEAT_MS` with `unauthorized` once its sender is removed or may import nothing more, and with `conflict` once the
 * import was discarded or the file was erased.
 */
export async function whileArriving<T>(
  { table, site, actor, clock }: Pick<Context, 'table' | 'site' | 'actor' | 'clock'>,
  { id }: Pick<Upload, 'id'>,
  bytes: AsyncIterable<Uint8Array>,
  work: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  let size = 0;
  let end: ((fault: Failure) => void) | undefined; // the wait for the next bytes
  let fault: Failure | undefined;

  async function* counted(): AsyncGenerator<Uint8Array> {
    const parts = bytes[Symbol.asyncIterator]();
    for (;;) {
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        end = reject;
        if (fault !== undefined) reject(fault);
        else parts.next().then(resolve, reject);
      });
      if (next.done) return;
      size += next.value.length;
      yield next.value;
    }
  }

  async function beat(): Promise<void> {
    if (!(await mayStill(table, site.name, actor, R_ADMIN))) fault = new Failure('unauthorized');
    else {
      const upload = await readUpload(table, site.name, id);
      if (upload?.status !== 'arriving') fault = busy();
      else await replaceArriving(table, site.name, { ...upload, size, updated_at: clock() });
    }
    if (fault !== undefined) end?.(fault);
  }
  const beats = setInterval(() => {
    beat().catch((error: unknown) => {
      if (error instanceof ConditionFailed) end?.((fault = busy()));
    }); // a table that does not answer may answer the next time
  }, BEAT_MS);
  try {
    const done = await work(counted());
    await beat(); // who was removed in the last moment starts nothing
    if (fault !== undefined) throw fault;
    return done;
  } finally {
    clearInterval(beats);
  }
}

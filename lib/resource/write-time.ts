import { isDeepStrictEqual } from 'node:util';

/** When something is written. A record leaves what is newer; if it has a time of its own, that alone is a change. */
export interface WriteTime {
  readonly at: number; // epoch ms
  readonly by: 'request' | 'record' | 'dated record';
}

export const timeOfRequest = (now: number): WriteTime => ({ at: now, by: 'request' });

/** The time of a record; `now` (epoch ms) if it has none of its own. */
export const recordTime = ({ updated_at }: { readonly updated_at?: number | undefined }, now: number): WriteTime =>
  updated_at === undefined ? { at: now, by: 'record' } : { at: updated_at, by: 'dated record' };

interface Dated {
  readonly updated_at?: number | undefined; // epoch ms
}

/** Whether a record is older than what it is about. */
export const isOlder = ({ at, by }: WriteTime, than: Dated | undefined): boolean =>
  by !== 'request' && at < (than?.updated_at ?? 0);

/** A thing or a part of it after a write; `before` itself if that is newer, or if nothing changes. */
export function written<B extends Dated, A extends B>(
  before: B | undefined,
  after: A,
  time: WriteTime,
): B | (A & { readonly updated_at: number }) {
  const dated = { ...after, updated_at: time.at };
  if (before === undefined) return dated;
  if (isOlder(time, before)) return before;
  const { updated_at: _, ...old } = before;
  const { updated_at: __, ...now } = dated;
  const isSame = isDeepStrictEqual(old, now) && (time.by !== 'dated record' || time.at === before.updated_at);
  return isSame ? before : dated;
}

/** A field after a write: null resets it to `usual`, an absent key changes nothing. */
export const merged = <T>(before: T | undefined, sent: T | null | undefined, usual: T): T =>
  sent === undefined ? (before ?? usual) : (sent ?? usual);

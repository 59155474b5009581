/** A well-formed record that is refused because of what the site holds. */
export interface Refusal {
  readonly line: number; // of the record
  readonly reason: string;
}

/** A record and its line in the file. */
export interface RecordLine<R> {
  readonly record: R;
  readonly line: number;
}

/** Converts an instant to a stored time, in milliseconds; the fraction stays, because it orders records. */
export const toMillis = (micros: number): number => micros / 1000;

interface Dated {
  readonly type: string;
  readonly created_at?: number | undefined;
  readonly updated_at?: number | undefined;
}

/** A record as it is stored: without its type, and its times in epoch ms. */
export const inMillis = <R extends Dated>({ type: _, created_at, updated_at, ...rest }: R) => ({
  ...rest,
  ...(created_at !== undefined && { created_at: toMillis(created_at) }),
  ...(updated_at !== undefined && { updated_at: toMillis(updated_at) }),
});

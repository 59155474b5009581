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

/** Converts the times of a record to epoch ms and leaves out absent ones. */
export function timesToMillis<K extends string>(times: Readonly<Record<K, number | undefined>>): { [T in K]?: number } {
  const found: { [T in K]?: number } = {};
  for (const name in times) {
    const micros = times[name];
    if (micros !== undefined) found[name] = toMillis(micros);
  }
  return found;
}

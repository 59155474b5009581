/** A record that is refused after all, for what the site holds: the line it came on and the reason. */
export interface Refusal {
  readonly line: number;
  readonly reason: string;
}

/** A record with the line that it came on. */
export interface Placed<R> {
  readonly record: R;
  readonly line: number;
}

/** Instants of records are in microseconds, stored times in milliseconds; the fraction stays, to order by. */
export const toMillis = (micros: number): number => micros / 1000;

/** Times of a record in epoch ms, absent ones left out. */
export function dated<K extends string>(times: Readonly<Record<K, number | undefined>>): { [T in K]?: number } {
  const found: { [T in K]?: number } = {};
  for (const name in times) {
    const micros = times[name];
    if (micros !== undefined) found[name] = toMillis(micros);
  }
  return found;
}

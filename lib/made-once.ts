/** Calls `make` once for each `maker` and returns its result. `maker` must be a named function: it is the key. */
export type MadeOnce = <T>(maker: (...given: never[]) => T, make: () => T) => T;

export function newMadeOnce(): MadeOnce {
  const made = new Map<unknown, unknown>();
  return <T>(maker: unknown, make: () => T): T => {
    if (!made.has(maker)) made.set(maker, make());
    return made.get(maker) as T;
  };
}

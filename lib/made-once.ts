/** Things that are made once each, by the function that makes them, which must be a named one: it is the key. */
export type MadeOnce = <T>(maker: (...given: never[]) => T, make: () => T) => T;

/** Nothing made yet. */
export function newMadeOnce(): MadeOnce {
  const made = new Map<unknown, unknown>();
  return <T>(maker: unknown, make: () => T): T => {
    if (!made.has(maker)) made.set(maker, make());
    return made.get(maker) as T;
  };
}

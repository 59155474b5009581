/** Where a memo keeps values: a `Map`, or a `WeakMap`, which keeps a value as long as its key lives. */
interface Memory<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** Returns a function that makes the value of each key once, by `make`, and then returns the same again. */
export function memoize<K, V extends NonNullable<unknown>>(
  make: (key: K) => V,
  made: Memory<K, V> = new Map(),
): (key: K) => V {
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** Memoizes at most `most` values; one more makes it forget them all. */
export function memoizeSome<K, V extends NonNullable<unknown>>(most: number, make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  const set = (key: K, value: V): void => {
    if (made.size === most) made.clear();
    made.set(key, value);
  };
  return memoize(make, { get: (key) => made.get(key), set });
}

/** Calls `make` once for each `maker` and returns its result. `maker` must be a named function: it is the key. */
export type MadeOnce = <T>(maker: (...given: never[]) => T, make: () => T) => T;

/** Remembers things of all types, each under the function that makes it. */
export function newMadeOnce(): MadeOnce {
  const made = new Map<unknown, unknown>();
  return <T>(maker: unknown, make: () => T): T => {
    if (!made.has(maker)) made.set(maker, make());
    return made.get(maker) as T;
  };
}

/** Calls each `make` once and returns its result from then on. */
export function newShared(): <T>(make: () => T) => T {
  const once = newMadeOnce();
  return (make) => once(make, make);
}

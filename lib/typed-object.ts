/** The keys of an object that has exactly the keys of its type, such as a registry, in written order. */
export const keysOf = <K extends string>(object: { readonly [Name in K]?: unknown }): readonly K[] =>
  Object.keys(object) as K[];

/** An object with the value `make(name)` for each name. */
export const recordOf = <K extends string, V>(names: readonly K[], make: (name: K) => V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>;

/** An object that its builder may still change. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A value in which nothing is changed, however deep. */
export type Unchanging<T> = T extends object ? { readonly [K in keyof T]: Unchanging<T[K]> } : T;

/** Whether a value is a map: an object of no class. */
export function isMap(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The keys of an object that has none but those of its type, as registries do; in the order in which they are written. */
export const keysOf = <K extends string>(object: { readonly [Name in K]?: unknown }): readonly K[] =>
  Object.keys(object) as K[];

/** An object with a value for each name. */
export const recordOf = <K extends string, V>(names: readonly K[], make: (name: K) => V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>;

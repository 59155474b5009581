/** Adds a value to the list of its key; returns how many the list holds. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): number {
  const list = lists.get(key);
  if (list !== undefined) return list.push(value);
  lists.set(key, [value]);
  return 1;
}

/** Lists values by their keys, as `Map.groupBy` does in newer engines: keys and values in the order they come. */
export function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const lists = new Map<K, V[]>();
  for (const value of values) addTo(lists, keyOf(value), value);
  return lists;
}

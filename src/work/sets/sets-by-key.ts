/** Adds a value to the set of this key. */
export function putIn<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  sets.set(key, (sets.get(key) ?? new Set<V>()).add(value));
}

/** Takes a value out of the set of this key. An empty set leaves no key behind. */
export function takeOut<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}

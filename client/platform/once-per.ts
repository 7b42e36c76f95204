/** Returns a function that creates something once per key, such as the outbox of a user's documents, for as long as the key is there. */
export function oncePer<Key extends object, Value>(
  create: (key: Key) => Value,
): (key: Key) => Value {
  const created = new WeakMap<Key, Value>();
  return (key) => {
    const known = created.get(key) ?? create(key);
    created.set(key, known);
    return known;
  };
}

const isSameList = (one: unknown, other: unknown) =>
  Array.isArray(one) &&
  Array.isArray(other) &&
  one.length === other.length &&
  one.every((each, i) => each === other[i]);

/**
 * What is now, but with the lists of before that have the same in them; and what was before itself where all of it is the
 * same. So nobody draws anew what did not change.
 */
export function reuseUnchanged<T extends object>(before: T | undefined, now: T): T {
  if (!before) return now;
  const merged = { ...now };
  const fields = Object.keys(now) as (keyof T)[];
  for (const field of fields)
    if (isSameList(before[field], now[field])) merged[field] = before[field];
  return fields.every((field) => merged[field] === before[field]) ? before : merged;
}

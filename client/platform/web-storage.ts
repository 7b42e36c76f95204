import type { z } from 'zod';

type Area = 'localStorage' | 'sessionStorage';

/** Reads a JSON value of this browser; null if it is missing or invalid, or if storage is unavailable. */
export function readStorage<S extends z.ZodType>(
  schema: S,
  key: string,
  area: Area = 'localStorage',
): z.output<S> | null {
  try {
    return schema.parse(JSON.parse(globalThis[area].getItem(key) ?? 'null'));
  } catch {
    return null;
  }
}

/** Stores a JSON value; null removes it. @returns whether storage is available */
export function writeStorage(key: string, value: unknown, area: Area = 'localStorage'): boolean {
  try {
    if (value === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

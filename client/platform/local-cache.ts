import type { z } from 'zod';
import { prefixOf } from './storage-keys.ts';

/**
 * Reads a user's cache entry, for an offline start; null if there is none. Discards an unreadable entry.
 */
export function readCache<S extends z.ZodType>(
  schema: S,
  userId: string,
  name: string,
): z.output<S> | null {
  const key = prefixOf(userId) + name;
  try {
    const text = localStorage.getItem(key);
    return text === null ? null : schema.parse(JSON.parse(text));
  } catch (error) {
    console.warn(`Discarding the unreadable cache entry ${name}`, error);
    try {
      localStorage.removeItem(key);
    } catch {
      // Storage is unavailable.
    }
    return null;
  }
}

/** Stores a value for the next start; null removes it. @returns whether the browser did: the next start has none otherwise */
export function writeCache(userId: string, name: string, value: unknown): boolean {
  try {
    const key = prefixOf(userId) + name;
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Removes a user's cache entries, such as at logout. */
export function clearCache(userId: string): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(prefixOf(userId))) localStorage.removeItem(key);
  } catch {
    // Nothing was stored either.
  }
}

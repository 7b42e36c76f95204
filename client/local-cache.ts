import type { z } from 'zod';
import { prefixOf } from './storage-keys.ts';

/**
 * What this device last heard of something, for a start without a network; null when nothing. What cannot be read
 * any more is discarded.
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
      // This browser keeps nothing.
    }
    return null;
  }
}

/** Keeps something for the next start; null forgets it. */
export function writeCache(userId: string, name: string, value: unknown): void {
  try {
    const key = prefixOf(userId) + name;
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The next start shows nothing of it.
  }
}

/** Forgets all that was kept for a user, as at logout. */
export function clearCache(userId: string): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(prefixOf(userId))) localStorage.removeItem(key);
  } catch {
    // Nothing was kept either.
  }
}

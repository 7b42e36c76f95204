import { z } from 'zod';
import { dog } from '#shared/dogs/contract.ts';
import type { Card } from '#shared/profile/document.ts';
import { readCache, writeCache } from '../../local-cache.ts';

const card = z.object({
  display_name: z.string(),
  join_date: z.string(),
  image_key: z.string().nullable().optional(),
  about: z.string().nullable().optional(),
  dogs: z.array(dog),
});

/** Returns the owner's cached card, used until the document is open; null without one. */
export const cachedCard = (userId: string): Card | null => readCache(card, userId, 'card');

/** Returns the cached location sharing setting. */
export const cachedSharing = (userId: string): boolean | null =>
  readCache(z.boolean(), userId, 'sharing');

export function keepSharing(userId: string, isSharing: boolean): void {
  writeCache(userId, 'sharing', isSharing);
}

/** Caches the card for the next start. */
export function keepCard(userId: string, value: Card): void {
  writeCache(userId, 'card', value);
}

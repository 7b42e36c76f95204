import { z } from 'zod';
import { dog } from '#shared/dogs/contract.ts';
import type { Card } from '#shared/profile/document.ts';
import { readKept, writeKept } from '../local-cache.ts';

const card = z.object({
  display_name: z.string(),
  join_date: z.string(),
  dogs: z.array(dog),
});

/** The owner's card as this device last showed it, for the moment until the document itself is open; null without one. */
export const keptCard = (userId: string): Card | null => readKept(card, userId, 'card');

/** The location sharing switch, likewise. */
export const keptSharing = (userId: string): boolean | null =>
  readKept(z.boolean(), userId, 'sharing');

export const keepSharing = (userId: string, isSharing: boolean): void =>
  writeKept(userId, 'sharing', isSharing);

/** Notes the card for the next start. */
export const keepCard = (userId: string, value: Card): void => writeKept(userId, 'card', value);

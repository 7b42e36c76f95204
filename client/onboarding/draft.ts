import { z } from 'zod';
import { soundType } from '#shared/dogs/contract.ts';
import { readCache, writeCache } from '../local-cache.ts';

/** What was typed and picked before the setup was complete; null where nothing was. */
const draft = z.object({
  step: z.number().int().min(0).max(2),
  name: z.string().nullable(),
  dogName: z.string().nullable(),
  type: soundType.nullable(),
  allowed: z.boolean(),
});
export type Draft = z.infer<typeof draft>;

export const NO_DRAFT: Draft = { step: 0, name: null, dogName: null, type: null, allowed: false };

/** Where this user's setup was left on this device, by a reload or a phone that closed the app. */
export const readDraft = (userId: string): Draft =>
  readCache(draft, userId, 'onboarding') ?? NO_DRAFT;

/** Keeps it; null forgets. */
export const keepDraft = (userId: string, kept: Draft | null): void =>
  writeCache(userId, 'onboarding', kept);

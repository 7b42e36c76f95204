import { z } from 'zod';
import { soundType } from '#shared/dogs/contract.ts';
import { readCache, writeCache } from '../local-cache.ts';

/** The draft of an incomplete setup. */
const draft = z.object({
  step: z.number().int().min(0).max(2),
  name: z.string().nullable(),
  dogName: z.string().nullable(),
  type: soundType.nullable(),
  allowed: z.boolean(),
});
export type Draft = z.infer<typeof draft>;

export const NO_DRAFT: Draft = { step: 0, name: null, dogName: null, type: null, allowed: false };

/** Returns this user's stored draft, such as after a reload. */
export const readDraft = (userId: string): Draft =>
  readCache(draft, userId, 'onboarding') ?? NO_DRAFT;

/** Stores the draft; null removes it. */
export const storeDraft = (userId: string, draft: Draft | null): void =>
  writeCache(userId, 'onboarding', draft);

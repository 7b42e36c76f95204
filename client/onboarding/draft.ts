import { z } from 'zod';
import { soundType } from '#shared/dogs/contract.ts';

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

const keyOf = (userId: string) => `onboarding-${userId}`;

/** Where this user's setup was left on this device, by a reload or a phone that closed the app. */
export function readDraft(userId: string): Draft {
  try {
    return draft.parse(JSON.parse(localStorage.getItem(keyOf(userId)) ?? 'null'));
  } catch {
    return NO_DRAFT;
  }
}

/** Keeps it; null forgets. */
export function keepDraft(userId: string, kept: Draft | null): void {
  try {
    if (kept) localStorage.setItem(keyOf(userId), JSON.stringify(kept));
    else localStorage.removeItem(keyOf(userId));
  } catch {
    // A reload starts the setup from the beginning.
  }
}

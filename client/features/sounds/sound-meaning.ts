import type { SoundType } from '#shared/dogs/contract.ts';

/** What each alert sound means, spoken when an owner picks it. */
export const SOUND_MEANING: Record<SoundType, string> = {
  leash_on: 'Leash on. A deep, assertive bark: this dog must be leashed.',
  leash_off: 'Leash off. A friendly bark: off-leash interaction is welcome.',
};

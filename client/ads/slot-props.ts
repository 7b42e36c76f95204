import type { ReactNode } from 'react';
import type { Ad } from '#shared/ads/contract.ts';

/** Each kind of slot has its height before anything is known of its ad, so that nothing ever moves; but see `fallback`. */
export const SLOT_HEIGHTS = { banner: 'h-18', inline: 'h-28', sidebar: 'h-40' } as const;

export interface SlotProps {
  placement: keyof typeof SLOT_HEIGHTS;
  /**
   * Stands in the slot when there is no ad, or none to be had. A slot without it is the last thing on its screen and has room
   * from when its ad is there, or it failed: room that went again there would move all that is above it under a finger.
   */
  fallback?: ReactNode;
  /** How a click gets to the server; by default at once, or not at all. */
  sendClick?: (ad: Ad) => Promise<void>;
}

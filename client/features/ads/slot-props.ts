import type { ReactNode } from 'react';
import type { Ad, Placement } from '#shared/ads/contract.ts';

/** Fixed heights of slots, reserved before the ad is loaded so that nothing moves; but see `fallback`. */
export const SLOT_HEIGHTS = {
  banner: 'h-23',
  inline: 'h-28',
  sidebar: 'h-40',
  modal: 'h-48',
} as const;

export interface SlotProps {
  /** The one over a page has no slot. */
  placement: Exclude<Placement, 'modal'>;
  /**
   * Shown if there is no ad or it can't be loaded. A slot without it must be the last element on its screen, and takes up space
   * only once its ad is loaded or has failed, because removing reserved space at the end would scroll the content above. Null reserves
   * the space and leaves it empty.
   */
  fallback?: ReactNode;
  /** Sends a click to the server; by default at once, without retries. */
  sendClick?: (ad: Ad) => Promise<void>;
}

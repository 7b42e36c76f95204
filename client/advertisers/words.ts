import type { Placement } from '#shared/ads/contract.ts';

/** How each place for a timed ad is called. */
export const PLACEMENT_NAMES: Record<Placement, string> = {
  banner: 'Banner, at the top of start page and dashboard',
  sidebar: 'Sidebar, large, at the end of the dashboard',
  inline: 'Inline, between the cards of the dashboard',
  modal: 'Modal',
};

/** What the state of an ad is called. */
export const STATUS_NAMES = {
  pending: 'Not paid',
  failed: 'Payment failed',
  scheduled: 'Scheduled',
  active: 'Active',
  paused: 'Paused',
  completed: 'Completed',
  expired: 'Expired',
  cancelled: 'Cancelled',
} as const;

import type { Placement } from '#shared/ads/contract.ts';

/** Where each placement is shown. */
export const PLACEMENT_HINTS: Record<Placement, string> = {
  banner:
    'On the start page below the first picture. On the dashboard at the top, or below the walk on a phone.',
  sidebar: 'The largest, with room for the most text: at the end of the dashboard.',
  inline: 'Between dashboard cards and at the end of the start page.',
  modal: 'Over another page, once a day for each owner at most, and never on a walk.',
};

/** Labels of an ad's statuses. */
export const STATUS_NAMES = {
  pending: 'Not paid',
  failed: 'Payment failed',
  scheduled: 'Scheduled',
  active: 'Active',
  paused: 'Paused',
  review: 'In review',
  completed: 'Completed',
  expired: 'Expired',
  cancelled: 'Cancelled',
} as const;

import type { Placement } from '#shared/ads/contract.ts';

/** Names of placements. */
export const PLACEMENT_NAMES: Record<Placement, string> = {
  banner: 'Banner',
  sidebar: 'Sidebar',
  inline: 'Inline',
  modal: 'Modal',
};

/** Where each placement is shown. */
export const PLACEMENT_DESCRIPTIONS: Record<Placement, string> = {
  banner: 'Across the top of the landing page and the dashboard.',
  sidebar: 'Next to the dashboard’s cards.',
  inline: 'Between sections of a page.',
  modal: 'Over Social, Charities or You, once a day at most and never on a walk.',
};

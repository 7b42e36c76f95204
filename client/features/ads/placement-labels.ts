import type { Placement } from '#shared/ads/contract.ts';

/** Names of placements. */
export const PLACEMENT_NAMES: Record<Placement, string> = {
  banner: 'Near the top',
  sidebar: 'Large, at the end',
  inline: 'Between cards',
  modal: 'Over a page',
};

/** Where each placement is shown. */
export const PLACEMENT_DESCRIPTIONS: Record<Placement, string> = {
  banner: 'Across the top of the landing page and the dashboard.',
  sidebar: 'Next to the dashboard’s cards.',
  inline: 'Between sections of a page.',
  modal: 'Over Social, Charities or You, once a day at most and never on a walk.',
};

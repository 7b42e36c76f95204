import type { Placement } from '#shared/ads/contract.ts';

/** Where ads stand: the name and what it means. */
export const PLACEMENTS: Record<Placement, { name: string; description: string }> = {
  banner: { name: 'Banner', description: 'Across the top of the landing page and the dashboard' },
  sidebar: { name: 'Sidebar', description: 'Beside the dashboard’s cards' },
  inline: { name: 'Inline', description: 'Between the parts of a page' },
  modal: { name: 'Modal', description: 'Over a page; no screen has a place for it yet' },
};

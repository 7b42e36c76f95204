import { HOUR_MS } from '../time.ts';

export const HAZARD_KINDS = [
  'glass',
  'poison',
  'aggressive_dog',
  'heat',
  'lost_dog',
  'other',
] as const;
export type HazardKind = (typeof HAZARD_KINDS)[number];

export const HAZARD_DESCRIPTION_MAX = 300;
export const LOST_DOG_NAME_MAX = 50;
export const LOST_DOG_CONTACT_MAX = 60;
/** In miles. */
export const HAZARD_RADIUS = { max: 25, usual: 5 };
export const HAZARDS_LIMIT = 100;

/** How long a hazard counts, unless it was denied before. Decision 337. */
export const HAZARD_MS: Record<HazardKind, number> = {
  glass: 72 * HOUR_MS,
  poison: 72 * HOUR_MS,
  aggressive_dog: 6 * HOUR_MS,
  heat: 12 * HOUR_MS,
  lost_dog: 72 * HOUR_MS,
  other: 24 * HOUR_MS,
};

export const HAZARD_NAMES: Record<HazardKind, string> = {
  glass: 'Broken glass',
  poison: 'Poison bait',
  aggressive_dog: 'Aggressive dog',
  heat: 'Hot ground',
  lost_dog: 'Lost dog',
  other: 'Other hazard',
};

/** People whose current position is this close to a new hazard are notified. */
export const NOTIFIED_METERS = 1_000;
/** Votes count from people whose current position is this close to the hazard. */
export const VOTE_METERS = 300;
/** So many more denials than confirmations hide a hazard; a grave one needs more. */
export const DENIALS_TO_HIDE: Record<HazardKind, number> = {
  glass: 2,
  poison: 5,
  aggressive_dog: 3,
  heat: 2,
  lost_dog: 4,
  other: 2,
};
/** So many people who report a hazard hide it; of a poison report they hide the text and the photo alone. */
export const REPORTS_TO_HIDE = 3;

/** Times that others see are rounded down to so many: exact ones would say when somebody was at the place. */
export const ROUNDED_MINUTES = 10;

/** The most that one answer has, nearest first. */
export const AMENITIES_MAX = 150;
/** In miles. */
export const AMENITIES_RADIUS = { usual: 2, max: 10 };

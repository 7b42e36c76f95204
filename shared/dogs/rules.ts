export const DOG_NAME_MAX = 50;
export const DOGS_MAX = 20;
export const BREED_MAX = 50;
/** The oldest dog ever lived 29 years. */
export const AGE_MAX_YEARS = 30;
/**
 * Offline devices don't know of each other's new dogs and may have added more than DOGS_MAX together. Those are shown;
 * only the excess of modified clients is cut.
 */
export const DOGS_READ_MAX = 100;

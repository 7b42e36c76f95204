import { z } from 'zod';

export const TAKE_DOWN_REASON_MAX = 500;

/** Why an admin takes down or refuses an ad; it is emailed to the advertiser. */
export const adReason = z
  .string({ error: 'Please enter a reason' })
  .trim()
  .min(1, 'Please enter a reason')
  .max(TAKE_DOWN_REASON_MAX);

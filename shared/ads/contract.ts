import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { AD_LIMIT_MAX } from './rules.ts';

export const placement = z.enum(['banner', 'sidebar', 'inline', 'modal']);
export type Placement = z.infer<typeof placement>;

/** An ad in a slot. Ids of house ads are strings, those of paid ads numbers. */
const fields = {
  title: z.string(),
  description: z.string(),
  /** Always of this origin: images of other sites would reveal visitors to them. */
  image_url: z.string().nullable(),
  target_url: z.string(),
  placement,
  active: z.boolean(),
  priority: z.number().int(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  /** Identifies this view of the ad. */
  view_id: z.string(),
};
const houseAd = z.object({ id: z.string(), ...fields });
const paidAd = z.object({ id: z.number().int(), ...fields });
export type Ad = z.infer<typeof houseAd> | z.infer<typeof paidAd>;

const wanted = z.object({
  placement,
  limit: z.coerce.number().int().min(1).max(AD_LIMIT_MAX).default(1),
});

export const listPaidAds = endpoint('GET', '/paid-advertisements', {
  limit: { points: 600, seconds: 60 },
  access: 'public',
  query: wanted,
  answer: z.object({ ads: z.array(paidAd) }),
  failure: 'Failed to load advertisements',
});

export const listAds = endpoint('GET', '/advertisements', {
  limit: { points: 600, seconds: 60 },
  access: 'public',
  query: wanted,
  answer: z.object({ ads: z.array(houseAd) }),
  failure: 'Failed to load advertisements',
});

/** What a slot shows: paid ads, or else house ads. One call where `listPaidAds` and `listAds` would be two. */
export const listShownAds = endpoint('GET', '/shown-advertisements', {
  isAtStart: true,
  limit: { points: 600, seconds: 60 },
  access: 'public',
  query: wanted,
  answer: z.object({ ads: z.array(z.union([houseAd, paidAd])) }),
  failure: 'Failed to load advertisements',
});

const houseId = z.string().min(1, 'Required').max(64);
const paidId = z.number().int().positive();
const viewId = z.string().max(100);
/** The clicked ad as shown on the page; it is compared with the stored ad. */
const clicked = {
  ad_title: z.string().max(500),
  ad_url: z.string().max(2_048),
  view_id: viewId.optional(),
};

export const clickAd = endpoint('POST', '/ad-clicks', {
  access: 'public',
  body: z.object({ ad_id: houseId, ...clicked }),
  failure: 'Failed to record the click',
});

export const clickPaidAd = endpoint('POST', '/paid-ad-clicks', {
  access: 'public',
  body: z.object({ ad_id: paidId, ...clicked }),
  failure: 'Failed to record the click',
});

/** Reports that half of an ad was visible for a second, once for each time it was served. */
export const seeAd = endpoint('POST', '/ad-impressions', {
  access: 'public',
  body: z.object({ ad_id: z.union([houseId, paidId]), view_id: viewId }),
  failure: 'Failed to record the view',
});

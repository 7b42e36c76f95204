import { z } from 'zod';
import { asSeen, bulkItems, bulkOutcome, paged, paging, search, version } from '../admin/paging.ts';
import { tableExport } from '../admin/table-export.ts';
import { endpoint, HEAVY_READ } from '../endpoint.ts';
import { imageUpload } from '../files/contract.ts';
import { idParams, orNone, timeOrNone } from '../form-fields.ts';
import { placement } from './contract.ts';
import { AD_DESCRIPTION_MAX, AD_TITLE_MAX, isWebAddress, PRIORITY_MAX } from './rules.ts';

// Apart from contract.ts, which the landing page loads.

export const AD_REQUIRED = 'Title and target URL are required';

/** A house ad as admins see it. */
export const advertisement = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  image_url: z.string().nullable(),
  target_url: z.string(),
  placement,
  priority: z.number().int(),
  active: z.boolean(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  impressions: z.number().int(),
  clicks: z.number().int(),
  version,
});
export type Advertisement = z.infer<typeof advertisement>;

const address = (text: z.ZodString) =>
  text.trim().max(2_048).refine(isWebAddress, { error: 'Invalid url' });

const title = z
  .string({ error: AD_REQUIRED })
  .trim()
  .min(1, AD_REQUIRED)
  .max(AD_TITLE_MAX, 'Invalid input');
const target_url = z
  .string({ error: AD_REQUIRED })
  .trim()
  .min(1, AD_REQUIRED)
  .max(2_048, 'Invalid input')
  .refine(isWebAddress, { error: 'Invalid url', abort: true });
const description = z.string().trim().max(AD_DESCRIPTION_MAX);
const image_url = orNone(address(z.string()));
const priority = z.coerce.number().int().min(1).max(PRIORITY_MAX);

const wanted = {
  search,
  status: z.enum(['active', 'inactive', 'expired']).optional(),
  placement: placement.optional(),
  sort: z.enum(['newest', 'oldest', 'title', 'priority']).default('newest'),
};

export const listAdvertisements = endpoint('GET', '/admin/advertisements', {
  access: 'admin',
  query: z.object({ ...paging, ...wanted }),
  answer: z.object({ advertisements: z.array(advertisement), ...paged }),
  failure: 'Failed to fetch advertisements',
});

/** The list as a table for a spreadsheet. */
export const exportAdvertisements = tableExport(
  '/admin/advertisements/export',
  wanted,
  'Failed to fetch advertisements',
);

export const getAdvertisement = endpoint('GET', '/admin/advertisements/:id', {
  access: 'admin',
  params: idParams,
  answer: z.object({ advertisement }),
  failure: 'Failed to fetch advertisements',
});

/** Stores an image for an ad; the ad refers to it by its `image_url`. */
export const uploadAdImage = endpoint('POST', '/admin/advertisement-images', {
  access: 'admin',
  upload: imageUpload,
  answer: z.object({ image_url: z.string() }),
  failure: 'Failed to upload image',
});

export const createAdvertisement = endpoint('POST', '/admin/advertisements', {
  access: 'admin',
  body: z.object({
    title,
    target_url,
    description: description.default(''),
    image_url: image_url.default(null),
    placement: placement.default('banner'),
    priority: priority.default(1),
    active: z.boolean().default(true),
    expires_at: timeOrNone.default(null),
  }),
  answer: z.object({ advertisement }),
  failure: 'Failed to create advertisement',
});

/** Changes the given fields. */
export const updateAdvertisement = endpoint('PUT', '/admin/advertisements/:id', {
  access: 'admin',
  params: idParams,
  body: z
    .object({
      title,
      target_url,
      description,
      image_url,
      placement,
      priority,
      active: z.boolean(),
      expires_at: timeOrNone,
      version,
    })
    .partial(),
  answer: z.object({ advertisement }),
  failure: 'Failed to update advertisement',
});

/** The error of an update of `active` only. */
export const AD_STATUS_FAILURE = 'Failed to update advertisement status';

export const changeAdvertisements = endpoint('POST', '/admin/advertisements/bulk', {
  access: 'admin',
  requiresRecentSignIn: true,
  body: z.object({ action: z.enum(['activate', 'deactivate', 'delete']), items: bulkItems }),
  answer: bulkOutcome,
  failure: 'Failed to update advertisement',
});

export const deleteAdvertisement = endpoint('DELETE', '/admin/advertisements/:id', {
  access: 'admin',
  params: idParams,
  query: asSeen,
  failure: 'Failed to delete advertisement',
});

/** Clicks on house ads, and how many did not count and why. */
export const advertisementAnalytics = endpoint('GET', '/admin/advertisement-analytics', {
  limit: HEAVY_READ,
  access: 'admin',
  answer: z.object({
    stats: z.object({
      total_clicks: z.number().int(),
      unique_users: z.number().int(),
      clicks_last_24h: z.number().int(),
      ads_clicked: z.number().int(),
    }),
    topAds: z.array(
      z.object({
        ad_id: z.string(),
        ad_title: z.string(),
        click_count: z.number().int(),
        unique_clicks: z.number().int(),
      }),
    ),
    recentClicks: z.array(
      z.object({ ad_title: z.string(), ad_url: z.string(), clicked_at: z.iso.datetime() }),
    ),
    notCounted: z.array(z.object({ reason: z.string(), clicks: z.number().int() })),
  }),
  failure: 'Failed to fetch advertisement analytics',
});

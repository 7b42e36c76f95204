import { z } from 'zod';
import { reviewMode } from '#shared/advertisers/reviews.ts';
import { deviceTimeZone } from '#shared/push/quiet-hours.ts';
import { readStorage, writeStorage } from '../../../platform/web-storage.ts';

const text = z.string().catch('');

/** The draft of an advertiser's sign-up, stored on this device. */
const draftSchema = z.object({
  company: z.object({
    email: text,
    company_name: text,
    contact_name: text,
    phone: text,
    billing_address: text,
  }),
  kind: z.enum(['timed', 'local']).catch('timed'),
  timed: z.object({
    title: text,
    description: text,
    target_url: text,
    placement: z.enum(['banner', 'sidebar', 'inline', 'modal']).catch('banner'),
    /** The field's value, in this device's time zone. */
    start: text,
  }),
  local: z.object({
    business_name: text,
    business_type: text,
    description: text,
    latitude: text,
    longitude: text,
    address: text,
    phone: text,
    website_url: text,
    search_radius_miles: text,
  }),
  image_name: z.string().nullable().catch(null),
  advertiser_id: z.string().nullable(),
  /** The ad to be paid, as stored by the server. */
  ad: z
    .object({
      id: z.union([z.number(), z.string()]),
      kind: z.enum(['timed', 'local']),
      cost_cents: z.number(),
      title: z.string(),
      /** Null for a listing. */
      start: z.string().nullable(),
      /** Whether we review it before it goes live. */
      review: reviewMode.catch('after'),
      /** The draft it was created from, see `typedIn`. */
      of: z.string().catch(''),
    })
    .nullable(),
  /** The same idempotency key for all attempts, so that a lost answer creates nothing twice. */
  request: z.object({ key: z.string(), of: z.string() }).nullable().catch(null),
  /** A wallet's token was sent, with an unknown outcome. */
  isSent: z.boolean().catch(false),
  isPaid: z.boolean().catch(false),
  /** The payment was confirmed on the screen; the next visit starts another ad. */
  isConfirmed: z.boolean().catch(false),
});
export type Draft = z.infer<typeof draftSchema>;

export const emptyDraft: Draft = {
  company: { email: '', company_name: '', contact_name: '', phone: '', billing_address: '' },
  kind: 'timed',
  timed: { title: '', description: '', target_url: '', placement: 'banner', start: '' },
  local: {
    business_name: '',
    business_type: 'restaurant',
    description: '',
    latitude: '',
    longitude: '',
    address: '',
    phone: '',
    website_url: '',
    search_radius_miles: '5',
  },
  image_name: null,
  advertiser_id: null,
  ad: null,
  request: null,
  isSent: false,
  isPaid: false,
  isConfirmed: false,
};

/** Returns the company for the call. */
export const companyOf = ({ company }: Draft) => ({
  ...company,
  time_zone: deviceTimeZone(),
});

/** Serializes the typed values that are sent, to detect changes since the ad was saved. */
export const typedIn = ({ company, kind, image_name, ...typed }: Draft): string =>
  JSON.stringify([company, kind, typed[kind], image_name]);

/** Returns a draft for another ad of the same company. */
export const nextDraft = ({ company, kind, advertiser_id }: Draft): Draft => ({
  ...emptyDraft,
  company,
  kind,
  advertiser_id,
});

const KEY = 'advertiser-draft';

/** Returns the stored draft; an empty one if there is none or it can't be read. */
export function readDraft(): Draft {
  return readStorage(draftSchema, KEY) ?? emptyDraft;
}

/** Stores the draft; null removes it. */
export function storeDraft(draft: Draft | null): void {
  if (!writeStorage(KEY, draft))
    console.warn('This browser can’t save your entries. Stay on this page until you’ve paid.');
}

const IMAGES = 'advertiser-draft';
const IMAGE = '/advertiser-draft-image';

/** Stores the chosen picture; null removes it. */
export async function storeImage(image: Blob | null): Promise<void> {
  try {
    if (image) await (await caches.open(IMAGES)).put(IMAGE, new Response(image));
    else await caches.delete(IMAGES);
  } catch (error) {
    console.warn('This browser couldn’t save the photo', error);
  }
}

/** Returns the stored picture, if any. */
export async function readImage(): Promise<Blob | null> {
  try {
    const stored = await (await caches.open(IMAGES)).match(IMAGE);
    return stored ? await stored.blob() : null;
  } catch {
    return null;
  }
}

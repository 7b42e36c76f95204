import { z } from 'zod';
import { reviewMode } from '#shared/advertisers/reviews.ts';

const text = z.string().catch('');

/** What somebody who signs up as an advertiser has typed and done so far, as this device keeps it. */
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
    placement: z.enum(['banner', 'sidebar', 'inline']).catch('banner'),
    /** As the field has it: the time on this device's clock. */
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
  /** What is to be paid, as the server has it. */
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
      /** Of what was typed it was made, see `typedIn`. */
      of: z.string().catch(''),
    })
    .nullable(),
  /** One for all attempts to send the same, so that a lost answer makes nothing twice. */
  request: z.object({ key: z.string(), of: z.string() }).nullable().catch(null),
  /** A wallet's token is on its way, and nobody knows what came of it. */
  isSent: z.boolean().catch(false),
  isPaid: z.boolean().catch(false),
  /** That it is paid was shown: whoever comes again wants another ad. */
  isTold: z.boolean().catch(false),
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
  isTold: false,
};

/** Who advertises, as it is sent. */
export const companyOf = ({ company }: Draft) => ({
  ...company,
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

/** What was typed, as far as it is sent: what is paid is made of nothing else. */
export const typedIn = ({ company, kind, image_name, ...typed }: Draft): string =>
  JSON.stringify([company, kind, typed[kind], image_name]);

/** For another ad of the same company. */
export const nextDraft = ({ company, kind, advertiser_id }: Draft): Draft => ({
  ...emptyDraft,
  company,
  kind,
  advertiser_id,
});

const KEY = 'advertiser-draft';

/** What was typed before; an empty one where nothing was, or nothing can be read. */
export function readDraft(): Draft {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === null ? emptyDraft : draftSchema.parse(JSON.parse(kept));
  } catch (error) {
    console.warn('The saved draft can’t be read', error);
    return emptyDraft;
  }
}

/** Keeps what was typed until it is paid; null forgets it. */
export function keepDraft(draft: Draft | null): void {
  try {
    if (draft) localStorage.setItem(KEY, JSON.stringify(draft));
    else localStorage.removeItem(KEY);
  } catch {
    console.warn('This browser can’t save your entries. Stay on this page until you’ve paid.');
  }
}

const IMAGES = 'advertiser-draft';
const IMAGE = '/advertiser-draft-image';

/** Keeps the picture that was chosen; null forgets it. */
export async function keepImage(image: Blob | null): Promise<void> {
  try {
    if (image) await (await caches.open(IMAGES)).put(IMAGE, new Response(image));
    else await caches.delete(IMAGES);
  } catch (error) {
    console.warn('This browser couldn’t save the picture', error);
  }
}

/** The picture that was chosen before, if any. */
export async function readImage(): Promise<Blob | null> {
  try {
    const kept = await (await caches.open(IMAGES)).match(IMAGE);
    return kept ? await kept.blob() : null;
  } catch {
    return null;
  }
}

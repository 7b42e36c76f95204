import { z } from 'zod';

export const businessType = z.enum([
  'restaurant',
  'hotel',
  'veterinary',
  'pet_store',
  'grooming',
  'boarding',
  'park',
  'service',
  'other',
]);
export type BusinessType = z.infer<typeof businessType>;

/** Labels of business types. */
export const BUSINESS_TYPE_NAMES: Record<BusinessType, string> = {
  restaurant: 'Restaurant',
  hotel: 'Hotel',
  veterinary: 'Veterinary',
  pet_store: 'Pet Store',
  grooming: 'Grooming',
  boarding: 'Boarding',
  park: 'Park',
  service: 'Service',
  other: 'Other',
};

/** A link that calls a phone number; only its digits and plus sign are dialed. */
export const telLink = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`;

/** A sponsored business in search results. */
export const sponsoredBusiness = z.object({
  /** For `POST /api/ad-impressions` and `POST /api/ad-clicks`, as a house ad's. */
  id: z.string(),
  business_name: z.string(),
  business_type: businessType,
  description: z.string(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  website_url: z.string().nullable(),
  /** Of this origin. */
  image_url: z.string().nullable(),
  distance_miles: z.number(),
  /** Identifies this view of it. */
  view_id: z.string(),
});
export type SponsoredBusiness = z.infer<typeof sponsoredBusiness>;

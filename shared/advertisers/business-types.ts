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

/** How each kind of business is called. */
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

/** The link that calls a number, as people wrote it: of the rest only digits and the plus are dialled. */
export const telLink = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`;

/** A business that pays to be seen near it, as the search of places shows it. */
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
  /** Stands for this one time that it was given out. */
  view_id: z.string(),
});
export type SponsoredBusiness = z.infer<typeof sponsoredBusiness>;

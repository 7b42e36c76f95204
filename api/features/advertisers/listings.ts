import type { SponsoredBusiness } from '#shared/advertisers/business-types.ts';
import { LISTING_RADIUS_MAX_MILES } from '#shared/advertisers/rules.ts';
import { METERS_PER_MILE, type Place } from '#shared/place.ts';
import { pictureUrl } from '../../platform/files/public-owner.ts';
import { secretsOf } from '../../platform/hmac.ts';
import type { Services } from '../../platform/services.ts';
import { type ListingRow, businessListings } from '../ads/collections.ts';
import { listingsThatAre } from '../ads/status-filters.ts';
import { views } from '../ads/view-tokens.ts';

const SHOWN = 10;

/** Active listings whose own radius contains the point, nearest first, each with a new `view_id`. */
export async function listingsNear(
  { db, env }: Pick<Services, 'db' | 'env'>,
  { latitude, longitude }: Place,
  now: Date = new Date(),
): Promise<SponsoredBusiness[]> {
  const given = views(secretsOf(env));
  const rows = await businessListings(db)
    .aggregate<ListingRow & { meters: number }>([
      {
        $geoNear: {
          near: { type: 'Point', coordinates: [longitude, latitude] },
          distanceField: 'meters',
          maxDistance: LISTING_RADIUS_MAX_MILES * METERS_PER_MILE,
          spherical: true,
          query: listingsThatAre('active', now),
        },
      },
      {
        $match: {
          $expr: { $lte: ['$meters', { $multiply: ['$search_radius_miles', METERS_PER_MILE] }] },
        },
      },
      { $limit: SHOWN },
    ])
    .toArray();
  return rows.map((row) => ({
    id: row._id,
    business_name: row.business_name,
    business_type: row.business_type,
    description: row.description,
    address: row.address,
    phone: row.phone,
    website_url: row.website_url,
    image_url: pictureUrl(row.image_key),
    distance_miles: row.meters / METERS_PER_MILE,
    view_id: given.idFor(row._id, now),
  }));
}

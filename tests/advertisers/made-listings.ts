import { randomUUID } from 'node:crypto';
import type { ListingRow } from '../../api/features/ads/collections.ts';
import type { TestApi } from '../api.ts';

const DAY_MS = 24 * 3_600_000;

/** Inserts a paid listing that is active now. */
export async function makeListing(
  api: Pick<TestApi, 'db'>,
  overrides: Partial<ListingRow> = {},
): Promise<ListingRow> {
  const row: ListingRow = {
    _id: `listing-${randomUUID()}`,
    advertiser_id: 'an advertiser',
    business_name: 'Paws & Coffee',
    business_type: 'restaurant',
    description: 'Water bowls under every table.',
    place: { type: 'Point', coordinates: [-73.97, 40.78] },
    address: '1 Park Lane',
    phone: '+1 555 010 0100',
    website_url: 'https://coffee.example/',
    image_key: null,
    image_filename: null,
    search_radius_miles: 5,
    monthly_cost_cents: 10_000,
    payment_status: 'completed',
    subscription_start_date: new Date(Date.now() - DAY_MS),
    subscription_end_date: new Date(Date.now() + 29 * DAY_MS),
    paused_at: null,
    paid: ['a payment'],
    refunded_payments: [],
    created_at: new Date(Date.now() - DAY_MS),
    impressions: 0,
    clicks: 0,
    counted_until: new Date(0),
    ...overrides,
  };
  await api.db.collection<ListingRow>('business_listings').insertOne(row);
  return row;
}

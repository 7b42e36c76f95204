import type { z } from 'zod';
import { createAdvertisement, type Advertisement } from '#shared/ads/admin-contract.ts';
import { listAds, listPaidAds, type Ad, type Placement } from '#shared/ads/contract.ts';
import { uncounted } from '../../api/features/ads/ad-counters.ts';
import { nextBookingId } from '../../api/features/ads/bookings.ts';
import type { BookingRow } from '../../api/features/ads/collections.ts';
import { views } from '../../api/features/ads/view-tokens.ts';
import { caller } from '../../client/platform/http/api-client.ts';
import { CookieJar } from '../../scripts/session/cookie-jar.ts';
import type { Call, TestApi, TestPerson } from '../api.ts';

/** Headers of a real browser. */
const BROWSER = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36',
  'sec-fetch-site': 'same-origin',
};

/** Returns a caller with the headers of a real browser, for a signed-in user or a visitor with a unique user agent. */
export const browserOf = (api: TestApi, of: TestPerson | string, headers = {}): Call =>
  caller({
    origin: api.origin,
    fetch: typeof of === 'string' ? new CookieJar().fetch : of.jar.fetch,
    headers: {
      ...BROWSER,
      ...(typeof of === 'string' ? { 'user-agent': `${BROWSER['user-agent']} ${of}` } : {}),
      ...headers,
    },
  });

/** Creates a house ad as an admin. */
export async function makeAd(
  admin: TestPerson,
  overrides: Partial<z.input<NonNullable<(typeof createAdvertisement)['body']>>> = {},
): Promise<Advertisement> {
  const body = { title: 'Kibble & Co', target_url: 'https://kibble.example/shop', ...overrides };
  return (await admin.call(createAdvertisement, { body })).advertisement;
}

const HOUR_MS = 3_600_000;

/** Inserts a paid ad that is running now. */
export async function makeBooking(
  api: Pick<TestApi, 'db'>,
  overrides: Partial<BookingRow> = {},
): Promise<BookingRow> {
  const row: BookingRow = {
    _id: await nextBookingId(api.db),
    advertiser_id: 'an advertiser',
    title: 'The Groomer',
    description: 'Clean again by noon.',
    image_key: null,
    image_filename: null,
    target_url: 'https://groomer.example/',
    placement: 'banner',
    scheduled_start_at: new Date(Date.now() - HOUR_MS),
    scheduled_end_at: new Date(Date.now() + 3 * HOUR_MS),
    duration_hours: 4,
    cost_cents: 20_000,
    payment_status: 'completed',
    cancelled_at: null,
    created_at: new Date(Date.now() - 2 * HOUR_MS),
    ...uncounted(),
    ...overrides,
  };
  await api.db.collection<BookingRow>('advertisement_bookings').insertOne(row);
  return row;
}

/** Returns the id of a view that was served `msAgo` milliseconds ago. */
export const viewOf = (api: TestApi, adId: string | number, msAgo = 5_000): string =>
  views([api.env['SYNC_SECRET'] ?? '']).idFor(adId, new Date(Date.now() - msAgo));

/** Returns the paid and house ads of a placement, like an ad slot requests them. */
export async function adsIn(
  api: TestApi,
  placement: Placement,
  limit?: number,
): Promise<{ paid: Ad[]; house: Ad[] }> {
  const query = limit === undefined ? { placement } : { placement, limit };
  const { ads: paid } = await api.call(listPaidAds, { query });
  const { ads: house } = await api.call(listAds, { query });
  return { paid, house };
}

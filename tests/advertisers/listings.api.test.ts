import type { Db } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { clickAd, seeAd } from '#shared/ads/contract.ts';
import { listingStatus } from '#shared/ads/rules.ts';
import type { Place } from '#shared/place.ts';
import { countsOf } from '../../api/features/ads/ad-counters.ts';
import {
  type ClickRow,
  type ListingRow,
  businessListings,
} from '../../api/features/ads/collections.ts';
import { listingsNear } from '../../api/features/advertisers/listings.ts';
import { openDatabase } from '../../api/platform/database.ts';
import { readEnv } from '../../api/platform/env.ts';
import { browserOf, viewOf } from '../ads/made-ads.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { makeListing } from './made-listings.ts';

let api: TestApi;
let db: Db;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  db = await openDatabase(inject('mongodbUri'), api.env['MONGODB_DB'] ?? '');
});
beforeEach(async () => {
  await businessListings(db).deleteMany({});
});
afterAll(async () => {
  await db.client.close();
  await api.close();
});

const PARK: Place = { latitude: 40.78, longitude: -73.97 };
const near = (point: Place = PARK, now?: Date) =>
  listingsNear({ db, env: readEnv(api.env) }, point, now);
const namesNear = async (point?: Place, now?: Date) =>
  (await near(point, now)).map(({ business_name }) => business_name);
/** Returns the point this many miles north of the park. */
const north = (miles: number): ListingRow['place'] => ({
  type: 'Point',
  coordinates: [PARK.longitude, PARK.latitude + miles / 69.17],
});

describe('listings near a point', () => {
  test('listings nearby have all fields that the search shows', async () => {
    const row = await makeListing(api, { place: north(2), image_key: 'a-picture' });
    expect(await near()).toEqual([
      {
        id: row._id,
        business_name: 'Paws & Coffee',
        business_type: 'restaurant',
        description: 'Water bowls under every table.',
        address: '1 Park Lane',
        phone: '+1 555 010 0100',
        website_url: 'https://coffee.example/',
        image_url: '/api/public-files/a-picture',
        distance_miles: expect.closeTo(2, 1) as number,
        view_id: expect.any(String) as string,
      },
    ]);
  });

  test('finds listings whose own radius contains the point, nearest first', async () => {
    await makeListing(api, { business_name: 'far', place: north(40), search_radius_miles: 50 });
    await makeListing(api, { business_name: 'near', place: north(1), search_radius_miles: 1.2 });
    await makeListing(api, { business_name: 'small', place: north(1), search_radius_miles: 0.8 });
    await makeListing(api, { business_name: 'beyond', place: north(51), search_radius_miles: 50 });
    expect(await namesNear()).toEqual(['near', 'far']);
  });

  test('returns at most ten listings', async () => {
    for (let n = 0; n < 12; n += 1)
      await makeListing(api, { business_name: `${n}`, place: north(n / 10) });
    expect(await namesNear()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  test('finds exactly the listings whose status is active', async () => {
    const start = new Date(Date.UTC(2026, 9, 20));
    const end = new Date(Date.UTC(2026, 10, 19));
    const times = [new Date(end.getTime() - 1), end];
    for (const payment_status of ['pending', 'failed', 'completed', 'refunded'] as const)
      for (const paused_at of [null, start])
        await makeListing(api, {
          business_name: `${payment_status} ${paused_at ? 'paused' : ''}`,
          payment_status,
          paused_at,
          subscription_start_date: start,
          subscription_end_date: end,
        });
    const rows = await businessListings(db).find().toArray();
    for (const now of times)
      expect(await namesNear(PARK, now)).toEqual(
        rows
          .filter((row) => listingStatus(row, now) === 'active')
          .map(({ business_name }) => business_name),
      );
    expect(await namesNear(PARK, times[0])).toEqual(['completed ']);
    expect(await namesNear(PARK, times[1])).toEqual([]);
  });
});

describe('views and clicks of listings', () => {
  test('counts views, website clicks, and phone clicks of a listing', async () => {
    const row = await makeListing(api);
    const counts = async () => (await countsOf(db, [row])).get(row._id);
    for (const [who, ad_url] of [
      ['walker', 'https://coffee.example/'],
      ['caller', 'tel:+15550100100'],
      ['liar', 'https://evil.example/'],
    ] as const) {
      const call = browserOf(api, who);
      const view_id = viewOf(api, row._id);
      await call(seeAd, { body: { ad_id: row._id, view_id } });
      const click = { ad_id: row._id, ad_title: 'Paws & Coffee', ad_url, view_id };
      await call(clickAd, { body: click });
    }
    expect(await counts()).toEqual({ impressions: 3, clicks: 2 });
    const clicks = await api.db.collection<ClickRow>('ad_clicks').find().toArray();
    expect(clicks.map(({ ad_url, doubt }) => [ad_url, doubt])).toEqual([
      ['https://coffee.example/', null],
      ['tel:+15550100100', null],
      ['https://coffee.example/', 'mismatch'],
    ]);
  });

  test('refuses views of a listing that was never paid', async () => {
    const { _id } = await makeListing(api, { payment_status: 'pending' });
    const view_id = viewOf(api, _id);
    const seen = browserOf(api, 'walker')(seeAd, { body: { ad_id: _id, view_id } });
    await expectRefused(seen, 404, { error: 'Advertisement not found' });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { updateAdvertisement } from '#shared/ads/admin-contract.ts';
import { listAds, listPaidAds, listShownAds, type Placement } from '#shared/ads/contract.ts';
import { bookingStatus } from '#shared/ads/rules.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { adsIn, makeAd, makeBooking } from './made-ads.ts';

let api: TestApi;
let admin: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
});
beforeEach(async () => {
  await api.db.collection('advertisements').deleteMany({});
  await api.db.collection('advertisement_bookings').deleteMany({});
});
afterAll(() => api.close());

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const titles = async (placement: Placement, limit = 10) => {
  const { paid, house } = await adsIn(api, placement, limit);
  return { paid: paid.map((ad) => ad.title), house: house.map((ad) => ad.title) };
};

test('a slot is told the paid ads of its placement, or else the house ads, in one call', async () => {
  const shownIn = async (placement: Placement) =>
    (await api.call(listShownAds, { query: { placement, limit: '10' } })).ads;
  const house = await makeAd(admin);
  expect(await shownIn('banner')).toMatchObject([{ id: house.id, view_id: expect.any(String) }]);
  expect(await shownIn('sidebar')).toEqual([]);
  const paid = await makeBooking(api);
  expect(await shownIn('banner')).toMatchObject([{ id: paid._id, view_id: expect.any(String) }]);
});

describe('house ads', () => {
  test('serves one house ad by default, with all fields that a slot shows', async () => {
    const made = await makeAd(admin, { description: 'Fresh daily', priority: 3 });
    await makeAd(admin);
    const { ads } = await api.call(listAds, { query: { placement: 'banner' } });
    expect(ads).toEqual([
      {
        id: made.id,
        title: 'Kibble & Co',
        description: 'Fresh daily',
        image_url: null,
        target_url: 'https://kibble.example/shop',
        placement: 'banner',
        active: true,
        priority: 3,
        created_at: made.created_at,
        expires_at: null,
        view_id: expect.any(String),
      },
    ]);
    expect((await titles('banner')).house).toHaveLength(2);
  });

  test('serves active, unexpired house ads in their own placement only', async () => {
    await makeAd(admin, { title: 'banner' });
    await makeAd(admin, { title: 'sidebar', placement: 'sidebar' });
    await makeAd(admin, { title: 'not active', active: false });
    await makeAd(admin, { title: 'over', expires_at: ago(1).toISOString() });
    await makeAd(admin, { title: 'not over', expires_at: ago(-1).toISOString() });
    expect((await titles('banner')).house.toSorted()).toEqual(['banner', 'not over']);
    expect((await titles('sidebar')).house).toEqual(['sidebar']);
    expect((await titles('inline')).house).toEqual([]);
    expect((await titles('modal')).house).toEqual([]);
  });

  test('orders house ads by priority and stops serving deactivated ones at once', async () => {
    for (const priority of [2, 10, 5]) await makeAd(admin, { title: String(priority), priority });
    const top = await makeAd(admin, { title: 'top', priority: 10, active: false });
    expect((await titles('banner')).house).toEqual(['10', '5', '2']);
    expect((await titles('banner', 2)).house).toEqual(['10', '5']);
    const to = (active: boolean) =>
      admin.call(updateAdvertisement, { params: { id: top.id }, body: { active } });
    await to(true);
    expect((await titles('banner')).house.slice(0, 2).toSorted()).toEqual(['10', 'top']);
    await to(false);
    expect((await titles('banner')).house).not.toContain('top');
  });

  test('house ads of equal priority come first equally often', async () => {
    for (const title of ['a', 'b', 'c']) await makeAd(admin, { title, priority: 4 });
    await makeAd(admin, { title: 'lower', priority: 3 });
    const times: Record<string, number> = {};
    for (let round = 0; round < 150; round += 1) {
      const [first = ''] = (await titles('banner', 1)).house;
      times[first] = (times[first] ?? 0) + 1;
    }
    // 50 each are expected. Fewer than 20 is not random.
    expect(Object.keys(times).toSorted()).toEqual(['a', 'b', 'c']);
    for (const count of Object.values(times)) expect(count).toBeGreaterThan(20);
  });

  test('serves house ad images only from its own origin', async () => {
    const origin = api.env['PUBLIC_ORIGIN'];
    await makeAd(admin, { title: 'ours', image_url: `${origin}/api/files/abc` });
    const theirs = await makeAd(admin, { title: 'theirs' });
    // From before pictures of other sites were stored here.
    await api.db
      .collection<{ _id: string }>('advertisements')
      .updateOne({ _id: theirs.id }, { $set: { image_url: 'https://tracker.example/pixel.gif' } });
    const { house } = await adsIn(api, 'banner', 10);
    const pictures = Object.fromEntries(house.map((ad) => [ad.title, ad.image_url]));
    expect(pictures).toEqual({ ours: '/api/files/abc', theirs: null });
  });
});

describe('paid ads', () => {
  test('gives paid ads unique numbers as ids, even when booked simultaneously', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => makeBooking(api)));
    const ids = made.map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(20);
    const { paid } = await adsIn(api, 'banner', 10);
    expect(paid).toHaveLength(10);
    for (const { id } of paid) expect(ids).toContain(id);
  });

  test('serves a paid ad with all fields that a slot shows', async () => {
    const made = await makeBooking(api, { image_key: 'a-key', image_filename: 'dog.png' });
    const { ads } = await api.call(listPaidAds, { query: { placement: 'banner' } });
    expect(ads).toEqual([
      {
        id: made._id,
        title: 'The Groomer',
        description: 'Clean again by noon.',
        image_url: '/api/public-files/a-key',
        target_url: 'https://groomer.example/',
        placement: 'banner',
        active: true,
        priority: 1,
        created_at: made.created_at.toISOString(),
        expires_at: made.scheduled_end_at.toISOString(),
        view_id: expect.any(String),
      },
    ]);
  });

  test('serves a paid ad exactly while its status is active', async () => {
    const times = { before: -1, now: 1, over: 5 };
    for (const payment_status of ['pending', 'completed', 'failed', 'refunded'] as const)
      for (const [when, hours] of Object.entries(times))
        for (const cancelled_at of [null, ago(0)]) {
          const scheduled_start_at = ago(hours);
          await makeBooking(api, {
            title: `${payment_status} ${when} ${cancelled_at ? 'cancelled' : ''}`,
            payment_status,
            cancelled_at,
            scheduled_start_at,
            scheduled_end_at: new Date(scheduled_start_at.getTime() + 4 * 3_600_000),
          });
        }
    const rows = await api.db
      .collection<Awaited<ReturnType<typeof makeBooking>>>('advertisement_bookings')
      .find()
      .toArray();
    const active = rows.filter((row) => bookingStatus(row, new Date()) === 'active');
    expect(active.map(({ title }) => title)).toEqual(['completed now ']);
    expect((await titles('banner')).paid).toEqual(['completed now ']);
  });

  test('paid ads continue after a restart and end on time', async () => {
    await makeBooking(api, { title: 'ends soon' });
    await makeBooking(api, { title: 'goes on' });
    await api.restartApi();
    expect((await titles('banner')).paid.toSorted()).toEqual(['ends soon', 'goes on']);
    await api.db
      .collection('advertisement_bookings')
      .updateOne({ title: 'ends soon' }, { $set: { scheduled_end_at: new Date() } });
    expect((await titles('banner')).paid).toEqual(['goes on']);
  });
});

test.each([listAds, listPaidAds])('refuses invalid queries: $path', async (endpoint) => {
  const ask = (query: string) => fetch(`${api.origin}/api${endpoint.path}${query}`);
  const refusals: [string, object][] = [
    ['', { error: 'Required', code: 'invalid_input', fields: { placement: 'Required' } }],
    ['?placement=roof', { error: 'Invalid input', fields: { placement: 'Invalid input' } }],
    ['?placement=banner&limit=0', { error: 'Invalid input', fields: { limit: 'Invalid input' } }],
    ['?placement=banner&limit=11', { error: 'Invalid input', fields: { limit: 'Invalid input' } }],
    ['?placement=banner&limit=x', { error: 'Invalid input', fields: { limit: 'Invalid input' } }],
  ];
  for (const [query, body] of refusals) {
    const answer = await ask(query);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject(body);
  }
});

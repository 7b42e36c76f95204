import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  advertisementAnalytics,
  createAdvertisement,
  deleteAdvertisement,
  listAdvertisements,
  updateAdvertisement,
  type Advertisement,
} from '#shared/ads/admin-contract.ts';
import { clickAd, seeAd } from '#shared/ads/contract.ts';
import { addUp } from '../../api/features/ads/ad-counters.ts';
import { startTestApi, type Call, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { browserOf, makeAd, makeBooking, viewOf } from './made-ads.ts';

let api: TestApi;
let admin: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
});
afterAll(() => api.close());

const REQUIRED = 'Title and target URL are required';
const target_url = 'https://kibble.example/';

describe('creating an ad', () => {
  test('creates an ad with the default values of the form', async () => {
    const older = await makeAd(admin);
    await wait(5);
    const ad = await makeAd(admin, { title: ' Kibble ', target_url });
    expect(ad).toEqual({
      id: expect.any(String),
      title: 'Kibble',
      description: '',
      image_url: null,
      target_url,
      placement: 'banner',
      priority: 1,
      active: true,
      created_at: expect.any(String),
      expires_at: null,
      impressions: 0,
      clicks: 0,
      version: 0,
    });
    const { advertisements } = await admin.call(listAdvertisements);
    expect(advertisements).toEqual([ad, older]);
  });

  test('creates an ad with all fields, and null for empty ones', async () => {
    const full = {
      title: 'K'.repeat(100),
      description: 'x'.repeat(500),
      image_url: `${api.env['PUBLIC_ORIGIN']}/icons/dog.png`,
      target_url,
      placement: 'sidebar',
      priority: '10',
      active: false,
      expires_at: '2030-01-01T12:00:00+02:00',
    } as const;
    expect(await makeAd(admin, full)).toMatchObject({
      ...full,
      priority: 10,
      expires_at: '2030-01-01T10:00:00.000Z',
    });
    const empty = await makeAd(admin, { image_url: '', expires_at: '', description: '' });
    expect(empty).toMatchObject({ image_url: null, expires_at: null, description: '' });
  });

  test.each([
    [{}, { title: REQUIRED, target_url: REQUIRED }],
    [{ title: ' ', target_url }, { title: REQUIRED }],
    [{ title: 'Kibble', target_url: '' }, { target_url: REQUIRED }],
    [{ title: 'Kibble', target_url: 'kibble' }, { target_url: 'Invalid url' }],
    [{ title: 'Kibble', target_url: 'javascript:alert(1)' }, { target_url: 'Invalid url' }],
    [{ title: 'x'.repeat(101), target_url }, { title: 'Invalid input' }],
    [{ title: 'Kibble', target_url, image_url: 'dog.png' }, { image_url: 'Invalid url' }],
    [{ title: 'Kibble', target_url, priority: 0 }, { priority: 'Invalid input' }],
    [{ title: 'Kibble', target_url, priority: 11 }, { priority: 'Invalid input' }],
    [{ title: 'Kibble', target_url, priority: 'high' }, { priority: 'Invalid input' }],
    [{ title: 'Kibble', target_url, placement: 'roof' }, { placement: 'Invalid input' }],
    [{ title: 'Kibble', target_url, active: 'yes' }, { active: 'Invalid input' }],
    [{ title: 'Kibble', target_url, expires_at: 'soon' }, { expires_at: 'Invalid input' }],
    [
      { title: 'Kibble', target_url, description: 'x'.repeat(501) },
      { description: 'Invalid input' },
    ],
  ])('refuses to create an ad from %j', async (body, fields) => {
    const expected = { error: Object.values(fields)[0], code: 'invalid_input', fields };
    await expectRefused(admin.call(createAdvertisement, { body } as never), 400, expected);
    if (!('title' in body)) return;
    const params = { id: (await makeAd(admin)).id };
    await expectRefused(admin.call(updateAdvertisement, { params, body } as never), 400, expected);
  });

  test('creates only one ad per Idempotency-Key', async () => {
    const idempotencyKey = randomUUID();
    const make = (title: string) =>
      admin.call(createAdvertisement, { body: { title, target_url }, idempotencyKey });
    const first = await make('Once');
    expect(await make('Once')).toEqual(first);
    await expectRefused(make('Twice'), 409, {
      error: 'This Idempotency-Key was used for another request',
    });
    const { advertisements } = await admin.call(listAdvertisements);
    expect(advertisements.filter(({ title }) => title === 'Once')).toHaveLength(1);
  });
});

describe('updating an ad', () => {
  test('updates only the given fields of an ad', async () => {
    const ad = await makeAd(admin, { description: 'Fresh', priority: 7, placement: 'inline' });
    const change = async (body: object) =>
      (await admin.call(updateAdvertisement, { params: { id: ad.id }, body })).advertisement;
    expect(await change({ active: false })).toEqual({ ...ad, active: false, version: 1 });
    expect(await change({ expires_at: '2030-01-01T00:00:00Z', title: 'New' })).toEqual({
      ...ad,
      active: false,
      title: 'New',
      expires_at: '2030-01-01T00:00:00.000Z',
      version: 2,
    });
    const back = { ...ad, version: 3 };
    expect(await change({ expires_at: '', title: ad.title, active: true })).toEqual(back);
    expect(await change({})).toEqual(back);
  });

  test('answers 404 when updating or deleting an unknown ad', async () => {
    const ad = await makeAd(admin);
    const params = { id: ad.id };
    expect(await admin.call(deleteAdvertisement, { params })).toEqual({});
    const notFound = { error: 'Advertisement not found', code: 'not_found' };
    await expectRefused(admin.call(deleteAdvertisement, { params }), 404, notFound);
    const body = { active: false };
    await expectRefused(admin.call(updateAdvertisement, { params, body }), 404, notFound);
    const { advertisements } = await admin.call(listAdvertisements);
    expect(advertisements.map(({ id }) => id)).not.toContain(ad.id);
  });
});

let visitors = 0;
const someone = () => browserOf(api, `visitor/${(visitors += 1)}`);
const see = (call: Call, ad_id: string | number) =>
  call(seeAd, { body: { ad_id, view_id: viewOf(api, ad_id) } });
const click = (call: Call, { id, title, target_url: ad_url }: Advertisement) =>
  call(clickAd, { body: { ad_id: id, ad_title: title, ad_url } });
const seeAndClick = async (call: Call, ad: Advertisement) => {
  await see(call, ad.id);
  await click(call, ad);
};

describe('the counts of an ad', () => {
  const addUpAt = (time: number) => addUp(api.db, new Date(time));
  const shown = async (id: string) => {
    const { advertisements } = await admin.call(listAdvertisements);
    const { impressions, clicks } = advertisements.find((ad) => ad.id === id) ?? {};
    return { impressions, clicks };
  };

  test('counts valid events before, during, and after they are added up', async () => {
    const ad = await makeAd(admin);
    const paid = await makeBooking(api);
    for (let times = 0; times < 3; times += 1) await seeAndClick(someone(), ad);
    await see(someone(), ad.id);
    await see(someone(), paid._id);
    await click(someone(), ad);
    const all = { impressions: 4, clicks: 3 };
    expect(await shown(ad.id)).toEqual(all);

    // A minute must pass before events are added up.
    const inAMinute = Date.now() + 61_000;
    await addUpAt(Date.now());
    expect(
      await api.db.collection('advertisements').findOne({ title: ad.title, impressions: 4 }),
    ).toBeNull();
    await Promise.all([addUpAt(inAMinute), addUpAt(inAMinute), addUpAt(inAMinute)]);
    expect(
      await api.db.collection('advertisements').findOne({ _id: ad.id as never }),
    ).toMatchObject(all);
    expect(
      await api.db.collection('advertisement_bookings').findOne({ _id: paid._id as never }),
    ).toMatchObject({ impressions: 1, clicks: 0 });
    expect(await shown(ad.id)).toEqual(all);
    await addUpAt(inAMinute + 1_000);
    expect(await shown(ad.id)).toEqual(all);
  });

  test('counts stay correct after an interrupted aggregation', async () => {
    const [one, two] = [await makeAd(admin), await makeAd(admin)];
    // Removes counts of other tests that lie in the future.
    await api.db.collection('ad_counting').deleteMany({});
    await api.db.collection('ad_impressions').deleteMany({});
    await api.db.collection('ad_clicks').deleteMany({});
    for (const ad of [one, two]) await seeAndClick(someone(), ad);
    const to = new Date(Date.now() + 1_000);
    await api.db
      .collection('ad_counting')
      .insertOne({ _id: 'ads' as never, from: new Date(0), to });
    await api.db
      .collection('advertisements')
      .updateOne(
        { _id: one.id as never },
        { $inc: { impressions: 1, clicks: 1 }, $set: { counted_until: to } },
      );
    const all = { impressions: 1, clicks: 1 };
    expect([await shown(one.id), await shown(two.id)]).toEqual([all, all]);
    await addUpAt(Date.now() + 120_000);
    for (const { id } of [one, two]) {
      expect(await shown(id)).toEqual(all);
      expect(await api.db.collection('advertisements').findOne({ _id: id as never })).toMatchObject(
        all,
      );
    }
  });
});

describe('the ad analytics', () => {
  test('analytics report valid clicks by ad and by person, and the number of invalid ones', async () => {
    for (const name of ['ad_clicks', 'ad_impressions'])
      await api.db.collection(name).deleteMany({});
    const [one, two] = [
      await makeAd(admin, { title: 'One' }),
      await makeAd(admin, { title: 'Two' }),
    ];
    const paid = await makeBooking(api);
    const owner = browserOf(api, await api.as('clicker@example.com'));
    await see(owner, paid._id);
    await seeAndClick(owner, one);
    await seeAndClick(owner, two);
    await seeAndClick(someone(), two);
    await click(owner, two);
    await click(someone(), one);
    await api.db
      .collection('ad_clicks')
      .updateOne({ ad_title: 'One', doubt: null }, { $set: { clicked_at: new Date(0) } });

    expect(await admin.call(advertisementAnalytics)).toEqual({
      stats: { total_clicks: 3, unique_users: 2, clicks_last_24h: 2, ads_clicked: 2 },
      topAds: [
        { ad_id: two.id, ad_title: 'Two', click_count: 2, unique_clicks: 2 },
        { ad_id: one.id, ad_title: 'One', click_count: 1, unique_clicks: 1 },
      ],
      recentClicks: [
        { ad_title: 'Two', ad_url: two.target_url, clicked_at: expect.any(String) },
        { ad_title: 'Two', ad_url: two.target_url, clicked_at: expect.any(String) },
        { ad_title: 'One', ad_url: one.target_url, clicked_at: '1970-01-01T00:00:00.000Z' },
      ],
      notCounted: [
        { reason: 'duplicate', clicks: 1 },
        { reason: 'not_seen', clicks: 1 },
      ],
    });
  });
});

describe('a picture of another site', () => {
  const PATHS: Record<string, (response: ServerResponse) => void> = {
    '/dog.png': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(picture),
    '/moved': (response) => response.writeHead(302, { location: '/dog.png' }).end(),
    '/circle': (response) => response.writeHead(302, { location: '/circle' }).end(),
    '/inside': (response) => response.writeHead(302, { location: 'http://10.0.0.1/x.png' }).end(),
    '/page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    '/broken': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
    '/huge': (response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.end(Buffer.alloc(6 * 1024 * 1024));
    },
  };
  const asked: string[] = [];
  const site = createServer(({ url = '' }, response) => {
    asked.push(url);
    const answer = PATHS[url];
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
  let picture: Buffer;
  let origin = '';
  beforeAll(async () => {
    picture = await sharp({ create: { width: 9, height: 6, channels: 3, background: '#a50' } })
      .png()
      .toBuffer();
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    site.close();
    site.closeAllConnections();
  });

  test('is fetched once, and served by us', async () => {
    const ours = `${api.env['PUBLIC_ORIGIN']}/api/public-files/`;
    for (const path of ['/dog.png', '/moved']) {
      const { id, image_url } = await makeAd(admin, { image_url: `${origin}${path}` });
      expect(image_url?.startsWith(ours)).toBe(true);
      const served = await fetch(new URL(new URL(image_url ?? '').pathname, api.origin));
      expect(served.headers.get('content-type')).toBe('image/webp');
      const stored = await sharp(Buffer.from(await served.arrayBuffer())).metadata();
      expect([stored.width, stored.height]).toEqual([9, 6]);
      // Saved again, as the form does.
      const count = asked.length;
      const body = { title: 'Kibble', image_url };
      const again = await admin.call(updateAdvertisement, { params: { id }, body });
      expect(again.advertisement.image_url).toBe(image_url);
      expect(asked).toHaveLength(count);
    }
  });

  test.each([
    '/circle',
    '/inside',
    '/page',
    '/broken',
    '/huge',
    '/missing',
    'https://10.1.2.3/dog.png',
    'http://kibble.example/dog.png',
    'https://kibble.invalid/dog.png',
  ])('is refused with words, and nothing is stored: %s', async (path) => {
    const image_url = path.startsWith('/') ? `${origin}${path}` : path;
    const error = 'We couldn’t get a photo from this address. Upload it instead.';
    const before = await admin.call(listAdvertisements);
    await expectRefused(
      admin.call(createAdvertisement, { body: { title: 'Kibble', target_url, image_url } }),
      400,
      { error, fields: { image_url: error } },
    );
    expect((await admin.call(listAdvertisements)).total).toBe(before.total);
  });
});

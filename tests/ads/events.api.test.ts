import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { deleteAccount, exportAccount } from '#shared/account/contract.ts';
import { deleteAdvertisement, type Advertisement } from '#shared/ads/admin-contract.ts';
import { clickAd, clickPaidAd, seeAd } from '#shared/ads/contract.ts';
import type { ClickRow, ImpressionRow } from '../../api/features/ads/collections.ts';
import { findTracesIn } from '../account/find-personal-data.ts';
import { unzip } from '../account/unzip.ts';
import { startTestApi, type Call, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { browserOf, makeAd, makeBooking, viewOf } from './made-ads.ts';

let api: TestApi;
let admin: TestPerson;
let owner: TestPerson;
let ad: Advertisement;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  owner = await api.as('owner@example.com');
});
beforeEach(async () => {
  ad = await makeAd(admin);
});
afterAll(() => api.close());

const impressions = (ad_id: string | number) =>
  api.db.collection<ImpressionRow>('ad_impressions').find({ ad_id }).sort({ at: 1 }).toArray();
const clicks = (ad_id: string | number) =>
  api.db.collection<ClickRow>('ad_clicks').find({ ad_id }).sort({ clicked_at: 1 }).toArray();

const see = (call: Call, id: string | number, view_id = viewOf(api, id)) =>
  call(seeAd, { body: { ad_id: id, view_id } });
const clickOn = (call: Call, which: Advertisement, extra = {}, idempotencyKey?: string) =>
  call(clickAd, {
    body: { ad_id: which.id, ad_title: which.title, ad_url: which.target_url, ...extra },
    idempotencyKey,
  });
let visitors = 0;
const someone = () => browserOf(api, `visitor/${(visitors += 1)}`);

describe('an ad view', () => {
  test('counts each served ad once, however often its view is reported', async () => {
    const call = someone();
    const first = viewOf(api, ad.id);
    expect(await see(call, ad.id, first)).toEqual({});
    await Promise.all([see(call, ad.id, first), see(call, ad.id, first)]);
    await see(call, ad.id);
    expect(await impressions(ad.id)).toMatchObject([{ _id: first, doubt: null }, { doubt: null }]);
  });

  test('counts a view of a paid ad under its number', async () => {
    const paid = await makeBooking(api);
    await see(someone(), paid._id);
    expect(await impressions(paid._id)).toMatchObject([{ ad_id: paid._id, doubt: null }]);
  });

  test.each([
    ['reported too soon to have been seen', () => viewOf(api, ad.id, 100)],
    ['served more than a day ago', () => viewOf(api, ad.id, 25 * 3_600_000)],
  ])('does not count a view that was %s', async (_what, view) => {
    await see(someone(), ad.id, view());
    expect(await impressions(ad.id)).toMatchObject([{ doubt: 'not_seen' }]);
  });

  test.each([
    ['for another ad', () => viewOf(api, 'another')],
    ['with an invented id', () => 'made.up.view'],
    ['with a longer id than was served', () => `${viewOf(api, ad.id)}.again`],
  ])('does not store a view %s', async (_what, view) => {
    expect(await see(someone(), ad.id, view())).toEqual({});
    expect(await impressions(ad.id)).toEqual([]);
  });

  test('does not count views by robots or without fetch metadata', async () => {
    await see(browserOf(api, 'x', { 'user-agent': 'Googlebot/2.1' }), ad.id);
    await see(browserOf(api, 'x', { 'user-agent': 'HeadlessChrome/141' }), ad.id);
    await see(browserOf(api, 'x', { 'sec-fetch-site': '' }), ad.id);
    await see(api.call, ad.id);
    const events = await impressions(ad.id);
    expect(events.map(({ doubt }) => doubt)).toEqual(Array(4).fill('automated'));
  });

  test('does not count views beyond 60 by one visitor in quick succession', async () => {
    const call = someone();
    for (let times = 0; times < 62; times += 1) await see(call, ad.id);
    const events = await impressions(ad.id);
    expect(events.filter(({ doubt }) => doubt === null)).toHaveLength(60);
    expect(events.slice(60).map(({ doubt }) => doubt)).toEqual(['too_fast', 'too_fast']);
  });

  test('does not count views of inactive or refunded ads', async () => {
    const off = await makeAd(admin, { active: false });
    await see(someone(), off.id);
    expect(await impressions(off.id)).toMatchObject([{ doubt: 'not_running' }]);
    const refunded = await makeBooking(api, { payment_status: 'refunded' });
    await see(someone(), refunded._id);
    expect(await impressions(refunded._id)).toMatchObject([{ doubt: 'not_running' }]);
  });

  test('stores no address or user with a view, only a hash whose salt is deleted after the day', async () => {
    await see(browserOf(api, owner), ad.id);
    await see(someone(), ad.id);
    const text = JSON.stringify(await impressions(ad.id));
    for (const secret of [owner.user.id, '127.0.0.1', '::1', 'Mozilla'])
      expect(text).not.toContain(secret);
    const days = api.db.collection<{ _id: string }>('ad_days');
    const today = new Date().toISOString().slice(0, 10);
    await days.insertOne({ _id: '2020-01-01', salt: 'old' } as { _id: string });
    await api.runJobs();
    await expect
      .poll(async () => (await days.find().toArray()).map(({ _id }) => _id))
      .toEqual([today]);
  });
});

describe('an ad click', () => {
  test('stores a click with the texts of the ad and the user', async () => {
    const call = browserOf(api, owner);
    await see(call, ad.id);
    expect(await clickOn(call, ad)).toEqual({});
    expect(await clicks(ad.id)).toEqual([
      {
        _id: expect.any(String),
        ad_id: ad.id,
        ad_title: ad.title,
        ad_url: ad.target_url,
        user_id: owner.user.id,
        who: expect.any(String),
        clicked_at: expect.any(Date),
        doubt: null,
        once: expect.any(String),
      },
    ]);
  });

  test('stores a visitor’s click without a user', async () => {
    const call = someone();
    await see(call, ad.id);
    await clickOn(call, ad);
    expect(await clicks(ad.id)).toMatchObject([{ user_id: null, doubt: null }]);
  });

  test('stores a click on a paid ad under its number', async () => {
    const paid = await makeBooking(api);
    const call = someone();
    await see(call, paid._id);
    const body = { ad_id: paid._id, ad_title: paid.title, ad_url: paid.target_url };
    expect(await call(clickPaidAd, { body })).toEqual({});
    expect(await clicks(paid._id)).toMatchObject([{ ad_id: paid._id, doubt: null }]);
  });

  test('stores a click once when it is sent again with its key', async () => {
    for (const call of [browserOf(api, owner), someone()]) {
      const fresh = await makeAd(admin);
      await see(call, fresh.id);
      const key = randomUUID();
      await clickOn(call, fresh, {}, key);
      await clickOn(call, fresh, {}, key);
      expect(await clicks(fresh.id)).toMatchObject([{ doubt: null }]);
    }
  });

  test('counts repeated clicks of one person on an ad once, across devices', async () => {
    const phone = browserOf(api, owner);
    const tablet = browserOf(api, await api.as('owner@example.com'));
    await see(phone, ad.id);
    await clickOn(phone, ad);
    await clickOn(tablet, ad);
    const other = await makeAd(admin);
    await see(tablet, other.id);
    await clickOn(tablet, other);
    expect((await clicks(ad.id)).map(({ doubt }) => doubt)).toEqual([null, 'duplicate']);
    expect(await clicks(other.id)).toMatchObject([{ doubt: null }]);
  });

  test('counts another click of the same person after half an hour', async () => {
    const call = someone();
    await see(call, ad.id);
    await clickOn(call, ad);
    await api.db
      .collection<ClickRow>('ad_clicks')
      .updateOne({ ad_id: ad.id }, [
        { $set: { clicked_at: new Date(Date.now() - 31 * 60_000), once: 'long ago' } },
      ]);
    await clickOn(call, ad);
    expect((await clicks(ad.id)).map(({ doubt }) => doubt)).toEqual([null, null]);
  });

  test('counts one of ten simultaneous clicks', async () => {
    const call = someone();
    await see(call, ad.id);
    await Promise.all(Array.from({ length: 10 }, () => clickOn(call, ad)));
    const events = await clicks(ad.id);
    expect(events).toHaveLength(10);
    expect(events.filter(({ doubt }) => doubt === null)).toHaveLength(1);
  });

  test('counts a click only after a view, which the click itself can name', async () => {
    await clickOn(someone(), ad);
    const view_id = viewOf(api, ad.id);
    await see(someone(), ad.id, view_id);
    await clickOn(someone(), ad, { view_id });
    expect((await clicks(ad.id)).map(({ doubt }) => doubt)).toEqual(['not_seen', null]);
  });

  test('does not count clicks by robots', async () => {
    await see(someone(), ad.id);
    await clickOn(browserOf(api, 'x', { 'user-agent': 'curl/8.0' }), ad);
    await clickOn(browserOf(api, 'x', { 'sec-fetch-site': '' }), ad);
    await clickOn(api.call, ad);
    const events = await clicks(ad.id);
    expect(events.map(({ doubt }) => doubt)).toEqual(Array(3).fill('automated'));
  });

  test('does not count a click with another title or URL, and stores those of the ad', async () => {
    const call = someone();
    await see(call, ad.id);
    await clickOn(call, ad, { ad_title: 'Free money' });
    await clickOn(call, ad, { ad_url: 'https://evil.example/' });
    expect(await clicks(ad.id)).toMatchObject([
      { doubt: 'mismatch', ad_title: ad.title, ad_url: ad.target_url },
      { doubt: 'mismatch', ad_title: ad.title, ad_url: ad.target_url },
    ]);
  });

  test('does not count more than ten quick clicks by one person', async () => {
    const call = someone();
    const doubts: unknown[] = [];
    for (let times = 0; times < 12; times += 1) {
      const each = await makeAd(admin);
      await see(call, each.id);
      await clickOn(call, each);
      doubts.push((await clicks(each.id))[0]?.doubt);
    }
    expect(doubts).toEqual([...Array<null>(10).fill(null), 'too_fast', 'too_fast']);
  });

  test('refuses clicks on unknown, deleted, and unpaid ads', async () => {
    const deletedAd = await makeAd(admin);
    await admin.call(deleteAdvertisement, { params: { id: deletedAd.id } });
    const waiting = await makeBooking(api, { payment_status: 'pending' });
    const call = someone();
    const notFound = { error: 'Advertisement not found', code: 'not_found' };
    await expectRefused(clickOn(call, deletedAd), 404, notFound);
    await expectRefused(see(call, deletedAd.id), 404, notFound);
    for (const ad_id of [waiting._id, 987_654]) {
      const body = { ad_id, ad_title: 'x', ad_url: 'https://x.example' };
      await expectRefused(call(clickPaidAd, { body }), 404, notFound);
      await expectRefused(see(call, ad_id), 404, notFound);
    }
  });
});

test('deletes uncounted clicks after a month and keeps counted ones', async () => {
  const call = someone();
  await see(call, ad.id);
  await clickOn(call, ad);
  await clickOn(call, ad);
  const old = new Date(Date.now() - 31 * 24 * 3_600_000);
  await api.db.collection('ad_clicks').updateMany({ ad_id: ad.id }, { $set: { clicked_at: old } });
  await api.runJobs();
  await expect.poll(async () => (await clicks(ad.id)).map(({ doubt }) => doubt)).toEqual([null]);
});

test('exports a user’s clicks and keeps them anonymously after the account is deleted', async () => {
  const person = await api.as('leaves@example.com');
  const call = browserOf(api, person);
  await see(call, ad.id);
  await clickOn(call, ad);
  const archive = await person.jar.fetch(`${api.origin}/api${exportAccount.path}`);
  const exportedClicks = unzip(Buffer.from(await archive.arrayBuffer())).get('ad-clicks.json');
  expect(JSON.parse(String(exportedClicks))).toEqual([
    { ad_title: ad.title, ad_url: ad.target_url, clicked_at: expect.any(String) },
  ]);

  await person.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  expect(await clicks(ad.id)).toMatchObject([{ user_id: null, doubt: null }]);
  const marks = [person.user.id];
  const traces = await findTracesIn(api.db, marks);
  expect(traces.filter((trace) => trace.startsWith('ad_'))).toEqual([]);
});

test.each([
  ['/ad-clicks', {}, { ad_id: 'Required', ad_title: 'Required', ad_url: 'Required' }],
  ['/ad-clicks', { ad_id: 7, ad_title: 'a', ad_url: 'b' }, { ad_id: 'Invalid input' }],
  ['/paid-ad-clicks', { ad_id: '7', ad_title: 'a', ad_url: 'b' }, { ad_id: 'Invalid input' }],
  ['/paid-ad-clicks', { ad_id: 1.5, ad_title: 'a', ad_url: 'b' }, { ad_id: 'Invalid input' }],
  ['/ad-impressions', { ad_id: 'x' }, { view_id: 'Required' }],
  ['/ad-impressions', { view_id: 'x' }, { ad_id: 'Required' }],
])('POST %s refuses %j', async (path, body, fields) => {
  const answer = await fetch(`${api.origin}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({
    error: Object.values(fields)[0],
    code: 'invalid_input',
    fields,
  });
});

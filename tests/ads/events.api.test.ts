import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { deleteAccount, exportAccount } from '#shared/account/contract.ts';
import { deleteAdvertisement, type Advertisement } from '#shared/ads/admin-contract.ts';
import { clickAd, clickPaidAd, seeAd } from '#shared/ads/contract.ts';
import type { ClickRow, ImpressionRow } from '../../api/ads/collections.ts';
import { tracesIn } from '../account/find-personal-data.ts';
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

describe('a view', () => {
  test('counts once for each time that the ad was given out, however often it is reported', async () => {
    const call = someone();
    const first = viewOf(api, ad.id);
    expect(await see(call, ad.id, first)).toEqual({});
    await Promise.all([see(call, ad.id, first), see(call, ad.id, first)]);
    await see(call, ad.id);
    expect(await impressions(ad.id)).toMatchObject([{ _id: first, doubt: null }, { doubt: null }]);
  });

  test('counts for a paid ad, by its number', async () => {
    const paid = await makeBooking(api);
    await see(someone(), paid._id);
    expect(await impressions(paid._id)).toMatchObject([{ ad_id: paid._id, doubt: null }]);
  });

  test.each([
    ['sooner than one can have looked', () => viewOf(api, ad.id, 100)],
    ['of yesterday', () => viewOf(api, ad.id, 25 * 3_600_000)],
  ])('%s does not count', async (_what, view) => {
    await see(someone(), ad.id, view());
    expect(await impressions(ad.id)).toMatchObject([{ doubt: 'not_seen' }]);
  });

  test.each([
    ['of another ad', () => viewOf(api, 'another')],
    ['that nobody was given', () => 'made.up.view'],
    ['under a longer name than it was given out by', () => `${viewOf(api, ad.id)}.again`],
  ])('%s is kept nowhere', async (_what, view) => {
    expect(await see(someone(), ad.id, view())).toEqual({});
    expect(await impressions(ad.id)).toEqual([]);
  });

  test('by a robot, or with no word of where it comes from, does not count', async () => {
    await see(browserOf(api, 'x', { 'user-agent': 'Googlebot/2.1' }), ad.id);
    await see(browserOf(api, 'x', { 'user-agent': 'HeadlessChrome/141' }), ad.id);
    await see(browserOf(api, 'x', { 'sec-fetch-site': '' }), ad.id);
    await see(api.call, ad.id);
    const kept = await impressions(ad.id);
    expect(kept.map(({ doubt }) => doubt)).toEqual(Array(4).fill('automated'));
  });

  test('by somebody who looks faster than anybody can does not count', async () => {
    const call = someone();
    for (let times = 0; times < 62; times += 1) await see(call, ad.id);
    const kept = await impressions(ad.id);
    expect(kept.filter(({ doubt }) => doubt === null)).toHaveLength(60);
    expect(kept.slice(60).map(({ doubt }) => doubt)).toEqual(['too_fast', 'too_fast']);
  });

  test('of an ad that was taken off, or whose money went back, does not count', async () => {
    const off = await makeAd(admin, { active: false });
    await see(someone(), off.id);
    expect(await impressions(off.id)).toMatchObject([{ doubt: 'not_running' }]);
    const refunded = await makeBooking(api, { payment_status: 'refunded' });
    await see(someone(), refunded._id);
    expect(await impressions(refunded._id)).toMatchObject([{ doubt: 'not_running' }]);
  });

  test('keeps no address and no person, only a hash that nobody can make again once the day is over', async () => {
    await see(browserOf(api, owner), ad.id);
    await see(someone(), ad.id);
    const text = JSON.stringify(await impressions(ad.id));
    for (const secret of [owner.user.id, '127.0.0.1', '::1', 'Mozilla'])
      expect(text).not.toContain(secret);
    const days = api.db.collection<{ _id: string }>('ad_days');
    const today = new Date().toISOString().slice(0, 10);
    await days.insertOne({ _id: '2020-01-01', salt: 'old' } as { _id: string });
    await api.restartApi();
    await expect
      .poll(async () => (await days.find().toArray()).map(({ _id }) => _id))
      .toEqual([today]);
  });
});

describe('a click', () => {
  test('is kept with what the ad says, and whose it is', async () => {
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

  test('of a visitor is nobody’s', async () => {
    const call = someone();
    await see(call, ad.id);
    await clickOn(call, ad);
    expect(await clicks(ad.id)).toMatchObject([{ user_id: null, doubt: null }]);
  });

  test('on a paid ad is kept under its number', async () => {
    const paid = await makeBooking(api);
    const call = someone();
    await see(call, paid._id);
    const body = { ad_id: paid._id, ad_title: paid.title, ad_url: paid.target_url };
    expect(await call(clickPaidAd, { body })).toEqual({});
    expect(await clicks(paid._id)).toMatchObject([{ ad_id: paid._id, doubt: null }]);
  });

  test('sent again under its key is kept once', async () => {
    for (const call of [browserOf(api, owner), someone()]) {
      const fresh = await makeAd(admin);
      await see(call, fresh.id);
      const key = randomUUID();
      await clickOn(call, fresh, {}, key);
      await clickOn(call, fresh, {}, key);
      expect(await clicks(fresh.id)).toMatchObject([{ doubt: null }]);
    }
  });

  test('of the same person on the same ad counts once in a while, also on two devices', async () => {
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

  test('counts again after a while', async () => {
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

  test('counts once when ten come at the same moment', async () => {
    const call = someone();
    await see(call, ad.id);
    await Promise.all(Array.from({ length: 10 }, () => clickOn(call, ad)));
    const kept = await clicks(ad.id);
    expect(kept).toHaveLength(10);
    expect(kept.filter(({ doubt }) => doubt === null)).toHaveLength(1);
  });

  test('without a view before it does not count; a view of the page that says so is one', async () => {
    await clickOn(someone(), ad);
    const view_id = viewOf(api, ad.id);
    await see(someone(), ad.id, view_id);
    await clickOn(someone(), ad, { view_id });
    expect((await clicks(ad.id)).map(({ doubt }) => doubt)).toEqual(['not_seen', null]);
  });

  test('by a robot does not count', async () => {
    await see(someone(), ad.id);
    await clickOn(browserOf(api, 'x', { 'user-agent': 'curl/8.0' }), ad);
    await clickOn(browserOf(api, 'x', { 'sec-fetch-site': '' }), ad);
    await clickOn(api.call, ad);
    const kept = await clicks(ad.id);
    expect(kept.map(({ doubt }) => doubt)).toEqual(Array(3).fill('automated'));
  });

  test('that says another title or address does not count, and neither is believed', async () => {
    const call = someone();
    await see(call, ad.id);
    await clickOn(call, ad, { ad_title: 'Free money' });
    await clickOn(call, ad, { ad_url: 'https://evil.example/' });
    expect(await clicks(ad.id)).toMatchObject([
      { doubt: 'mismatch', ad_title: ad.title, ad_url: ad.target_url },
      { doubt: 'mismatch', ad_title: ad.title, ad_url: ad.target_url },
    ]);
  });

  test('of somebody who clicks on more than anybody can does not count', async () => {
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

  test('on an ad that is not there is refused', async () => {
    const gone = await makeAd(admin);
    await admin.call(deleteAdvertisement, { params: { id: gone.id } });
    const waiting = await makeBooking(api, { payment_status: 'pending' });
    const call = someone();
    const words = { error: 'Advertisement not found', code: 'not_found' };
    await expectRefused(clickOn(call, gone), 404, words);
    await expectRefused(see(call, gone.id), 404, words);
    for (const ad_id of [waiting._id, 987_654]) {
      const body = { ad_id, ad_title: 'x', ad_url: 'https://x.example' };
      await expectRefused(call(clickPaidAd, { body }), 404, words);
      await expectRefused(see(call, ad_id), 404, words);
    }
  });
});

test('what does not count goes after a month, and what counts stays', async () => {
  const call = someone();
  await see(call, ad.id);
  await clickOn(call, ad);
  await clickOn(call, ad);
  const old = new Date(Date.now() - 31 * 24 * 3_600_000);
  await api.db.collection('ad_clicks').updateMany({ ad_id: ad.id }, { $set: { clicked_at: old } });
  await api.restartApi();
  await expect.poll(async () => (await clicks(ad.id)).map(({ doubt }) => doubt)).toEqual([null]);
});

test('a person’s clicks are in the export, and count on without the person who leaves', async () => {
  const person = await api.as('leaves@example.com');
  const call = browserOf(api, person);
  await see(call, ad.id);
  await clickOn(call, ad);
  const archive = await person.jar.fetch(`${api.origin}/api${exportAccount.path}`);
  const held = unzip(Buffer.from(await archive.arrayBuffer())).get('ad-clicks.json');
  expect(JSON.parse(String(held))).toEqual([
    { ad_title: ad.title, ad_url: ad.target_url, clicked_at: expect.any(String) },
  ]);

  await person.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  expect(await clicks(ad.id)).toMatchObject([{ user_id: null, doubt: null }]);
  const marks = [person.user.id];
  const traces = await tracesIn(api.db, marks);
  expect(traces.filter((trace) => trace.startsWith('ad_'))).toEqual([]);
});

test.each([
  ['/ad-clicks', {}, { ad_id: 'Required', ad_title: 'Required', ad_url: 'Required' }],
  ['/ad-clicks', { ad_id: 7, ad_title: 'a', ad_url: 'b' }, { ad_id: 'Invalid input' }],
  ['/paid-ad-clicks', { ad_id: '7', ad_title: 'a', ad_url: 'b' }, { ad_id: 'Invalid input' }],
  ['/paid-ad-clicks', { ad_id: 1.5, ad_title: 'a', ad_url: 'b' }, { ad_id: 'Invalid input' }],
  ['/ad-impressions', { ad_id: 'x' }, { view_id: 'Required' }],
  ['/ad-impressions', { view_id: 'x' }, { ad_id: 'Required' }],
])('%s refuses %j', async (path, body, fields) => {
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

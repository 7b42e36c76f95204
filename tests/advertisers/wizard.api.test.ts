import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { listPaidAds } from '#shared/ads/contract.ts';
import {
  checkAdPayment,
  createAdvertiser,
  createLocationAd,
  createTimedAd,
  findSlot,
  listTakenTimes,
  payForAd,
} from '#shared/advertisers/contract.ts';
import type { BookingRow, ListingRow } from '../../api/features/ads/collections.ts';
import type {
  AdPaymentRow,
  AdvertiserRow,
  SlotsRow,
} from '../../api/features/advertisers/collections.ts';
import type { SandboxPaymentRow } from '../../api/features/payments/collections.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { walletToken } from '../payments/pay.ts';
import { expectRefused } from '../refusals.ts';
import {
  company,
  freshEmail,
  HOUR_MS,
  inHours,
  emailsTo,
  localFields,
  makeLocalAd,
  makeTimedAd,
  pay,
  signUp,
  timedFields,
} from './sign-up.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
beforeEach(async () => {
  await api.db.collection('ad_slots').deleteMany({});
});
afterAll(() => api.close());

const bookingOf = (_id: number) =>
  api.db.collection<BookingRow>('advertisement_bookings').findOne({ _id });
const listingOf = (_id: string) =>
  api.db.collection<ListingRow>('business_listings').findOne({ _id });
const paymentsOf = (advertisement_id: number | string) =>
  api.db.collection<AdPaymentRow>('ad_payments').find({ advertisement_id }).toArray();
const charged = async (advertisement_id: number | string) => {
  const ids = (await paymentsOf(advertisement_id)).map(({ _id }) => `advertisement-${_id}`);
  const paid = await api.db
    .collection<SandboxPaymentRow>('sandbox_payments')
    .find({ key: { $in: ids }, status: 'paid' })
    .toArray();
  return paid.map(({ amount_cents }) => amount_cents);
};
const png = async () => {
  const create = { width: 1_600, height: 800, channels: 3 as const, background: '#a06030' };
  return new Blob([new Uint8Array(await sharp({ create }).png().toBuffer())], {
    type: 'image/png',
  });
};

describe('signing up an advertiser', () => {
  test('stores all fields of a new advertiser', async () => {
    const { id, email } = await signUp(api, { email: 'Kim@Shop.Example' });
    const row = await api.db.collection<AdvertiserRow>('advertisers').findOne({ _id: id });
    expect(row).toMatchObject({ ...company, email: 'kim@shop.example' });
    expect(email).toBe('kim@shop.example');
  });

  test.each([
    [{ email: undefined }, 'Please fill in all required fields', ['email']],
    [{ email: ' ' }, 'Please fill in all required fields', ['email']],
    [{ company_name: '' }, 'Please fill in all required fields', ['company_name']],
    [{ contact_name: '  ' }, 'Please fill in all required fields', ['contact_name']],
    [{ email: 'kim' }, 'Invalid email', ['email']],
    [{ company_name: 'x'.repeat(101) }, 'Invalid input', ['company_name']],
    [{ contact_name: 'x'.repeat(101) }, 'Invalid input', ['contact_name']],
    [{ phone: '1'.repeat(21) }, 'Invalid input', ['phone']],
  ])('refuses to sign up an advertiser with %j', async (wrong, error, fields) => {
    const body = { ...company, email: freshEmail(), ...wrong } as never;
    const refused = api.visitor().call(createAdvertiser, { body });
    const words = Object.fromEntries(fields.map((field) => [field, error]));
    await expectRefused(refused, 400, { error, code: 'invalid_input', fields: words });
  });

  test('signs up an advertiser without a phone or billing address', async () => {
    const { id } = await signUp(api, { phone: '', billing_address: '' });
    const row = await api.db.collection<AdvertiserRow>('advertisers').findOne({ _id: id });
    expect(row).toMatchObject({ phone: null, billing_address: null });
  });

  test.each([
    { time_zone: 'Mars/Olympus' },
    { time_zone: 'Etc/Unknown' },
    { time_zone: undefined },
  ])('uses UTC for an advertiser with %j', async (zone) => {
    const { id } = await signUp(api, zone);
    const row = await api.db.collection<AdvertiserRow>('advertisers').findOne({ _id: id });
    expect(row?.time_zone).toBe('UTC');
  });

  test('going back updates the same advertiser', async () => {
    const first = await signUp(api);
    const again = await signUp(api, { email: first.email, company_name: 'Kibble Ltd' }, first);
    expect(again.id).toBe(first.id);
    const row = await api.db.collection<AdvertiserRow>('advertisers').findOne({ _id: first.id });
    expect(row?.company_name).toBe('Kibble Ltd');
    const both = await Promise.all([1, 2, 3].map(() => signUp(api, { email: first.email }, first)));
    expect(new Set(both.map(({ id }) => id))).toEqual(new Set([first.id]));
  });

  test('correcting the email keeps the ads and sends their emails to the new address', async () => {
    const wrong = await signUp(api);
    const start = { scheduled_start_at: inHours(24) };
    const id = await makeTimedAd(wrong, start);
    const local = await makeLocalAd(wrong);
    // An invalid token leaves a payment attempt of the first email.
    const nonsense = { advertiser_id: wrong.id, advertisement_id: id, payment_token: 'nonsense' };
    await expectRefused(wrong.call(payForAd, { body: nonsense }), 400);
    await api.db
      .collection<BookingRow>('advertisement_bookings')
      .updateOne({ _id: id }, { $set: { paying: null } });

    const right = await signUp(api, {}, wrong);
    expect(right.id).not.toBe(wrong.id);
    expect(await makeTimedAd(right, { ...start, advertisement_id: id })).toBe(id);
    expect(await makeLocalAd(right, { advertisement_id: local })).toBe(local);
    expect(await bookingOf(id)).toMatchObject({ advertiser_id: right.id });
    expect(await listingOf(local)).toMatchObject({ advertiser_id: right.id });
    await pay(api, right, id);
    expect(await charged(id)).toEqual([20_000]);
    await expect
      .poll(async () => (await emailsTo(api, right.email)).map(({ subject }) => subject))
      .toContain('Receipt: $200.00');
    expect(await emailsTo(api, wrong.email)).toEqual([]);
  });

  test('signing up with the email of another advertiser reveals nothing and gives no access', async () => {
    const first = await signUp(api);
    const id = await makeTimedAd(first);
    const stranger = await signUp(api, { email: first.email, company_name: 'Evil & Co' });
    expect(stranger.id).not.toBe(first.id);
    const row = await api.db.collection<AdvertiserRow>('advertisers').findOne({ _id: first.id });
    expect(row?.company_name).toBe(company.company_name);
    const notThere = { code: 'not_found' };
    for (const advertiser_id of [first.id, stranger.id]) {
      const body = { advertiser_id, advertisement_id: id };
      await expectRefused(stranger.call(checkAdPayment, { body }), 404, notThere);
      const payment = { ...body, payment_token: await walletToken(api, 'pays') };
      await expectRefused(stranger.call(payForAd, { body: payment }), 404, notThere);
      const changed = { ...timedFields(), advertiser_id, advertisement_id: id };
      await expectRefused(stranger.call(createTimedAd, { body: changed }), 404, notThere);
    }
    expect(await charged(id)).toEqual([]);
  });

  test('identifies an advertiser by the browser’s secret, not by an id', async () => {
    const first = await signUp(api);
    const visitor = api.visitor();
    const body = { ...timedFields(), advertiser_id: first.id };
    const error = 'Advertiser not found';
    await expectRefused(visitor.call(createTimedAd, { body }), 404, { error });
    const local = { ...localFields(), advertiser_id: first.id };
    await expectRefused(visitor.call(createLocationAd, { body: local }), 404, { error });
    visitor.jar.cookies.set('leashwise-advertiser', 'x'.repeat(43));
    await expectRefused(visitor.call(createTimedAd, { body }), 404, { error });
  });
});

describe('creating a timed ad', () => {
  test('stores a new timed ad unpaid and at the server’s price', async () => {
    const kim = await signUp(api);
    const start = inHours(24);
    const body = {
      ...timedFields({ scheduled_start_at: start }),
      advertiser_id: kim.id,
      cost_cents: 1,
      payment_status: 'completed',
      impressions: 9,
    };
    const { advertisement } = await kim.call(createTimedAd, { body });
    expect(advertisement).toEqual({
      id: expect.any(Number) as number,
      cost_cents: 20_000,
      review: 'after',
    });
    expect(await bookingOf(advertisement.id)).toMatchObject({
      advertiser_id: kim.id,
      title: 'Kibble, fresh',
      description: 'Around the corner from the park.',
      target_url: 'https://kibble.example/shop',
      placement: 'banner',
      scheduled_start_at: new Date(start),
      scheduled_end_at: new Date(Date.parse(start) + 4 * HOUR_MS),
      duration_hours: 4,
      cost_cents: 20_000,
      payment_status: 'pending',
      image_key: null,
      impressions: 0,
      clicks: 0,
    });
  });

  test.each([
    ['example.com', 'https://example.com'],
    ['www.kibble.example/shop?a=1', 'https://www.kibble.example/shop?a=1'],
    ['http://kibble.example', 'http://kibble.example'],
  ])('takes the address %s as people type it', async (target_url, stored) => {
    const id = await makeTimedAd(await signUp(api), { target_url });
    expect(await bookingOf(id)).toMatchObject({ target_url: stored });
  });

  test.each([
    [1, 20_000],
    [4, 20_000],
    [5, 40_000],
    [24, 120_000],
  ])('a timed ad of %i hours costs %i cents', async (duration_hours, cents) => {
    const id = await makeTimedAd(await signUp(api), { duration_hours });
    expect(await bookingOf(id)).toMatchObject({ duration_hours, cost_cents: cents });
  });

  const REQUIRED = 'Please fill in all advertisement details';
  test.each([
    [{ title: '' }, REQUIRED],
    [{ title: undefined }, REQUIRED],
    [{ description: ' ' }, REQUIRED],
    [{ target_url: '' }, REQUIRED],
    [{ scheduled_start_at: '' }, REQUIRED],
    [{ scheduled_start_at: undefined }, REQUIRED],
    [{ scheduled_start_at: inHours(-1) }, 'Scheduled start time must be in the future'],
    [{ scheduled_start_at: inHours(366 * 24) }, 'Scheduled start time must be within a year'],
    [{ scheduled_start_at: 'soon' }, 'Invalid input'],
    [{ target_url: 'kibble' }, 'Invalid url'],
    [{ target_url: 'javascript:alert(1)' }, 'Invalid url'],
    [{ title: 'x'.repeat(101) }, 'Invalid input'],
    [{ description: 'x'.repeat(501) }, 'Invalid input'],
    [{ duration_hours: 0 }, 'Invalid input'],
    [{ duration_hours: 25 }, 'Invalid input'],
    [{ placement: 'roof' }, 'Invalid input'],
  ])('refuses a timed ad with %j', async (wrong, error) => {
    const { call, id: advertiser_id } = await signUp(api);
    const body = { advertiser_id, ...timedFields(), ...wrong } as never;
    const [field = ''] = Object.keys(wrong);
    const fields = { [field]: error };
    await expectRefused(call(createTimedAd, { body }), 400, { error, fields });
  });

  test('resizes the image of a timed ad and serves it publicly', async () => {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim, { image_filename: 'shop.png' }, { file: await png() });
    const row = await bookingOf(id);
    expect(row).toMatchObject({ image_filename: 'shop.png', duration_hours: 4 });
    const url = `${api.origin}/api/public-files/${row?.image_key}`;
    const answer = await fetch(url);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    const { width, height } = await sharp(await answer.arrayBuffer()).metadata();
    expect([width, height]).toEqual([1_024, 512]);
    // Sent without an image, the ad has none.
    await makeTimedAd(kim, { advertisement_id: id });
    expect((await bookingOf(id))?.image_key).toBeNull();
  });

  test('accepts only images of at most 5 MB for a timed ad', async () => {
    const kim = await signUp(api);
    const text = new Blob(['<svg onload="alert(1)"/>'], { type: 'image/png' });
    await expectRefused(makeTimedAd(kim, {}, { file: text }), 415, {
      error: 'Please select an image file',
    });
    const large = new Blob([new Uint8Array(5 * 1024 * 1024)], { type: 'image/png' });
    await expectRefused(makeTimedAd(kim, {}, { file: large }), 413, {
      error: 'Image size must be less than 5MB',
    });
  });

  test('creates a timed ad once per Idempotency-Key, even concurrently', async () => {
    const kim = await signUp(api);
    const start = { scheduled_start_at: inHours(30) };
    const ids = await Promise.all(
      [1, 2, 3].map(() => makeTimedAd(kim, start, { idempotencyKey: 'once' })),
    );
    expect(new Set(ids).size).toBe(1);
    const mine = { advertiser_id: kim.id };
    expect(await api.db.collection('advertisement_bookings').countDocuments(mine)).toBe(1);
  });

  test('a timed ad can be edited until it is paid', async () => {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim);
    const changed = { advertisement_id: id, title: 'Better', placement: 'sidebar' as const };
    expect(await makeTimedAd(kim, changed)).toBe(id);
    expect(await bookingOf(id)).toMatchObject({ title: 'Better', placement: 'sidebar' });
    await pay(api, kim, id);
    await expectRefused(makeTimedAd(kim, { ...changed, title: 'Worse' }), 409);
    expect(await bookingOf(id)).toMatchObject({ title: 'Better', payment_status: 'completed' });
  });
});

describe('the time of an ad', () => {
  const start = inHours(48);
  const at = (hours: number) => new Date(Date.parse(start) + hours * HOUR_MS).toISOString();
  const findSlotAt = (scheduled_start_at: string, more: object = {}) =>
    api.call(findSlot, { query: { placement: 'banner', scheduled_start_at, ...more } });

  test('refuses a taken time before payment and suggests the next free one', async () => {
    const [kim, lee] = [await signUp(api), await signUp(api)];
    const id = await makeTimedAd(kim, { scheduled_start_at: start });
    await pay(api, kim, id);
    for (const hours of [-3.99, -2, 0, 1, 3.99]) {
      const refused = makeTimedAd(lee, { scheduled_start_at: at(hours) });
      await expectRefused(refused, 409, {
        code: 'slot_taken',
        error: 'This time is taken. Choose another one.',
        fields: { scheduled_start_at: at(4) },
      });
      expect(await findSlotAt(at(hours))).toEqual({ is_free: false, next_free_at: at(4) });
    }
    // The times right before and after are free, and so are other placements.
    expect(await findSlotAt(at(4))).toEqual({ is_free: true, next_free_at: at(4) });
    for (const hours of [-4, 4])
      await pay(api, lee, await makeTimedAd(lee, { scheduled_start_at: at(hours) }));
    await makeTimedAd(lee, { scheduled_start_at: start, placement: 'inline' });
    expect(await findSlotAt(at(-5))).toEqual({ is_free: false, next_free_at: at(8) });
    const own = {
      placement: 'banner' as const,
      scheduled_start_at: at(1),
      duration_hours: 1,
      advertisement_id: id,
    };
    expect(await kim.call(findSlot, { query: own })).toMatchObject({ is_free: true });
  });

  test('lists the times that other ads have, for a calendar, of a month at most', async () => {
    const kim = await signUp(api);
    for (const hours of [300, 340])
      await pay(api, kim, await makeTimedAd(kim, { scheduled_start_at: at(hours) }));
    const taken = (from: string, until: string) =>
      api.call(listTakenTimes, { query: { placement: 'banner', from, until } });
    expect(await taken(at(302), at(320))).toEqual({ taken: [{ start: at(300), end: at(304) }] });
    expect((await taken(at(290), at(350))).taken).toHaveLength(2);
    expect(await taken(at(305), at(330))).toEqual({ taken: [] });
    await expectRefused(taken(at(0), at(24 * 34)), 400);
  });

  test('shows an ad’s own time as free to its advertiser only', async () => {
    const [kim, lee] = [await signUp(api), await signUp(api)];
    const id = await makeTimedAd(kim, { scheduled_start_at: at(100) });
    await pay(api, kim, id);
    const query = { placement: 'banner' as const, scheduled_start_at: at(100) };
    const taken = { is_free: false, next_free_at: at(104) };
    for (const advertisement_id of [id, id + 1_000])
      for (const { call } of [lee, api])
        expect(await call(findSlot, { query: { ...query, advertisement_id } })).toEqual(taken);
    expect(await kim.call(findSlot, { query: { ...query, advertisement_id: id } })).toMatchObject({
      is_free: true,
    });
    const month = {
      placement: 'banner' as const,
      from: at(99),
      until: at(105),
      advertisement_id: id,
    };
    const times = [{ start: at(100), end: at(104) }];
    for (const { call } of [lee, api])
      expect(await call(listTakenTimes, { query: month })).toEqual({ taken: times });
    expect(await kim.call(listTakenTimes, { query: month })).toEqual({ taken: [] });
  });

  /** Returns the reserved and sold times of all placements. */
  const reservedTimes = async () =>
    (await api.db.collection<SlotsRow>('ad_slots').find().toArray()).flatMap(({ taken }) =>
      taken.filter(({ until }) => until === null || until > new Date()),
    );

  test('creating ads without payment reserves no time', async () => {
    const reserved = await reservedTimes();
    const when = { scheduled_start_at: at(200) };
    for (let tries = 0; tries < 5; tries++) {
      const attacker = await signUp(api);
      const id = await makeTimedAd(attacker, when);
      await makeTimedAd(attacker, { ...when, advertisement_id: id });
      await expectRefused(pay(api, attacker, id, { card: 'declined' }), 402);
      const nonsense = { advertiser_id: attacker.id, advertisement_id: id, payment_token: 'none' };
      await expectRefused(attacker.call(payForAd, { body: nonsense }), 400);
    }
    expect(await reservedTimes()).toEqual(reserved);
    expect(await findSlotAt(at(200))).toEqual({ is_free: true, next_free_at: at(200) });
    const kim = await signUp(api);
    const id = await makeTimedAd(kim, when);
    await pay(api, kim, id);
    expect(await charged(id)).toEqual([20_000]);
  });

  test('the first to pay gets the time, and later advertisers are charged nothing', async () => {
    const [kim, lee] = [await signUp(api), await signUp(api)];
    const id = await makeTimedAd(kim, { scheduled_start_at: at(220) });
    const other = await makeTimedAd(lee, { scheduled_start_at: at(221) });
    await pay(api, lee, other);
    await expectRefused(pay(api, kim, id), 409, { code: 'slot_taken' });
    expect(await charged(id)).toEqual([]);
    expect(await charged(other)).toEqual([20_000]);
    // With another time, the same ad can be paid.
    await makeTimedAd(kim, { scheduled_start_at: at(225), advertisement_id: id });
    await pay(api, kim, id);
    expect(await charged(id)).toEqual([20_000]);
  });

  test('one of ten simultaneous payments for a time succeeds, and the others charge nothing', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => signUp(api)));
    const ids = await Promise.all(
      people.map((person, n) =>
        makeTimedAd(person, { scheduled_start_at: at(n % 2), placement: 'inline' }),
      ),
    );
    const tries = await Promise.allSettled(
      people.map((person, n) => pay(api, person, ids[n] ?? 0)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    const charges = await Promise.all(ids.map(charged));
    expect(charges.flat()).toEqual([20_000]);
  });

  test('a pending payment reserves the time, and a failed one frees it', async () => {
    const [kim, lee] = [await signUp(api), await signUp(api)];
    const when = { scheduled_start_at: at(240) };
    const [id, other] = [await makeTimedAd(kim, when), await makeTimedAd(lee, when)];
    await expectRefused(pay(api, kim, id, { card: 'times-out' }), 503);
    await expectRefused(makeTimedAd(lee, { ...when, advertisement_id: other }), 409, {
      code: 'slot_taken',
      fields: { scheduled_start_at: at(244) },
    });
    await expectRefused(pay(api, lee, other), 409, { code: 'slot_taken' });
    await kim.call(checkAdPayment, { body: { advertiser_id: kim.id, advertisement_id: id } });
    await pay(api, lee, other);
    expect(await charged(other)).toEqual([20_000]);
    expect(await charged(id)).toEqual([]);
  });
});

describe('creating a listing', () => {
  test('stores a new listing unpaid and at the server’s price', async () => {
    const kim = await signUp(api);
    const id = await makeLocalAd(kim, { image_filename: 'a.png' }, { file: await png() });
    expect(await listingOf(id)).toMatchObject({
      advertiser_id: kim.id,
      business_name: 'Paws & Coffee',
      business_type: 'restaurant',
      place: { type: 'Point', coordinates: [-73.97, 40.78] },
      address: '1 Park Lane',
      phone: '+1 555 010 0100',
      website_url: 'https://coffee.example/',
      search_radius_miles: 5,
      monthly_cost_cents: 10_000,
      payment_status: 'pending',
      image_filename: 'a.png',
    });
  });

  test('a listing defaults to a restaurant within five miles', async () => {
    const kim = await signUp(api);
    const body = {
      advertiser_id: kim.id,
      business_name: 'Nameless',
      description: 'Here',
      latitude: '40.5',
      longitude: '-73.5',
      address: '',
      phone: '',
      website_url: '',
    };
    const { advertisement } = await kim.call(createLocationAd, { body });
    expect(await listingOf(advertisement.id)).toMatchObject({
      business_type: 'restaurant',
      search_radius_miles: 5,
      address: null,
      phone: null,
      website_url: null,
    });
  });

  const REQUIRED = 'Please fill in all location advertisement details';
  test.each([
    [{ business_name: '' }, REQUIRED],
    [{ description: undefined }, REQUIRED],
    [{ latitude: '' }, REQUIRED],
    [{ latitude: undefined }, REQUIRED],
    [{ longitude: '' }, REQUIRED],
    [{ latitude: 90.1 }, 'Invalid input'],
    [{ longitude: '-180.5' }, 'Invalid input'],
    [{ latitude: 'north' }, 'Invalid input'],
    [{ business_name: 'x'.repeat(101) }, 'Invalid input'],
    [{ description: 'x'.repeat(501) }, 'Invalid input'],
    [{ address: 'x'.repeat(201) }, 'Invalid input'],
    [{ phone: '1'.repeat(21) }, 'Invalid input'],
    [{ website_url: 'coffee' }, 'Invalid url'],
    [{ search_radius_miles: 0 }, 'Invalid input'],
    [{ search_radius_miles: 50.1 }, 'Invalid input'],
    [{ search_radius_miles: 1.25 }, 'Invalid input'],
    [{ business_type: 'casino' }, 'Invalid input'],
  ])('refuses a listing with %j', async (wrong, error) => {
    const { call, id: advertiser_id } = await signUp(api);
    const body = { advertiser_id, ...localFields(), ...wrong } as never;
    const [field = ''] = Object.keys(wrong);
    const fields = { [field]: error };
    await expectRefused(call(createLocationAd, { body }), 400, { error, fields });
  });

  test('creates a listing once per Idempotency-Key, editable until it is paid', async () => {
    const kim = await signUp(api);
    const ids = await Promise.all(
      [1, 2].map(() => makeLocalAd(kim, {}, { idempotencyKey: 'once' })),
    );
    const [id = ''] = ids;
    expect(ids).toEqual([id, id]);
    expect(await makeLocalAd(kim, { advertisement_id: id, business_name: 'New' })).toBe(id);
    expect((await listingOf(id))?.business_name).toBe('New');
    const stranger = makeLocalAd(await signUp(api), { advertisement_id: id });
    await expectRefused(stranger, 404, { error: 'Advertisement not found' });
    await pay(api, kim, id);
    await expectRefused(makeLocalAd(kim, { advertisement_id: id }), 409);
  });
});

describe('paying for an ad', () => {
  test('paying schedules a timed ad and emails a confirmation and a receipt', async () => {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim, { scheduled_start_at: inHours(20) });
    expect(await pay(api, kim, id)).toEqual({ success: true, error: null });
    expect(await bookingOf(id)).toMatchObject({ payment_status: 'completed', cancelled_at: null });
    expect(await paymentsOf(id)).toMatchObject([
      {
        advertiser_id: kim.id,
        amount_cents: 20_000,
        currency: 'USD',
        payment_provider: 'sandbox',
        payment_id: expect.stringMatching(/^sip_/) as string,
        payment_status: 'completed',
        ip_address: expect.stringMatching(/127\.0\.0\.1$/) as string,
        user_agent: expect.stringMatching(/\w/) as string,
        email: null,
      },
    ]);
    await expect.poll(() => emailsTo(api, kim.email)).toHaveLength(2);
    const emails = await emailsTo(api, kim.email);
    expect(emails.map(({ subject }) => subject).toSorted()).toEqual([
      'Receipt: $200.00',
      'Your ad is scheduled',
    ]);
    for (const { text } of emails) {
      expect(text).toContain('Kibble, fresh');
      expect(text).toMatch(/http:\/\/localhost:3000\/advertiser#[\w-]+\.\w+\.[\w-]+/);
    }
    expect(emails.map(({ text }) => text).join()).toMatch(/E[SD]T/);
  });

  test('paying starts a month of a listing', async () => {
    const kim = await signUp(api);
    const id = await makeLocalAd(kim);
    await pay(api, kim, id);
    const row = await listingOf(id);
    const start = row?.subscription_start_date?.getTime() ?? 0;
    expect(row?.payment_status).toBe('completed');
    expect((row?.subscription_end_date?.getTime() ?? 0) - start).toBe(30 * 24 * HOUR_MS);
    expect(await charged(id)).toEqual([10_000]);
    await expect
      .poll(async () => (await emailsTo(api, kim.email)).map(({ subject }) => subject).toSorted())
      .toEqual(['Receipt: $100.00', 'Your business is listed']);
  });

  test('paying repeatedly, concurrently, or with another token charges once', async () => {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim, { scheduled_start_at: inHours(26) });
    const both = await Promise.all([pay(api, kim, id), pay(api, kim, id)]);
    expect(both).toEqual([
      { success: true, error: null },
      { success: true, error: null },
    ]);
    expect(await pay(api, kim, id)).toEqual({ success: true, error: null });
    expect(await charged(id)).toEqual([20_000]);
    const local = await makeLocalAd(kim);
    await pay(api, kim, local);
    await pay(api, kim, local);
    expect(await charged(local)).toEqual([10_000]);
  });

  test('a declined card charges nothing, reserves no time, and allows another attempt', async () => {
    const kim = await signUp(api);
    const start = { scheduled_start_at: inHours(27) };
    const id = await makeTimedAd(kim, start);
    const check = () =>
      kim.call(checkAdPayment, { body: { advertiser_id: kim.id, advertisement_id: id } });
    await expectRefused(pay(api, kim, id, { card: 'declined' }), 402, {
      code: 'payment_declined',
      error: 'Payment processing failed',
    });
    expect(await bookingOf(id)).toMatchObject({ payment_status: 'failed', paying: null });
    expect(await check()).toEqual({ payment_status: 'failed' });
    expect(await makeTimedAd(await signUp(api), start)).not.toBe(id);
    await pay(api, kim, id);
    expect(await check()).toEqual({ payment_status: 'completed' });
    expect(await charged(id)).toEqual([20_000]);
    expect((await paymentsOf(id)).map(({ payment_status }) => payment_status).toSorted()).toEqual([
      'completed',
      'failed',
    ]);
  });

  test('a status check settles a payment whose response was lost', async () => {
    const kim = await signUp(api);
    const [lost, never] = [
      await makeTimedAd(kim, { scheduled_start_at: inHours(31) }),
      await makeTimedAd(kim, { scheduled_start_at: inHours(36) }),
    ];
    const check = async (advertisement_id: number) =>
      (await kim.call(checkAdPayment, { body: { advertiser_id: kim.id, advertisement_id } }))
        .payment_status;
    await expectRefused(pay(api, kim, lost, { card: 'answer-lost' }), 503, {
      code: 'payment_unsettled',
    });
    expect(await check(lost)).toBe('completed');
    expect(await bookingOf(lost)).toMatchObject({ payment_status: 'completed' });
    await expectRefused(pay(api, kim, never, { card: 'times-out' }), 503);
    expect(await check(never)).toBe('failed');
    expect(await charged(never)).toEqual([]);
    // A payment that was never submitted charges nothing.
    const fresh = await makeTimedAd(kim, { scheduled_start_at: inHours(41) });
    expect(await check(fresh)).toBe('failed');
  });

  test('the background job settles an abandoned payment', async () => {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim, { scheduled_start_at: inHours(46) });
    await expectRefused(pay(api, kim, id, { card: 'answer-lost' }), 503);
    await api.runJobs();
    await expect.poll(async () => (await bookingOf(id))?.payment_status).toBe('completed');
  });

  test('accepts each payment token of the gateway for one ad only', async () => {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim, { scheduled_start_at: inHours(51) });
    const local = await makeLocalAd(kim);
    const payment_token = await walletToken(api, 'pays');
    const body = { payment_token, advertiser_id: kim.id, advertisement_id: id };
    const nonsense = { ...body, payment_token: 'nonsense' };
    await expectRefused(kim.call(payForAd, { body: nonsense }), 400, { code: 'payment_token' });
    await kim.call(payForAd, { body });
    const other = { ...body, advertisement_id: local };
    await expectRefused(kim.call(payForAd, { body: other }), 409, { code: 'payment_token_used' });
    expect(await charged(local)).toEqual([]);
  });

  test('deletes payment attempts with invalid tokens after a week', async () => {
    const kim = await signUp(api);
    const local = await makeLocalAd(kim);
    const body = { payment_token: 'none', advertiser_id: kim.id, advertisement_id: local };
    await expectRefused(kim.call(payForAd, { body }), 400);
    const week = new Date(Date.now() - 8 * 24 * HOUR_MS);
    await api.db
      .collection<AdPaymentRow>('ad_payments')
      .updateMany({ advertisement_id: local }, { $set: { created_at: week } });
    await api.runJobs();
    await expect.poll(() => paymentsOf(local)).toEqual([]);
    await pay(api, kim, local);
    expect(await charged(local)).toEqual([10_000]);
  });

  test('invalid and used tokens don’t extend a reservation', async () => {
    const kim = await signUp(api);
    const paid = await makeLocalAd(kim);
    const used = await walletToken(api, 'pays');
    await kim.call(payForAd, {
      body: { payment_token: used, advertiser_id: kim.id, advertisement_id: paid },
    });
    const id = await makeTimedAd(kim, { scheduled_start_at: inHours(61) });
    const ownSlots = () => api.db.collection('ad_slots').find({ 'taken.ad': id }).toArray();
    const before = await ownSlots();
    for (const payment_token of ['nonsense', used]) {
      const body = { payment_token, advertiser_id: kim.id, advertisement_id: id };
      await expectRefused(kim.call(payForAd, { body }), payment_token === used ? 409 : 400, {});
      expect(await ownSlots()).toEqual(before);
    }
  });

  test('refuses to pay for a time that has begun, and charges nothing', async () => {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim, { scheduled_start_at: inHours(56) });
    await api.db
      .collection<BookingRow>('advertisement_bookings')
      .updateOne({ _id: id }, { $set: { scheduled_start_at: new Date(Date.now() - 1_000) } });
    await expectRefused(pay(api, kim, id), 409, {
      code: 'slot_late',
      error: 'Scheduled start time must be in the future',
    });
    expect(await charged(id)).toEqual([]);
  });

  test('refuses to pay for an unknown ad', async () => {
    const kim = await signUp(api);
    const notThere = { error: 'Advertisement not found' };
    await expectRefused(pay(api, kim, 999_999), 404, notThere);
    await expectRefused(pay(api, kim, 'listing-none'), 404, notThere);
  });

  test('a paid ad appears in its slot at its start', async () => {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim, { placement: 'sidebar' }, { file: await png() });
    await pay(api, kim, id);
    const shown = async () =>
      (await api.call(listPaidAds, { query: { placement: 'sidebar' } })).ads;
    expect(await shown()).toEqual([]);
    await api.db
      .collection<BookingRow>('advertisement_bookings')
      .updateOne({ _id: id }, { $set: { scheduled_start_at: new Date() } });
    const [ad] = await shown();
    expect(ad).toMatchObject({ id, title: 'Kibble, fresh' });
    expect((await fetch(`${api.origin}${ad?.image_url}`)).status).toBe(200);
  });
});

test('without payments, advertisers can sign up but get an error when they pay', async () => {
  await api.restartApi({
    ALLOW_SANDBOX: 'false',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
  });
  try {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim, { scheduled_start_at: inHours(90) });
    const body = { payment_token: 'a token', advertiser_id: kim.id, advertisement_id: id };
    await expectRefused(kim.call(payForAd, { body }), 503, { code: 'payments_off' });
    const which = { advertiser_id: kim.id, advertisement_id: id };
    await expectRefused(kim.call(checkAdPayment, { body: which }), 503, { code: 'payments_off' });
  } finally {
    await api.restartApi();
  }
});

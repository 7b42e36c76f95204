import { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { getAccess, validateCode } from '#shared/access-gate/contract.ts';
import { payForAd } from '#shared/advertisers/contract.ts';
import { cancelTimedAd, getDashboard } from '#shared/advertisers/dashboard-contract.ts';
import { LISTING_DAYS } from '#shared/advertisers/rules.ts';
import { health } from '#shared/health/contract.ts';
import { getDonation } from '#shared/payments/admin-contract.ts';
import {
  checkDonation,
  createDonation,
  googlePayConfig,
  processDonation,
} from '#shared/payments/contract.ts';
import { createSession, me } from '#shared/session/contract.ts';
import type { ListingRow } from '../../api/features/ads/collections.ts';
import type { DonationRow } from '../../api/features/payments/collections.ts';
import { DAY_MS, inHours, makeLocalAd, makeTimedAd, signUp } from '../advertisers/sign-up.ts';
import { codeFor, startTestApi, type TestApi } from '../api.ts';
import { makeCode } from '../factories.ts';
import { expectRefused } from '../refusals.ts';
import { donate, handIn, type Payer } from './pay.ts';
import { startStripeEmulator, type StripeEmulator } from './stripe-emulator.ts';

const WEBHOOK_SECRET = 'whsec_of_the_tests';
const KEYS = {
  STRIPE_SECRET_KEY: 'sk_test_secret',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_public',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
};

let stripe: StripeEmulator;
let api: TestApi;
let payer: Payer;
let tokens = 0;
beforeAll(async () => {
  stripe = await startStripeEmulator();
  api = await startTestApi(inject('mongodbUri'), { ...KEYS, STRIPE_API_URL: stripe.url });
});
beforeEach(() => {
  payer = api.visitor();
  stripe.seen.length = 0;
});
afterAll(async () => {
  await api.close();
  await stripe.close();
});

/** A token of Google Pay for the gateway `stripe`. */
const token = (kind = 'visa') =>
  JSON.stringify({ id: `tok_${kind}${++tokens}`, object: 'token', type: 'card' });
const rowOf = (id: string) => api.db.collection<DonationRow>('donations').findOne({ _id: id });
const intentOf = async (id: string) =>
  stripe.intents.get((await rowOf(id))?.payment_id ?? '') ?? expect.fail('no intent');
const check = (donation_id: string) => payer.call(checkDonation, { body: { donation_id } });
const calls = () => stripe.seen.map(({ call }) => call.replace(/pi_\d+/, 'ID'));

let events = 0;
/** Sends an event as Stripe does. @param header replaces the correct signature */
async function sendEvent(
  type: string,
  object: Record<string, unknown>,
  { id = `evt_${++events}`, header }: { id?: string; header?: string } = {},
): Promise<number> {
  const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
  const signature =
    header ?? Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
  const response = await fetch(`${api.origin}/api/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  });
  return response.status;
}
/** Refunds a donation at Stripe and returns the charge of its event. */
async function refund(id: string) {
  const intent = await intentOf(id);
  stripe.refund(intent.id, intent.amount);
  return { object: 'charge', id: `ch_${intent.id}`, payment_intent: intent.id, refunded: true };
}

test('the wallet configuration names Stripe, and payments are not simulated', async () => {
  const config = await api.call(googlePayConfig);
  expect(config).toMatchObject({
    environment: 'TEST',
    gateway: 'stripe',
    is_sandbox: false,
    tokenization_parameters: { gateway: 'stripe', 'stripe:publishableKey': 'pk_test_public' },
  });
  expect(config.tokenization_parameters['stripe:version']).toMatch(/^\d{4}-\d\d-\d\d/);
  expect((await api.call(health)).sandbox_providers).not.toContain('google-pay');
  expect((await fetch(`${api.origin}/api/sandbox/google-pay/pay.js`)).status).toBe(404);
});

test('creates and confirms a payment intent, each with its own idempotency key', async () => {
  const { donation } = await payer.call(createDonation, {
    body: { amount_cents: 100, email: 'kim@example.com' },
  });
  const answer = await handIn(payer, donation.id, token());
  expect(answer).toEqual({ success: true, access_code: expect.stringMatching(/^PAW/) as string });
  const [opened, confirmed] = stripe.seen;
  expect(opened?.call).toBe('POST /v1/payment_intents');
  expect(Object.fromEntries(opened?.form ?? [])).toMatchObject({
    amount: '100',
    currency: 'usd',
    'metadata[payment]': `donation-${donation.id}`,
    receipt_email: 'kim@example.com',
    'allowed_payment_method_types[0]': 'card',
  });
  expect(opened?.key).toBe(`donation-${donation.id}`);
  expect(confirmed?.call).toMatch(/^POST \/v1\/payment_intents\/pi_\d+\/confirm$/);
  expect(Object.fromEntries(confirmed?.form ?? [])).toMatchObject({
    'payment_method_data[type]': 'card',
    'payment_method_data[card][token]': `tok_visa${tokens}`,
    error_on_requires_action: 'true',
  });
  expect(confirmed?.key).toBeTruthy();
  expect(await rowOf(donation.id)).toMatchObject({
    payment_status: 'completed',
    payment_provider: 'stripe',
    payment_id: (await intentOf(donation.id)).id,
  });
});

test('accepts a Stripe token as an object and rejects other tokens', async () => {
  const body = { donation_id: await donate(payer), payment_token: { id: `tok_object${++tokens}` } };
  expect((await payer.call(processDonation, { body })).success).toBe(true);
  for (const wrong of ['examplePaymentMethodToken', '{"id":"pm_1"}', '{"id":"tok_1/../x"}'])
    await expectRefused(handIn(payer, await donate(payer), wrong), 400, { code: 'payment_token' });
});

test('charges a card by a token of Stripe’s own form, once', async () => {
  expect((await payer.call(googlePayConfig)).card_form_key).toMatch(/^pk_/);
  const id = await donate(payer);
  const answer = await handIn(payer, id, `{"id":"ctoken_visa${++tokens}"}`);
  expect(answer).toMatchObject({ success: true });
  const confirmed = stripe.seen.at(-2);
  expect(Object.fromEntries(confirmed?.form ?? [])).toEqual({
    confirmation_token: `ctoken_visa${tokens}`,
    error_on_requires_action: 'true',
  });
  // Stripe’s answer to a card that asks for a step at the bank.
  await expectRefused(handIn(payer, await donate(payer), '{"id":"ctoken_declined1"}'), 402, {
    error: 'Payment processing failed',
  });
});

test('cancels the payment intent of a declined card before it responds', async () => {
  const id = await donate(payer);
  await expectRefused(handIn(payer, id, token('declined')), 402, {
    error: 'Payment processing failed',
    code: 'payment_declined',
  });
  expect((await intentOf(id)).status).toBe('canceled');
  expect(calls().slice(0, 4)).toEqual([
    'POST /v1/payment_intents',
    'POST /v1/payment_intents/ID/confirm',
    'GET /v1/payment_intents/ID',
    'POST /v1/payment_intents/ID/cancel',
  ]);
});

describe('when the outcome at Stripe is unknown', () => {
  const unsettled = { error: 'Payment processing failed', code: 'payment_unsettled' };

  test.each(['rate-limited', 'broken', 'hangs-up'] as const)(
    'a check fails an uncharged payment after an error (%s)',
    async (trouble) => {
      stripe.troubles.push(trouble, trouble);
      const id = await donate(payer);
      await expectRefused(handIn(payer, id, token()), 503, unsettled);
      stripe.troubles.length = 0;
      expect(await check(id)).toEqual({ payment_status: 'failed', access_code: null });
      expect((await intentOf(id)).status).toBe('canceled');
    },
  );

  test.each(['hangs-up-after', 'malformed'] as const)(
    'a check finds the charge after a lost response (%s)',
    async (trouble) => {
      stripe.troubles.push(trouble, trouble);
      const id = await donate(payer);
      await expectRefused(handIn(payer, id, token()), 503, unsettled);
      stripe.troubles.length = 0;
      const found = await check(id);
      expect(found).toMatchObject({ payment_status: 'completed' });
      expect(found.access_code).toMatch(/^PAW/);
    },
  );

  test('retries a lost response under the same idempotency key', async () => {
    stripe.troubles.push('hangs-up-after');
    const id = await donate(payer);
    expect((await handIn(payer, id, token())).success).toBe(true);
    const confirms = stripe.seen.filter(({ call }) => call.endsWith('/confirm'));
    expect(confirms).toHaveLength(2);
    expect(new Set(confirms.map(({ key }) => key)).size).toBe(1);
  });

  test('sending the same token again finds the charge', async () => {
    stripe.troubles.push('malformed');
    const id = await donate(payer);
    const sent = token();
    await expectRefused(handIn(payer, id, sent), 503, unsettled);
    expect((await handIn(payer, id, sent)).access_code).toMatch(/^PAW/);
  });

  test('an event of Stripe settles a payment that was processing', async () => {
    const id = await donate(payer);
    await expectRefused(handIn(payer, id, token('slow')), 503, unsettled);
    expect((await check(id)).payment_status).toBe('pending');
    const intent = await intentOf(id);
    intent.status = 'succeeded';
    expect(await sendEvent('payment_intent.succeeded', { ...intent })).toBe(200);
    expect(await rowOf(id)).toMatchObject({ payment_status: 'completed', is_settled: true });
    expect((await check(id)).access_code).toMatch(/^PAW/);
  });
});

describe('a refund', () => {
  test('a refund revokes the code and its access, also when its event is repeated or late', async () => {
    const id = await donate(payer);
    const code = (await handIn(payer, id, token())).access_code ?? '';
    await payer.call(validateCode, { body: { code } });
    await payer.call(createSession, {
      body: await codeFor(api.origin, payer.call, 'refunded@example.com'),
    });
    expect((await payer.call(me)).has_access).toBe(true);
    const charge = await refund(id);
    expect(await sendEvent('charge.refunded', charge, { id: 'evt_twice' })).toBe(200);
    expect(await sendEvent('charge.refunded', charge, { id: 'evt_twice' })).toBe(200);
    expect(await sendEvent('payment_intent.succeeded', { ...(await intentOf(id)) })).toBe(200);
    expect((await rowOf(id))?.payment_status).toBe('refunded');
    await expect.poll(async () => (await payer.call(me)).has_access).toBe(false);
    await expectRefused(payer.call(validateCode, { body: { code } }), 400, {
      code: 'invalid_code',
    });
    await expectRefused(handIn(payer, id, token()), 409, {
      error: 'Payment processing failed',
      code: 'payment_refunded',
    });
    expect(await check(id)).toEqual({ payment_status: 'refunded', access_code: null });
  });

  test('a refund of one of two donations leaves the access of the other', async () => {
    const person = await api.as('two-donations@example.com', { access: false });
    const ids = [await donate(person), await donate(person)];
    for (const id of ids) {
      const code = (await handIn(person, id, token())).access_code ?? '';
      await person.call(validateCode, { body: { code } });
    }
    await sendEvent('charge.refunded', await refund(ids[1] ?? ''));
    await expect.poll(async () => (await rowOf(ids[1] ?? ''))?.is_settled).toBe(true);
    expect((await person.call(me)).has_access).toBe(true);
    await sendEvent('charge.refunded', await refund(ids[0] ?? ''));
    await expect.poll(async () => (await person.call(me)).has_access).toBe(false);
  });

  test('a refund before the donor signs in leaves them without access', async () => {
    const id = await donate(payer);
    const code = (await handIn(payer, id, token())).access_code ?? '';
    await payer.call(validateCode, { body: { code } });
    await sendEvent('charge.refunded', await refund(id));
    const body = await codeFor(api.origin, payer.call, 'too-late@example.com');
    expect((await payer.call(createSession, { body })).user.has_access).toBe(false);
  });

  test('a partial refund is recorded and leaves the code and the access', async () => {
    const person = await api.as('part@example.com', { access: false });
    const id = await donate(person);
    const code = (await handIn(person, id, token())).access_code ?? '';
    await person.call(validateCode, { body: { code } });
    const intent = await intentOf(id);
    stripe.refund(intent.id, 40);
    stripe.refund(intent.id, 20);
    const part = (amount_refunded: number) =>
      sendEvent('charge.refunded', {
        object: 'charge',
        id: `ch_${intent.id}`,
        payment_intent: intent.id,
        refunded: false,
        amount_refunded,
      });
    expect(await part(60)).toBe(200);
    // An older event, delivered late.
    expect(await part(40)).toBe(200);
    expect(await rowOf(id)).toMatchObject({
      payment_status: 'completed',
      provider_state: 'partly_refunded',
      returned_cents: 60,
      is_settled: true,
    });
    expect((await person.call(me)).has_access).toBe(true);
    expect(await person.call(checkDonation, { body: { donation_id: id } })).toEqual({
      payment_status: 'completed',
      access_code: code,
    });
    const admin = await api.asAdmin();
    const { donation } = await admin.call(getDonation, { params: { id } });
    expect(donation).toMatchObject({ payment_status: 'completed', returned_cents: 60 });
    // Refunding the rest revokes the code.
    stripe.refund(intent.id, 40);
    await part(100);
    await expect.poll(async () => (await person.call(me)).has_access).toBe(false);
  });

  test('a refund event before the payment was recorded leaves the donation without a usable code', async () => {
    stripe.troubles.push('hangs-up-after', 'hangs-up-after');
    const id = await donate(payer);
    await expectRefused(handIn(payer, id, token()), 503);
    stripe.troubles.length = 0;
    await sendEvent('charge.refunded', await refund(id));
    expect(await check(id)).toEqual({ payment_status: 'refunded', access_code: null });
    const codes = api.db.collection<{ _id: string; is_active: boolean }>('access_codes');
    expect((await codes.findOne({ _id: `donation-${id}` }))?.is_active).toBe(false);
  });
});

describe('payments for ads', () => {
  test('refunds an ad at Stripe once when it is canceled, and cancels an ad that Stripe refunded', async () => {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim);
    const body = { payment_token: token(), advertiser_id: kim.id, advertisement_id: id };
    expect(await kim.call(payForAd, { body })).toEqual({ success: true, error: null });
    await kim.call(cancelTimedAd, { params: { id } });
    const refunds = stripe.seen.filter(({ call }) => call === 'POST /v1/refunds');
    const intent = [...stripe.intents.values()].findLast(
      ({ metadata }) => metadata['payment'] === `advertisement-${id}.0.1`,
    );
    expect(intent).toMatchObject({ amount: 20_000, latest_charge: { refunded: true } });
    expect(refunds.map(({ form, key }) => [form.get('payment_intent'), key])).toEqual([
      [intent?.id, `refund-${intent?.id}`],
    ]);
    expect((await kim.call(getDashboard)).ads).toMatchObject([{ id, status: 'cancelled' }]);

    // A refund started at Stripe cancels the ad, too.
    const other = await makeTimedAd(kim);
    const again = { ...body, advertisement_id: other, payment_token: token() };
    await kim.call(payForAd, { body: again });
    const paid = [...stripe.intents.values()].findLast(
      ({ metadata }) => metadata['payment'] === `advertisement-${other}.0.1`,
    );
    stripe.refund(paid?.id ?? '', 20_000);
    const charge = { object: 'charge', id: 'ch_other', payment_intent: paid?.id, refunded: true };
    expect(await sendEvent('charge.refunded', charge)).toBe(200);
    const [newest] = (await kim.call(getDashboard)).ads;
    expect(newest).toMatchObject({ id: other, status: 'cancelled', spent_cents: 0 });
  });
});

test('a partial refund leaves an ad running and is not counted as spent', async () => {
  const kim = await signUp(api);
  const id = await makeTimedAd(kim);
  await kim.call(payForAd, {
    body: { payment_token: token(), advertiser_id: kim.id, advertisement_id: id },
  });
  const paid = [...stripe.intents.values()].findLast(
    ({ metadata }) => metadata['payment'] === `advertisement-${id}.0.1`,
  );
  stripe.refund(paid?.id ?? '', 5_000);
  const charge = { object: 'charge', id: 'ch_part', payment_intent: paid?.id, refunded: false };
  expect(await sendEvent('charge.refunded', { ...charge, amount_refunded: 5_000 })).toBe(200);
  const dashboard = await kim.call(getDashboard);
  expect(dashboard.ads).toMatchObject([{ id, status: 'scheduled', spent_cents: 15_000 }]);
  expect(dashboard.payments).toMatchObject([
    { payment_status: 'completed', amount_cents: 20_000, returned_cents: 5_000 },
  ]);
});

describe('what the banks do with the money afterward', () => {
  /** Someone with access by a donation, and what they and admins see of it. */
  async function donor(name: string) {
    const person = await api.as(`${name}@example.com`, { access: false });
    const id = await donate(person);
    const code = (await handIn(person, id, token())).access_code ?? '';
    await person.call(validateCode, { body: { code } });
    const admin = await api.asAdmin();
    const { id: intent } = await intentOf(id);
    const states = async () => {
      const { donation } = await admin.call(getDonation, { params: { id } });
      const access = await person.call(getAccess);
      expect(access.donation?.provider_state).toBe(donation.provider_state);
      const { has_access } = await person.call(me);
      return [donation.payment_status, donation.provider_state, has_access, access.reason];
    };
    return { person, id, intent, code, states };
  }

  test('a lost dispute ends the access that was paid with it, and a won one keeps it', async () => {
    const { intent, states } = await donor('disputes');
    for (const status of [
      'warning_needs_response',
      'needs_response',
      'under_review',
      'a new one',
    ]) {
      await sendEvent('charge.dispute.updated', { ...stripe.dispute(intent, status) });
      expect(await states()).toEqual(['completed', 'disputed', true, null]);
    }
    await sendEvent('charge.dispute.closed', { ...stripe.dispute(intent, 'won') });
    expect(await states()).toEqual(['completed', 'dispute_won', true, null]);
    await sendEvent('charge.dispute.created', { ...stripe.dispute(intent, 'needs_response') });
    await sendEvent('charge.dispute.closed', { ...stripe.dispute(intent, 'lost') });
    expect(await states()).toEqual(['refunded', 'dispute_lost', false, 'refunded']);
    // An appeal gives nothing back before it is won.
    await sendEvent('charge.dispute.updated', { ...stripe.dispute(intent, 'appeal_under_review') });
    expect(await states()).toEqual(['refunded', 'dispute_lost', false, 'refunded']);
    await sendEvent('charge.dispute.closed', { ...stripe.dispute(intent, 'won') });
    expect(await states()).toEqual(['completed', 'dispute_won', true, null]);
  });

  test('a refund that fails restores the code and the access', async () => {
    const { person, id, intent, code, states } = await donor('refund-failed');
    const pending = stripe.refund(intent, 100, 'pending');
    await sendEvent('charge.refunded', { object: 'charge', payment_intent: intent });
    expect(await states()).toEqual(['refunded', 'refund_pending', false, 'refunded']);
    await sendEvent('refund.failed', { ...stripe.refund(intent, 100, 'failed', pending.id) });
    expect(await states()).toEqual(['completed', 'refund_failed', true, null]);
    expect(await rowOf(id)).toMatchObject({ returned_cents: 0, access_code_granted: code });
    expect((await person.call(validateCode, { body: { code } })).code).toBe(code);
    // A late event of the refund changes nothing.
    await sendEvent('charge.refunded', { object: 'charge', payment_intent: intent });
    expect(await states()).toEqual(['completed', 'refund_failed', true, null]);
    await sendEvent('refund.updated', { ...stripe.refund(intent, 100, 'succeeded') });
    expect(await states()).toEqual(['refunded', 'refunded', false, 'refunded']);
  });

  test('a code that an admin deactivated before a refund stays so after it failed', async () => {
    const { id, intent, states } = await donor('deactivated');
    const codes = api.db.collection<{ _id: string; is_active: boolean }>('access_codes');
    await codes.updateOne({ _id: `donation-${id}` }, { $set: { is_active: false } });
    const refunded = stripe.refund(intent, 100);
    await sendEvent('refund.created', { ...refunded });
    await sendEvent('refund.failed', { ...stripe.refund(intent, 100, 'failed', refunded.id) });
    expect(await states()).toEqual(['completed', 'refund_failed', true, null]);
    const code = await codes.findOne({ _id: `donation-${id}` });
    expect(code).toMatchObject({ is_active: false });
    expect(code).not.toHaveProperty('revoked_at');
  });

  /** An advertiser with a paid ad, and its payment at Stripe. */
  async function paidAd(days: number) {
    const kim = await signUp(api);
    const id = await makeTimedAd(kim, { scheduled_start_at: inHours(24 * days) });
    const body = { payment_token: token(), advertiser_id: kim.id, advertisement_id: id };
    await kim.call(payForAd, { body });
    const intent = [...stripe.intents.values()].findLast(
      ({ metadata }) => metadata['payment'] === `advertisement-${id}.0.1`,
    );
    const states = async () => {
      const { ads, payments } = await kim.call(getDashboard);
      return [ads[0]?.status, payments[0]?.payment_status, payments[0]?.provider_state];
    };
    return { kim, id, intent: intent?.id ?? '', states };
  }

  test('a lost dispute takes the month of a listing back, and an appeal that is won restores it, once', async () => {
    const kim = await signUp(api);
    const id = await makeLocalAd(kim);
    const payMonth = async (period: number) => {
      const body = { payment_token: token(), advertiser_id: kim.id, advertisement_id: id, period };
      await kim.call(payForAd, { body });
    };
    await payMonth(0);
    await payMonth(1);
    const intent =
      [...stripe.intents.values()].findLast(
        ({ metadata }) => metadata['payment'] === `advertisement-${id}.1.1`,
      )?.id ?? '';
    const listings = api.db.collection<ListingRow>('business_listings');
    const end = async () => (await listings.findOne({ _id: id }))?.subscription_end_date;
    const paidUntil = (await end()) ?? new Date(0);
    const state = async () => {
      const { listings: own, payments } = await kim.call(getDashboard);
      const stateOfMonth = payments.find(({ payment_id }) => payment_id === intent);
      return [own[0]?.status, stateOfMonth?.provider_state, await end()];
    };
    await sendEvent('charge.dispute.created', { ...stripe.dispute(intent, 'needs_response') });
    expect(await state()).toEqual(['active', 'disputed', paidUntil]);
    const lost = { ...stripe.dispute(intent, 'lost') };
    for (let times = 0; times < 2; times++) await sendEvent('charge.dispute.closed', lost);
    const oneMonthLess = new Date(paidUntil.getTime() - LISTING_DAYS * DAY_MS);
    expect(await state()).toEqual(['active', 'dispute_lost', oneMonthLess]);
    const won = { ...stripe.dispute(intent, 'won') };
    for (let times = 0; times < 2; times++) await sendEvent('charge.dispute.closed', won);
    expect(await state()).toEqual(['active', 'dispute_won', paidUntil]);
  });

  test('a lost dispute ends an ad and frees its time, and an appeal that is won brings it back', async () => {
    const { id, intent, states } = await paidAd(9);
    await sendEvent('charge.dispute.created', { ...stripe.dispute(intent, 'needs_response') });
    expect(await states()).toEqual(['scheduled', 'completed', 'disputed']);
    await sendEvent('charge.dispute.closed', { ...stripe.dispute(intent, 'lost') });
    expect(await states()).toEqual(['cancelled', 'refunded', 'dispute_lost']);
    const taken = () => api.db.collection('ad_slots').countDocuments({ 'taken.ad': id });
    expect(await taken()).toBe(0);
    await sendEvent('charge.dispute.closed', { ...stripe.dispute(intent, 'won') });
    expect(await states()).toEqual(['scheduled', 'completed', 'dispute_won']);
    expect(await taken()).toBe(1);
  });

  test('an ad that its advertiser canceled stays so when its refund fails, and isn’t refunded over and over', async () => {
    const { kim, id, intent, states } = await paidAd(19);
    await kim.call(cancelTimedAd, { params: { id } });
    expect(await states()).toEqual(['cancelled', 'refunded', 'refunded']);
    const [refund] = stripe.seen.filter(({ call }) => call === 'POST /v1/refunds');
    expect(refund).toBeDefined();
    await sendEvent('refund.failed', { ...stripe.failRefund(intent) });
    expect(await states()).toEqual(['cancelled', 'completed', 'refund_failed']);
    await api.runJobs();
    expect(await states()).toEqual(['cancelled', 'completed', 'refund_failed']);
    expect(stripe.seen.filter(({ call }) => call === 'POST /v1/refunds')).toHaveLength(1);
  });
});

describe('events of Stripe', () => {
  test('rejects events with a missing, wrong or old signature', async () => {
    const id = await donate(payer);
    await handIn(payer, id, token());
    const charge = await refund(id);
    const payload = JSON.stringify(charge);
    const sign = (secret: string, timestamp?: number) =>
      Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    expect(await sendEvent('charge.refunded', charge, { header: 'nonsense' })).toBe(400);
    expect(await sendEvent('charge.refunded', charge, { header: sign('whsec_other') })).toBe(400);
    expect(await sendEvent('charge.refunded', charge, { header: sign(WEBHOOK_SECRET, 1) })).toBe(
      400,
    );
    expect((await rowOf(id))?.payment_status).toBe('completed');
  });

  test('ignores events about other objects', async () => {
    const id = await donate(payer);
    await handIn(payer, id, token());
    expect(await sendEvent('customer.created', { object: 'customer', id: 'cus_1' })).toBe(200);
    expect(
      await sendEvent('charge.refunded', { object: 'charge', payment_intent: 'pi_other' }),
    ).toBe(200);
    expect((await rowOf(id))?.payment_status).toBe('completed');
  });
});

test('without Stripe and the sandbox, payments are unavailable and access codes still work', async () => {
  const bare = await startTestApi(inject('mongodbUri'));
  const withoutSandbox = {
    ALLOW_SANDBOX: 'false',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
  };
  try {
    const { code } = await makeCode(await bare.asAdmin());
    await bare.restartApi(withoutSandbox);
    const off = { error: 'No payment configuration available', code: 'payments_off' };
    const { call } = bare.visitor();
    await expectRefused(call(googlePayConfig), 503, off);
    await expectRefused(call(createDonation, { body: { amount_cents: 100 } }), 503, off);
    await expectRefused(handIn({ call }, 'x', 'x'), 503, off);
    await expectRefused(call(checkDonation, { body: { donation_id: 'x' } }), 503, off);
    expect((await fetch(`${bare.origin}/api/sandbox/google-pay/pay.js`)).status).toBe(404);
    expect((await call(validateCode, { body: { code } })).code).toBe(code);
  } finally {
    await bare.close();
  }
});

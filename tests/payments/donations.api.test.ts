import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { listCodes } from '#shared/access-gate/admin-contract.ts';
import { validateCode } from '#shared/access-gate/contract.ts';
import {
  checkDonation,
  createDonation,
  googlePayConfig,
  processDonation,
} from '#shared/payments/contract.ts';
import { createSession, me } from '#shared/session/contract.ts';
import { HOUR_MS } from '#shared/time.ts';
import type { DonationRow } from '../../api/features/payments/collections.ts';
import type { SandboxPaymentRow } from '../../api/features/payments/collections.ts';
import { issueToken } from '../../api/features/payments/sandbox/token.ts';
import { caller } from '../../client/platform/http/api-client.ts';
import { CookieJar } from '../../scripts/session/cookie-jar.ts';
import { codeFor, startTestApi, type TestApi } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { donate, handIn, walletToken, type Payer } from './pay.ts';

let api: TestApi;
let payer: Payer;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
beforeEach(() => {
  payer = api.visitor();
});
afterAll(() => api.close());

const rowOf = (id: string) => api.db.collection<DonationRow>('donations').findOne({ _id: id });
const charges = (donationId: string) =>
  api.db
    .collection<SandboxPaymentRow>('sandbox_payments')
    .find({ key: `donation-${donationId}`, status: 'paid' })
    .toArray();
const codesOf = (donationId: string) =>
  api.db
    .collection<{ _id: string }>('access_codes')
    .countDocuments({ _id: `donation-${donationId}` });
const check = ({ call }: Pick<Payer, 'call'>, donation_id: string) =>
  call(checkDonation, { body: { donation_id } });

test('the wallet configuration names the gateway and marks the sandbox', async () => {
  expect(await api.call(googlePayConfig)).toEqual({
    environment: 'TEST',
    gateway: 'example',
    gatewayMerchantId: 'exampleGatewayMerchantId',
    merchantId: '',
    tokenization_parameters: { gateway: 'example', gatewayMerchantId: 'exampleGatewayMerchantId' },
    is_sandbox: true,
    card_form_key: null,
  });
});

describe('creating a donation', () => {
  test('records a donation with its device and ignores a status from the browser', async () => {
    const body = { amount_cents: 100, email: 'Kim@example.com', payment_status: 'completed' };
    const { donation } = await payer.call(createDonation, { body });
    expect(donation).toEqual({
      id: donation.id,
      amount_cents: 100,
      currency: 'USD',
      payment_status: 'pending',
    });
    expect(await rowOf(donation.id)).toMatchObject({
      email: 'kim@example.com',
      amount_cents: 100,
      currency: 'USD',
      payment_provider: 'sandbox',
      payment_id: null,
      payment_status: 'pending',
      access_code_granted: null,
      ip_address: expect.stringMatching(/127\.0\.0\.1$/) as string,
      user_agent: expect.stringMatching(/\w/) as string,
    });
  });

  test.each([
    [{}, { amount_cents: 'Required' }],
    [{ amount_cents: 99 }, { amount_cents: 'Invalid input' }],
    [{ amount_cents: 100.5 }, { amount_cents: 'Invalid input' }],
    [{ amount_cents: '100' }, { amount_cents: 'Invalid input' }],
    [{ amount_cents: 50_001 }, { amount_cents: 'Invalid input' }],
    [{ amount_cents: 100, currency: 'EUR' }, { currency: 'Invalid input' }],
    [{ amount_cents: 100, email: 'kim' }, { email: 'Invalid email' }],
  ])('rejects a donation with %j', async (body, fields) => {
    const sent = body as { amount_cents: number };
    await expectRefused(payer.call(createDonation, { body: sent }), 400, {
      error: Object.values(fields)[0],
      code: 'invalid_input',
      fields: fields,
    });
  });

  test('stores an empty email address as none', async () => {
    const { donation } = await payer.call(createDonation, {
      body: { amount_cents: 250, currency: 'USD', email: '' },
    });
    expect(await rowOf(donation.id)).toMatchObject({ email: null, amount_cents: 250 });
  });

  test('a donation has the address of its donor’s account, also when they sign in later', async () => {
    const member = await api.as('known-donor@example.com', { access: false });
    expect(await rowOf(await donate(member))).toMatchObject({ email: 'known-donor@example.com' });
    const visitor = api.visitor();
    const [silent, given] = [
      await donate(visitor),
      (
        await visitor.call(createDonation, {
          body: { amount_cents: 100, email: 'other@example.com' },
        })
      ).donation.id,
    ];
    expect(await rowOf(silent)).toMatchObject({ email: null });
    await api.as('late-donor@example.com', { access: false, jar: visitor.jar });
    expect(await rowOf(silent)).toMatchObject({ email: 'late-donor@example.com' });
    expect(await rowOf(given)).toMatchObject({ email: 'other@example.com' });
  });

  test('creates one donation per idempotency key, for visitors and signed-in users', async () => {
    const member = await api.as('donor@example.com', { access: false });
    await donate(payer);
    for (const { call } of [payer, member]) {
      const again = { body: { amount_cents: 100 }, idempotencyKey: 'one-donation' };
      const first = await call(createDonation, again);
      expect(await call(createDonation, again)).toEqual(first);
    }
  });
});

describe('a payment', () => {
  test('a payment gives one code, which grants the browser access for thirty days', async () => {
    const id = await donate(payer);
    const answer = await handIn(payer, id, await walletToken(api, 'pays'));
    expect(answer).toEqual({
      success: true,
      access_code: expect.stringMatching(/^PAW(-\w{4}){3}$/),
    });
    const code = answer.access_code ?? '';
    expect(await rowOf(id)).toMatchObject({
      payment_status: 'completed',
      payment_id: expect.stringMatching(/^sip_/) as string,
      access_code_granted: code,
    });
    const { accessCodes } = await (await api.asAdmin()).call(listCodes);
    expect(accessCodes.find((each) => each.code === code)).toMatchObject({
      description: 'Donation',
      max_uses: 1,
      current_uses: 0,
    });
    await payer.call(validateCode, { body: { code } });
    await expectRefused(api.visitor().call(validateCode, { body: { code } }), 400, {
      code: 'invalid_code',
    });
    const { user } = await payer.call(createSession, {
      body: await codeFor(api.origin, payer.call, 'paid@example.com'),
    });
    const days = (Date.parse(user.access_expires_at ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
  });

  test('accepts the payment token as text or as an object', async () => {
    const id = await donate(payer);
    const token = JSON.parse(await walletToken(api, 'pays')) as Record<string, unknown>;
    const body = { donation_id: id, payment_token: token };
    expect((await payer.call(processDonation, { body })).success).toBe(true);
  });

  test('charges once and returns the same code for eight simultaneous and later requests', async () => {
    const id = await donate(payer);
    const token = await walletToken(api, 'pays');
    const answers = await Promise.all(Array.from({ length: 8 }, () => handIn(payer, id, token)));
    answers.push(await handIn(payer, id, token));
    answers.push(await handIn(payer, id, await walletToken(api, 'pays')));
    expect(new Set(answers.map((answer) => answer.access_code)).size).toBe(1);
    expect(await charges(id)).toHaveLength(1);
    expect(await codesOf(id)).toBe(1);
  });

  test('waits for another request that is processing the payment and returns its code', async () => {
    const id = await donate(payer);
    const rows = api.db.collection<DonationRow>('donations');
    const busy = { busy_until: new Date(Date.now() + 60_000), submitted_at: new Date() };
    await rows.updateOne({ _id: id }, { $set: busy });
    const answer = handIn(payer, id, await walletToken(api, 'pays'));
    // The request waits once its token is recorded.
    await expect
      .poll(() => api.db.collection('payment_tokens').countDocuments({ payment: `donation:${id}` }))
      .toBe(1);
    const paid = { payment_status: 'completed' as const, busy_until: null };
    await rows.updateOne({ _id: id }, { $set: paid });
    expect(await answer).toEqual({
      success: true,
      access_code: expect.stringMatching(/^PAW-/) as string,
    });
    expect(await codesOf(id)).toBe(1);
  });

  test('a declined card fails the payment for good without a charge', async () => {
    const id = await donate(payer);
    const declined = { error: 'Payment processing failed', code: 'payment_declined' };
    await expectRefused(handIn(payer, id, await walletToken(api, 'declined')), 402, declined);
    await expectRefused(handIn(payer, id, await walletToken(api, 'pays')), 402, declined);
    expect(await check(payer, id)).toEqual({ payment_status: 'failed', access_code: null });
    expect(await charges(id)).toEqual([]);
    expect(await codesOf(id)).toBe(0);
  });

  test('a failed payment says that it is none', async () => {
    for (const [path, body, status] of [
      ['/api/donations/process', {}, 400],
      ['/api/donations/process', { donation_id: 'none', payment_token: 'x' }, 404],
      ['/api/advertiser-payments/process', {}, 400],
    ] as const) {
      const response = await fetch(`${api.origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({
        success: false,
        error: expect.stringMatching(/\w/),
        code: expect.stringMatching(/\w/),
      });
    }
  });

  test('a payment the bank never confirms stays pending, then fails without a charge when checked', async () => {
    const id = await donate(payer);
    await expectRefused(handIn(payer, id, await walletToken(api, 'times-out')), 503, {
      error: 'Payment processing failed',
      code: 'payment_unsettled',
    });
    expect((await rowOf(id))?.payment_status).toBe('pending');
    expect(await check(payer, id)).toEqual({ payment_status: 'failed', access_code: null });
    await expectRefused(handIn(payer, id, await walletToken(api, 'pays')), 402, {
      code: 'payment_not_paid',
    });
    expect(await charges(id)).toEqual([]);
  });

  test('a payment whose response was lost is found by a check or by sending it again', async () => {
    for (const settle of ['check', 'again'] as const) {
      const id = await donate(payer);
      const token = await walletToken(api, 'answer-lost');
      await expectRefused(handIn(payer, id, token), 503, { code: 'payment_unsettled' });
      const { access_code } =
        settle === 'check' ? await check(payer, id) : await handIn(payer, id, token);
      expect(access_code).toMatch(/^PAW/);
      expect(await charges(id)).toHaveLength(1);
      expect(await codesOf(id)).toBe(1);
    }
  });

  test('a payment whose response was lost is settled when the API starts', async () => {
    const id = await donate(payer);
    await expectRefused(handIn(payer, id, await walletToken(api, 'answer-lost')), 503);
    await api.restartApi();
    await expect.poll(async () => (await rowOf(id))?.payment_status).toBe('completed');
    await expect.poll(() => codesOf(id)).toBe(1);
  });

  test('a payment whose code could not be created succeeds, and a check creates the code later', async () => {
    const ill = await startTestApi(inject('mongodbUri'));
    try {
      const codes = ill.db.collection<{ _id: string; description: string }>('access_codes');
      await codes.insertOne({ _id: 'in-the-way', description: 'Donation' });
      const index = await codes.createIndex({ description: 1 }, { unique: true });
      const person = ill.visitor();
      const id = await donate(person);
      const answer = await handIn(person, id, await walletToken(ill, 'pays'));
      expect(answer).toEqual({ success: true, access_code: null });
      await codes.dropIndex(index);
      const later = await check(person, id);
      expect(later.access_code).toMatch(/^PAW/);
      expect((await handIn(person, id, 'any token')).access_code).toBe(later.access_code);
    } finally {
      await ill.close();
    }
  });

  test('a check before the payment token arrives closes the payment', async () => {
    const id = await donate(payer);
    expect(await check(payer, id)).toEqual({ payment_status: 'failed', access_code: null });
    await expectRefused(handIn(payer, id, await walletToken(api, 'pays')), 402, {
      code: 'payment_not_paid',
    });
    expect(await charges(id)).toEqual([]);
  });
});

describe('a token', () => {
  test('rejects a payment token that was already used', async () => {
    const token = await walletToken(api, 'pays');
    await handIn(payer, await donate(payer), token);
    const second = await donate(payer);
    await expectRefused(handIn(payer, second, token), 409, {
      error: 'Payment processing failed',
      code: 'payment_token_used',
    });
    expect(await charges(second)).toEqual([]);
  });

  test('rejects other and expired payment tokens', async () => {
    const id = await donate(payer);
    const real = JSON.parse(await walletToken(api, 'pays')) as { signedMessage: string };
    const refused = { error: 'Payment processing failed', code: 'payment_token' };
    const expired = issueToken('pays', Date.now() - 2 * HOUR_MS);
    const others = [{ ...real, signature: 'x' }, { ...real, signedMessage: '{}' }, expired];
    for (const payment_token of ['examplePaymentMethodToken', '{}', ...others])
      await expectRefused(
        payer.call(processDonation, { body: { donation_id: id, payment_token } }),
        400,
        refused,
      );
    expect((await rowOf(id))?.payment_status).toBe('pending');
  });

  test.each([
    [{ donation_id: 'x' }, { payment_token: 'Required' }],
    [{ payment_token: '', donation_id: 'x' }, { payment_token: 'Required' }],
    [{ payment_token: 'x' }, { donation_id: 'Required' }],
  ])('rejects a payment without a token or donation: %j', async (body, fields) => {
    const sent = body as { payment_token: string; donation_id: string };
    await expectRefused(payer.call(processDonation, { body: sent }), 400, {
      error: 'Required',
      fields: fields,
    });
  });
});

describe('a donation by another user', () => {
  test('hides a donation from other browsers, other users and visitors', async () => {
    const id = await donate(payer);
    const other = api.visitor();
    await donate(other);
    const user = await api.as('somebody-else@example.com', { access: false });
    const token = await walletToken(api, 'pays');
    const missing = { error: 'Donation not found', code: 'not_found' };
    for (const person of [other, user, api.visitor()]) {
      await expectRefused(handIn(person, id, token), 404, missing);
      await expectRefused(check(person, id), 404, missing);
    }
    expect((await rowOf(id))?.payment_status).toBe('pending');
  });

  test('a signed-in donor can pay a donation on another device', async () => {
    const first = await api.as('two-devices@example.com', { access: false });
    const id = await donate(first);
    const second = await api.as('two-devices@example.com', { access: false });
    const { access_code } = await handIn(second, id, await walletToken(api, 'pays'));
    await second.call(validateCode, { body: { code: access_code ?? '' } });
    expect((await first.call(me)).has_access).toBe(true);
  });
});

describe('the code of a browser that paid', () => {
  test('the donor’s browser can redeem its code again when the response was lost, other browsers can’t', async () => {
    const id = await donate(payer);
    const code = (await handIn(payer, id, await walletToken(api, 'pays'))).access_code ?? '';
    const enter = () => payer.call(validateCode, { body: { code } });
    const first = await enter();
    // The response with the cookie of the grant was lost.
    const lost = payer.jar.cookies.get('leashwise-access') ?? '';
    payer.jar.cookies.delete('leashwise-access');
    expect(await enter()).toEqual(first);
    expect(payer.jar.cookies.get('leashwise-access')).not.toBe(lost);
    await expectRefused(api.visitor().call(validateCode, { body: { code } }), 400);

    const thief = api.visitor();
    thief.jar.cookies.set('leashwise-access', lost);
    const stolen = await codeFor(api.origin, thief.call, 'thief@example.com');
    expect((await thief.call(createSession, { body: stolen })).user.has_access).toBe(false);
    // Signed in without the grant's cookie: the code is the user's now.
    payer.jar.cookies.delete('leashwise-access');
    const signIn = await codeFor(api.origin, payer.call, 'payer@example.com');
    await payer.call(createSession, { body: signIn });
    expect(await enter()).toEqual(first);
    expect((await payer.call(me)).has_access).toBe(true);
  });
});

describe('card testing', () => {
  test('limits card testing by declined payments and by created donations', async () => {
    await api.withLimits(0.1, async () => {
      const tester = api.visitor();
      const first = await donate(tester);
      const second = await donate(tester);
      const refused = await handIn(tester, first, await walletToken(api, 'declined')).catch(
        (error: { status: number }) => error.status,
      );
      expect(refused).toBe(402);
      await expectRefused(handIn(tester, second, await walletToken(api, 'pays')), 429, {
        code: 'rate_limited',
      });
      for (let made = 2; made < 6; made++) await donate(tester);
      await expectRefused(donate(tester), 429, { code: 'rate_limited' });
    });
  });

  test('parallel requests get no more declines than sequential ones', async () => {
    await api.withLimits(0.2, async () => {
      const tester = api.visitor();
      const payments = async (outcome: 'pays' | 'declined', count: number) => {
        const prepared: [string, string][] = [];
        for (let i = 0; i < count; i++)
          prepared.push([await donate(tester), await walletToken(api, outcome)]);
        return Promise.all(
          prepared.map(([id, token]) =>
            handIn(tester, id, token).then(
              () => 200,
              (error: { status: number }) => error.status,
            ),
          ),
        );
      };
      // A fifth of 12 failures. Payments that succeed do not count.
      for (let paid = 0; paid < 3; paid++) expect(await payments('pays', 1)).toEqual([200]);
      const statuses = await payments('declined', 6);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([402, 402, 429, 429, 429, 429]);
    });
  });

  test('card testing from many networks does not block payments from others', async () => {
    const from = (network: string): Payer => {
      const jar = new CookieJar();
      const headers = { 'x-forwarded-for': network };
      return { jar, call: caller({ origin: api.origin, fetch: jar.fetch, headers }) };
    };
    await api.withLimits(0.05, async () => {
      const decline = async (network: string) => {
        const tester = from(network);
        const token = await walletToken(api, 'declined', network);
        await expectRefused(handIn(tester, await donate(tester), token), 402);
      };
      await Promise.all(Array.from({ length: 20 }, (_, i) => decline(`198.51.100.${i}`)));
      const payer = from('203.0.113.5');
      expect(
        await handIn(payer, await donate(payer), await walletToken(api, 'pays', '203.0.113.5')),
      ).toMatchObject({ success: true });
    });
  });
});

test('in the sandbox, the banks do with the money what a developer says, in an order that is possible', async () => {
  const id = await donate(payer);
  await handIn(payer, id, await walletToken(api, 'pays'));
  const payment = (await rowOf(id))?.payment_id ?? '';
  const move = async (provider_state: string, to = payment) => {
    const response = await fetch(`${api.origin}/api/sandbox/payments/${to}/state`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider_state }),
    });
    const row = await rowOf(id);
    return [response.status, row?.payment_status, row?.provider_state];
  };
  expect(await move('dispute_won')).toEqual([404, 'completed', undefined]);
  expect(await move('disputed', 'sip_other')).toEqual([404, 'completed', undefined]);
  expect(await move('stolen')).toEqual([400, 'completed', undefined]);
  expect(await move('disputed')).toEqual([200, 'completed', 'disputed']);
  expect(await move('dispute_lost')).toEqual([200, 'refunded', 'dispute_lost']);
  expect(await check(payer, id)).toEqual({ payment_status: 'refunded', access_code: null });
  expect(await move('dispute_won')).toEqual([200, 'completed', 'dispute_won']);
  expect(await move('refund_pending')).toEqual([200, 'refunded', 'refund_pending']);
  expect(await move('refund_failed')).toEqual([200, 'completed', 'refund_failed']);
  expect((await check(payer, id)).access_code).toBe((await rowOf(id))?.access_code_granted);
});

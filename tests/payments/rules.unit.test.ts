import { describe, expect, test } from 'vitest';
import { paymentStatus } from '#shared/payments/contract.ts';
import {
  canRefund,
  PAYER_WORDS,
  providerState,
  statesAfter,
  statusIn,
  type ProviderState,
} from '#shared/payments/provider-states.ts';
import { canReport, CARD_NETWORKS, priceText, statusesBefore } from '#shared/payments/rules.ts';
import { readEnv } from '../../api/platform/env.ts';

test('payment statuses only move forward', () => {
  expect(paymentStatus.options).toEqual(['pending', 'completed', 'failed', 'refunded']);
  expect(paymentStatus.options.map((status) => [status, statusesBefore(status)])).toEqual([
    ['pending', []],
    ['completed', ['pending']],
    ['failed', ['pending']],
    ['refunded', ['pending', 'completed']],
  ]);
});

test('a report of the provider can undo a refund, and nothing else', () => {
  const moves = paymentStatus.options.flatMap((from) =>
    paymentStatus.options.filter((to) => canReport(from, to)).map((to) => `${from} ${to}`),
  );
  expect(moves.toSorted()).toEqual([
    'completed refunded',
    'pending completed',
    'pending failed',
    'pending refunded',
    'refunded completed',
  ]);
});

test.each([
  ['clear', 'completed', true, null],
  ['partly_refunded', 'completed', true, null],
  ['refund_pending', 'refunded', true, 'on its way'],
  ['refunded', 'refunded', true, null],
  ['refund_failed', 'completed', false, 'didn’t accept the refund'],
  ['disputed', 'completed', false, 'disputed it'],
  ['dispute_won', 'completed', true, 'stands'],
  ['dispute_lost', 'refunded', true, 'after your dispute'],
] as const)('a payment whose money is %s is %s', (state, status, refundable, words) => {
  expect(statusIn(state)).toBe(status);
  expect(canRefund(state)).toBe(refundable);
  expect(PAYER_WORDS[state] ?? '').toContain(words ?? '');
  expect(PAYER_WORDS[state] === null).toBe(words === null);
});

test('each state of the money can be reached from a paid payment, and none is followed by itself', () => {
  const reached = new Set<ProviderState>(['clear']);
  for (const state of reached) for (const next of statesAfter(state)) reached.add(next);
  expect([...reached].toSorted()).toEqual(providerState.options.toSorted());
  for (const state of providerState.options) expect(statesAfter(state)).not.toContain(state);
});

test('the wallet accepts Mastercard and Visa and gets the price as decimal text', () => {
  expect(CARD_NETWORKS).toEqual(['MASTERCARD', 'VISA']);
  expect([priceText(100), priceText(20_000), priceText(1)]).toEqual(['1.00', '200.00', '0.01']);
});

describe('payment settings in the environment', () => {
  const enough = {
    MONGODB_URI: 'mongodb://127.0.0.1',
    PUBLIC_ORIGIN: 'http://localhost:3000/',
    SYNC_SECRET: 'sixteen characters',
    SYNC_INTERNAL_URL: 'http://127.0.0.1:3002/',
    API_PORT: '3001',
  };
  const stripe = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  };
  const withoutSandbox = {
    ALLOW_SANDBOX: 'false',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
  };
  const paymentsIn = (env: object) => readEnv({ ...enough, ...env }).payments;

  test('uses the sandbox for payments if allowed, and otherwise none', () => {
    expect(paymentsIn({})).toBe('sandbox');
    expect(paymentsIn(withoutSandbox)).toBeNull();
  });

  test('uses Stripe in TEST or, with live keys, in PRODUCTION', () => {
    expect(paymentsIn(stripe)).toMatchObject({ isLive: false, merchantId: '', apiUrl: null });
    const live = {
      ...stripe,
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
      GOOGLE_PAY_MERCHANT_ID: 'BCR2DN',
    };
    expect(paymentsIn({ ...withoutSandbox, ...live })).toMatchObject({
      isLive: true,
      merchantId: 'BCR2DN',
    });
    expect(() => paymentsIn({ ...live, GOOGLE_PAY_MERCHANT_ID: '' })).toThrow(
      /GOOGLE_PAY_MERCHANT_ID/,
    );
    expect(() => paymentsIn({ ...live, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' })).toThrow(
      /STRIPE_PUBLISHABLE_KEY: One key is live/,
    );
  });

  test('names missing Stripe settings', () => {
    expect(() => paymentsIn({ STRIPE_SECRET_KEY: 'sk_test_1' })).toThrow(
      /STRIPE_PUBLISHABLE_KEY.*STRIPE_WEBHOOK_SECRET/,
    );
  });
});

import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  createAdvertiser,
  createLocationAd,
  createTimedAd,
  payForAd,
} from '#shared/advertisers/contract.ts';
import type { Card } from '../../api/features/payments/sandbox/token.ts';
import type { QueueRow, SandboxSentRow } from '../../api/platform/mail-queue/collections.ts';
import type { Email } from '../../api/platform/mail-queue/messages.ts';
import type { TestApi } from '../api.ts';
import { walletToken, type Payer } from '../payments/pay.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const inHours = (hours: number): string =>
  new Date(Date.now() + hours * HOUR_MS).toISOString();

/** An advertiser with their own browser session. */
export interface Advertiser extends Payer {
  id: string;
  email: string;
}

export const freshEmail = (): string => `shop.${randomUUID().slice(0, 8)}@example.com`;

export const company = {
  company_name: 'Kibble & Co',
  contact_name: 'Kim Park',
  phone: '+1 555 010 0199',
  billing_address: '2 Main Street',
  time_zone: 'America/New_York',
};

type Body<E extends { body?: z.ZodType }> = Partial<z.input<NonNullable<E['body']>>>;

/** Completes the company step of the sign-up. */
export async function signUp(
  api: Pick<TestApi, 'visitor'>,
  overrides: Body<typeof createAdvertiser> = {},
  payer: Payer = api.visitor(),
): Promise<Advertiser> {
  const email = overrides.email ?? freshEmail();
  const body = { ...company, ...overrides, email };
  const { advertiser } = await payer.call(createAdvertiser, { body });
  return { ...payer, id: advertiser.id, email: email.toLowerCase() };
}

export const timedFields = (overrides: Body<typeof createTimedAd> = {}) => ({
  title: 'Kibble, fresh',
  description: 'Around the corner from the park.',
  target_url: 'https://kibble.example/shop',
  placement: 'banner' as const,
  scheduled_start_at: inHours(24),
  ...overrides,
});

/** Creates an unpaid timed ad and returns its id. */
export async function makeTimedAd(
  { call, id }: Advertiser,
  overrides: Body<typeof createTimedAd> = {},
  more: { file?: Blob; idempotencyKey?: string } = {},
): Promise<number> {
  const body = { advertiser_id: id, ...timedFields(overrides) };
  return (await call(createTimedAd, { body, ...more })).advertisement.id;
}

export const localFields = (overrides: Body<typeof createLocationAd> = {}) => ({
  business_name: 'Paws & Coffee',
  business_type: 'restaurant' as const,
  description: 'Water bowls under every table.',
  latitude: 40.78,
  longitude: -73.97,
  address: '1 Park Lane',
  phone: '+1 555 010 0100',
  website_url: 'https://coffee.example/',
  search_radius_miles: 5,
  ...overrides,
});

/** Creates an unpaid listing and returns its id. */
export async function makeLocalAd(
  { call, id }: Advertiser,
  overrides: Body<typeof createLocationAd> = {},
  more: { file?: Blob; idempotencyKey?: string } = {},
): Promise<string> {
  const body = { advertiser_id: id, ...localFields(overrides) };
  return (await call(createLocationAd, { body, ...more })).advertisement.id;
}

/** Pays with a card of the simulated wallet. */
export async function pay(
  api: Pick<TestApi, 'origin'>,
  { call, id: advertiser_id }: Advertiser,
  advertisement_id: number | string,
  { card = 'pays', period = 0 }: { card?: Card; period?: number } = {},
) {
  const payment_token = await walletToken(api, card);
  const body = { payment_token, advertiser_id, advertisement_id, period };
  return call(payForAd, { body });
}

/** Returns the emails sent to this address, oldest first, followed by the queued ones. */
export async function emailsTo({ db }: Pick<TestApi, 'db'>, to: string): Promise<Email[]> {
  const rows = await db
    .collection<SandboxSentRow>('sandbox_sent')
    .find({ 'message.to': to })
    .sort({ at: 1, _id: 1 })
    .toArray();
  const sent = rows.map(({ _id }) => _id);
  // Emails about admin actions are delayed because the action may be undone.
  const waiting = await db
    .collection<QueueRow>('outbox')
    .find({ 'message.to': to, _id: { $nin: sent } })
    .sort({ _id: 1 })
    .toArray();
  return [...rows, ...waiting].map(({ message }) => message as Email);
}

/** Marks all queued emails to this address as being sent, so that none can be recalled. */
export const markEmailsAsSending = ({ db }: Pick<TestApi, 'db'>, to: string) =>
  db.collection<QueueRow>('outbox').updateMany({ 'message.to': to }, { $set: { attempts: 1 } });

import { z } from 'zod';
import { auditEntry } from '../admin/contract.ts';
import { paged, paging, search } from '../admin/paging.ts';
import { endpoint } from '../endpoint.ts';

/** Kinds of rows that wait for an admin, the most urgent first. */
export const waitingKind = z.enum([
  'reports',
  'held_messages',
  'appeals',
  'law_enforcement_notices',
  'ad_reviews',
  'charity_applications',
  'place_reports',
  'donations_in_doubt',
  'ad_payments_in_doubt',
  'failed_messages',
]);
export type WaitingKind = z.infer<typeof waitingKind>;

const waitingRows = z.object({
  kind: waitingKind,
  /** Counted up to COUNT_MAX. */
  count: z.number().int(),
  is_capped: z.boolean(),
  /** Since when the oldest waits; null if none does. */
  oldest_at: z.iso.datetime().nullable(),
});
export type WaitingRows = z.infer<typeof waitingRows>;

const count = z.number().int().min(0);

/** The counts of one day in UTC. Null: not counted, because the server did not run. */
export const overviewDay = z.object({
  /** Such as 2026-11-25. */
  date: z.iso.date(),
  new_members: count.nullable(),
  /** The most people who shared their location at the same time, as counted every ten minutes. */
  peak_walkers: count.nullable(),
  /** Encounters of two people, both of whom were warned. */
  warnings: count.nullable(),
  messages: count.nullable(),
  /** In cents, without refunds. */
  donation_cents: count,
  ad_revenue_cents: count,
});
export type OverviewDay = z.infer<typeof overviewDay>;

/** The periods of the overview, in days. */
export const overviewPeriod = z.enum(['7', '30', '90']);
export type OverviewPeriod = z.infer<typeof overviewPeriod>;

/** Returns what waits for an admin, the newest admin actions, the last days, and as many before them. */
export const getOverview = endpoint('GET', '/admin/overview', {
  access: 'admin',
  query: z.object({ days: overviewPeriod.default('30') }),
  answer: z.object({
    /** Every kind, also without rows. */
    waiting: z.array(waitingRows),
    changes: z.array(auditEntry),
    /** Oldest first. */
    days: z.array(overviewDay),
    /** As many days before those, oldest first, to compare. */
    days_before: z.array(overviewDay),
    /** When people, warnings and messages were last counted; null before the first time. */
    counted_at: z.iso.datetime().nullable(),
  }),
  failure: 'Failed to load the overview',
});

const failedMessage = z.object({
  /** The collection and id of the row that caused it. */
  id: z.string(),
  channel: z.enum(['email', 'sms']),
  attempts: z.number().int(),
  /** The provider's code; null if it gave none. */
  error_code: z.string().nullable(),
  created_at: z.iso.datetime(),
  failed_at: z.iso.datetime(),
});
export type FailedMessage = z.infer<typeof failedMessage>;

/** Lists emails and text messages that could not be delivered, without their recipients and texts, which are deleted. */
export const listFailedMessages = endpoint('GET', '/admin/failed-messages', {
  access: 'admin',
  query: z.object({
    channel: z.enum(['email', 'sms']).optional(),
    /** `recently`: those that the overview counts, of the last FAILED_DAYS. */
    since: z.enum(['recently']).optional(),
    /** The beginning of the id. */
    search,
    ...paging,
    sort: z.enum(['newest', 'oldest']).default('newest'),
  }),
  answer: z.object({ messages: z.array(failedMessage), ...paged }),
  failure: 'Failed to fetch failed messages',
});

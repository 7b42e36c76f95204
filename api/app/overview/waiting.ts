import type { Collection, Db, Document, Filter } from 'mongodb';
import { COUNT_MAX } from '#shared/admin/paging.ts';
import { waitingKind, type WaitingKind, type WaitingRows } from '#shared/overview/contract.ts';
import { FAILED_DAYS } from '#shared/overview/rules.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import {
  advertisementBookings,
  businessListings,
  REVIEW_WAITING,
} from '../../features/ads/collections.ts';
import { adPayments } from '../../features/advertisers/collections.ts';
import { charities } from '../../features/charities/collections.ts';
import { locationReports } from '../../features/locations/collections.ts';
import {
  messageReports,
  moderationLog,
  NOTICE_WAITING,
  userWarnings,
  type ReportRow,
} from '../../features/moderation/collections.ts';
import { mailQueue, UNDELIVERED } from '../../platform/outbox/collections.ts';
import { donations, type PaymentRow } from '../../features/payments/collections.ts';

/** A payment without a result after this time is in doubt; usually the gateway responds within seconds. */
const DOUBT_MS = 10 * MINUTE_MS;

interface Source {
  rows: Pick<Collection, 'find' | 'countDocuments'>;
  filter: Filter<Document>;
  /** The time since when a row waits; with the filter, it needs an index. */
  since: string;
}

/** The driver's types cannot express rows of several collections. */
const source = <Row extends Document>(
  rows: Collection<Row>,
  filter: Filter<Row>,
  since: string,
): Source => ({ rows, filter: filter as Filter<Document>, since });

/**
 * Counts what waits for an admin, up to COUNT_MAX of each kind.
 * @param visible the reports that the admin may see
 */
export async function waitingRows(
  db: Db,
  now: Date,
  visible: Filter<ReportRow>,
): Promise<WaitingRows[]> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const inDoubt: Filter<PaymentRow> = {
    payment_status: 'pending',
    submitted_at: { $lt: ago(DOUBT_MS) },
  };
  const failed = { ...UNDELIVERED, settled_at: { $gte: ago(FAILED_DAYS * DAY_MS) } };
  const sources: Record<WaitingKind, Source[]> = {
    reports: [source(messageReports(db), { status: 'pending', ...visible }, 'created_at')],
    held_messages: [source(moderationLog(db), { review: 'pending' }, 'created_at')],
    appeals: [source(userWarnings(db), { 'appeal.status': 'pending' }, 'appeal.created_at')],
    law_enforcement_notices: [source(userWarnings(db), NOTICE_WAITING, 'created_at')],
    ad_reviews: [
      source(advertisementBookings(db), REVIEW_WAITING, 'review.submitted_at'),
      source(businessListings(db), REVIEW_WAITING, 'review.submitted_at'),
    ],
    charity_applications: [
      source(charities(db), { is_verified: false, is_active: true }, 'created_at'),
    ],
    place_reports: [source(locationReports(db), { status: 'pending' }, 'created_at')],
    donations_in_doubt: [source(donations(db), inDoubt as never, 'created_at')],
    ad_payments_in_doubt: [source(adPayments(db), inDoubt as never, 'created_at')],
    failed_messages: [source(mailQueue(db), failed, 'settled_at')],
  };
  return Promise.all(
    waitingKind.options.map(async (kind) => {
      const parts = await Promise.all(sources[kind].map(countSource));
      const count = parts.reduce((sum, part) => sum + part.count, 0);
      const times = parts.flatMap(({ oldest }) => (oldest ? [oldest.getTime()] : []));
      return {
        kind,
        count: Math.min(count, COUNT_MAX),
        is_capped: count > COUNT_MAX,
        oldest_at: times.length > 0 ? new Date(Math.min(...times)).toISOString() : null,
      };
    }),
  );
}

async function countSource({ rows, filter, since }: Source) {
  const [count, oldest] = await Promise.all([
    rows.countDocuments(filter, { limit: COUNT_MAX + 1 }),
    rows
      .find(filter, { projection: { [since]: 1 } })
      .sort({ [since]: 1 })
      .limit(1)
      .next(),
  ]);
  const time = since
    .split('.')
    .reduce<unknown>((value, key) => (value as Document | null)?.[key], oldest);
  return { count, oldest: time instanceof Date ? time : null };
}

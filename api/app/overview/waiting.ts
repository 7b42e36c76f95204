import type { Collection, Db, Document, Filter } from 'mongodb';
import { COUNT_MAX } from '#shared/admin/paging.ts';
import { waitingKind, type WaitingKind, type WaitingRows } from '#shared/overview/contract.ts';
import { FAILED_DAYS } from '#shared/overview/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { advertisementBookings, businessListings } from '../../features/ads/collections.ts';
import { adPayments } from '../../features/advertisers/collections.ts';
import { IN_QUEUE } from '../../features/advertisers/reviews/reviews.ts';
import { UNVERIFIED } from '../../features/charities/admin-routes.ts';
import { charities } from '../../features/charities/collections.ts';
import { moderationLog } from '../../features/content-rules/collections.ts';
import { REPORTED_PLACES } from '../../features/locations/admin-routes.ts';
import { locationReports, locations } from '../../features/locations/collections.ts';
import {
  messageReports,
  NOTICE_WAITING,
  userWarnings,
  type ReportRow,
} from '../../features/moderation/collections.ts';
import { donations, inDoubt } from '../../features/payments/collections.ts';
import { queuedMail, UNDELIVERED } from '../../platform/mail-queue/collections.ts';

/** Matches messages that failed lately. */
export const failedLately = (now: Date) => ({
  ...UNDELIVERED,
  settled_at: { $gte: new Date(now.getTime() - FAILED_DAYS * DAY_MS) },
});

interface Source {
  rows: Pick<Collection, 'find' | 'countDocuments'>;
  filter: Filter<Document>;
  /** The time since when a row waits; with the filter, it needs an index. */
  since: string;
  /** When the oldest one began to wait, if another collection knows. */
  oldest?: Promise<Date | null>;
}

async function oldestPlaceReport(db: Db): Promise<Date | null> {
  const row = await locationReports(db)
    .find({ status: 'pending' }, { projection: { created_at: 1 } })
    .sort({ created_at: 1 })
    .limit(1)
    .next();
  return row?.created_at ?? null;
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
  const doubt = inDoubt(now);
  const sources: Record<WaitingKind, Source[]> = {
    reports: [source(messageReports(db), { status: 'pending', ...visible }, 'created_at')],
    held_messages: [source(moderationLog(db), { review: 'pending' }, 'created_at')],
    appeals: [source(userWarnings(db), { 'appeal.status': 'pending' }, 'appeal.created_at')],
    law_enforcement_notices: [source(userWarnings(db), NOTICE_WAITING, 'created_at')],
    ad_reviews: [
      source(advertisementBookings(db), IN_QUEUE, 'review.submitted_at'),
      source(businessListings(db), IN_QUEUE, 'review.submitted_at'),
    ],
    charity_applications: [source(charities(db), { ...UNVERIFIED, is_active: true }, 'created_at')],
    place_reports: [
      { ...source(locations(db), REPORTED_PLACES, 'created_at'), oldest: oldestPlaceReport(db) },
    ],
    donations_in_doubt: [source(donations(db), doubt as never, 'created_at')],
    ad_payments_in_doubt: [source(adPayments(db), doubt as never, 'created_at')],
    failed_messages: [source(queuedMail(db), failedLately(now), 'settled_at')],
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

async function countSource({ rows, filter, since, oldest: known }: Source) {
  if (known) {
    const count = await rows.countDocuments(filter, { limit: COUNT_MAX + 1 });
    return { count, oldest: count > 0 ? await known : null };
  }
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

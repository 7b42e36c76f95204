import type { Db } from 'mongodb';
import { getOverview, listFailedMessages, type OverviewDay } from '#shared/overview/contract.ts';
import { CHANGES_SHOWN, MONEY_DAYS } from '#shared/overview/rules.ts';
import { revenueByDay } from '../../features/advertisers/analytics.ts';
import { visibleReports } from '../../features/moderation/reports/resolve-report.ts';
import { donations, REMAINING_CENTS } from '../../features/payments/collections.ts';
import { cacheSlowResult } from '../../platform/admin/adaptive-cache.ts';
import { auditLog } from '../../platform/admin/collections.ts';
import { readPage } from '../../platform/admin/keyset-pagination.ts';
import { presentAuditEntries } from '../../platform/admin/routes.ts';
import { prefixRange } from '../../platform/admin/search.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { queuedMail, UNDELIVERED } from '../../platform/mail-queue/collections.ts';
import type { Api } from '../../platform/services.ts';
import { namesOfSubjects } from '../subject-names.ts';
import { dailyCounts } from './collections.ts';
import { countDays, lastDays } from './daily-counts.ts';
import { failedLately, waitingRows } from './waiting.ts';

/** The first page of the admin panel, and the list of failed messages that only it links to. */
export function mountOverview(api: Api): void {
  const { services } = api;
  const { db } = services;
  const moneyByDay = cacheSlowResult(async () => {
    const now = new Date();
    const [given, earned] = await Promise.all([
      donationsByDay(db, now),
      revenueByDay(db, now, MONEY_DAYS),
    ]);
    return { given, earned: new Map(earned.map((day) => [day.date, day.revenue_cents])) };
  });
  services.registerJob('daily counts', () => countDays(db, new Date()));

  serve(api, getOverview, async ({ query, caller }) => {
    const now = new Date();
    const period = Number(query.days);
    const dates = lastDays(now, 2 * period);
    const [waiting, changes, counted, money] = await Promise.all([
      waitingRows(db, now, await visibleReports(services, caller)),
      auditLog(db).find().sort({ at: -1, _id: -1 }).limit(CHANGES_SHOWN).toArray(),
      dailyCounts(db)
        .find({ _id: { $gte: dates[0]! } })
        .toArray(),
      moneyByDay(),
    ]);
    const counts = new Map(counted.map((row) => [row._id, row]));
    const days = dates.map((date): OverviewDay => {
      const row = counts.get(date);
      return {
        date,
        new_members: row?.new_members ?? null,
        peak_walkers: row?.peak_walkers ?? null,
        warnings: row?.warnings ?? null,
        messages: row?.messages ?? null,
        donation_cents: money.given.get(date) ?? 0,
        ad_revenue_cents: money.earned.get(date) ?? 0,
      };
    });
    return {
      waiting,
      changes: await presentAuditEntries(db, changes, namesOfSubjects),
      days: days.slice(period),
      days_before: days.slice(0, period),
      counted_at: counts.get(dates.at(-1)!)?.counted_at.toISOString() ?? null,
    };
  });

  serve(api, listFailedMessages, async ({ query: { channel, search, since, ...query } }) => {
    const { rows, paged } = await readPage(queuedMail(db), {
      filter: {
        ...(since ? failedLately(new Date()) : UNDELIVERED),
        ...(channel && { channel }),
        ...(search && { _id: prefixRange(search) }),
      },
      orders: { newest: ['settled_at', -1], oldest: ['settled_at', 1] },
      query,
    });
    const messages = rows.map((row) => ({
      id: row._id,
      channel: row.channel,
      attempts: row.attempts,
      error_code: row.error_code,
      created_at: row.created_at.toISOString(),
      failed_at: (row.settled_at ?? row.due_at).toISOString(),
    }));
    return { messages, ...paged };
  });
}

/** Returns what was donated on each of the last days, in cents without refunds. */
async function donationsByDay(db: Db, now: Date): Promise<Map<string, number>> {
  const days = await donations(db)
    .aggregate<{ _id: string; cents: number }>([
      {
        $match: {
          payment_status: 'completed',
          created_at: { $gte: new Date(lastDays(now, MONEY_DAYS)[0]!) },
        },
      },
      {
        $group: {
          _id: { $dateToString: { date: '$created_at', format: '%Y-%m-%d' } },
          cents: { $sum: REMAINING_CENTS },
        },
      },
    ])
    .toArray();
  return new Map(days.map((day) => [day._id, day.cents]));
}

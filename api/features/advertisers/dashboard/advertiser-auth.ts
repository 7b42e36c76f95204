import type { Context } from 'koa';
import type { Filter } from 'mongodb';
import { ADVERTISER_COOKIE } from '#shared/advertisers/contract.ts';
import { DASHBOARD_COOKIE } from '#shared/advertisers/dashboard-contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { tokenHash } from '#shared/server/collections.ts';
import { browserSecret, ensureBrowserSecret, readCookie } from '../../../platform/http/cookies.ts';
import type { Services } from '../../../platform/services.ts';
import { type AdvertiserRow, type DashboardRow, advertisers } from '../collections.ts';
import type { MagicLinks } from './magic-links.ts';

/**
 * Access to advertisers: for the browser that created them, and for browsers that opened a link that was emailed to them
 * (decision 160).
 */
export interface AdvertiserAccess {
  /** The hash of this browser's secret. Sets a secret if it has none. */
  holderOf(ctx: Context): string;
  /** The dashboard that this browser opened by a link, if any. */
  dashboardOf(ctx: Context): Promise<DashboardRow | null>;
  /** All advertisers that this browser can access. */
  advertisersOf(ctx: Context): Promise<AdvertiserRow[]>;
  /** @throws HttpError 404 if this browser cannot access it */
  own(ctx: Context, advertiserId: string): Promise<AdvertiserRow>;
}

export const advertiserNotFound = () => new HttpError(404, 'Advertiser not found');

/** Access by two cookies: the secret of the browser that created the advertiser, and the token of a link. */
export function advertiserAccess(
  { db }: Pick<Services, 'db'>,
  links: MagicLinks,
): AdvertiserAccess {
  async function dashboardOf(ctx: Context): Promise<DashboardRow | null> {
    const token = readCookie(ctx, DASHBOARD_COOKIE);
    return token ? links.read(token) : null;
  }

  async function mine(ctx: Context): Promise<Filter<AdvertiserRow> | null> {
    const secret = browserSecret(ctx, ADVERTISER_COOKIE);
    const dashboard = await dashboardOf(ctx);
    const ways = [
      ...(secret ? [{ holder: tokenHash(secret) }] : []),
      ...(dashboard ? [{ email: dashboard.email }] : []),
    ];
    return ways.length > 0 ? { $or: ways } : null;
  }

  return {
    holderOf: (ctx) => tokenHash(ensureBrowserSecret(ctx, ADVERTISER_COOKIE)),
    dashboardOf,
    async advertisersOf(ctx) {
      const filter = await mine(ctx);
      return filter ? advertisers(db).find(filter).sort({ created_at: 1, _id: 1 }).toArray() : [];
    },
    async own(ctx, _id) {
      const filter = await mine(ctx);
      const row = filter && (await advertisers(db).findOne({ _id, ...filter }));
      if (!row) throw advertiserNotFound();
      return row;
    },
  };
}

import type { Context } from 'koa';
import type { Filter } from 'mongodb';
import { ADVERTISER_COOKIE } from '#shared/advertisers/contract.ts';
import { DASHBOARD_COOKIE } from '#shared/advertisers/dashboard-contract.ts';
import { tokenHash } from '#shared/server/collections.ts';
import { browserSecret, keepBrowserSecret, readCookie } from '../../http/cookies.ts';
import { HttpError } from '../../http/http-error.ts';
import type { Services } from '../../services.ts';
import type { MagicLinks } from './magic-links.ts';
import { type AdvertiserRow, type DashboardRow, advertisers } from '../collections.ts';

/**
 * Whose an advertiser's things are: of the browser that began with them, and of whoever came by a link that was sent to
 * their email. Ids alone give nothing.
 */
export interface AdvertiserAccess {
  /** The hash of this browser's secret, which it is given when it has none. */
  holderOf(ctx: Context): string;
  /** Whose dashboard this browser opened by a link, if any. */
  dashboardOf(ctx: Context): Promise<DashboardRow | null>;
  /** All that are this browser's. */
  advertisersOf(ctx: Context): Promise<AdvertiserRow[]>;
  /** @throws HttpError 404 unless it is this browser's */
  own(ctx: Context, advertiserId: string): Promise<AdvertiserRow>;
}

export const advertiserNotFound = () => new HttpError(404, 'Advertiser not found');

/** By two cookies: the secret of the browser that began, and the token of a link. */
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
    holderOf: (ctx) => tokenHash(keepBrowserSecret(ctx, ADVERTISER_COOKIE)),
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

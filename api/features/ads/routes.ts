import type { z } from 'zod';
import {
  clickAd,
  clickPaidAd,
  listAds,
  listPaidAds,
  listShownAds,
  seeAd,
} from '#shared/ads/contract.ts';
import { pictureUrl } from '../../platform/files/public-owner.ts';
import { runIsolated } from '../../platform/for-each-isolated.ts';
import { secretsOf } from '../../platform/hmac.ts';
import { serve, type Call } from '../../platform/http/mount-endpoint.ts';
import { addressOf, networkOf } from '../../platform/http/request-origin.ts';
import type { Api } from '../../platform/services.ts';
import { addUp } from './ad-counters.ts';
import { running } from './bookings.ts';
import {
  type AdvertisementRow,
  type BookingRow,
  advertisements,
  advertisementBookings,
} from './collections.ts';
import { adEvents } from './events.ts';
import { pickTogether } from './pick-ads.ts';
import { views } from './view-tokens.ts';
import { visitors } from './visitor-hash.ts';

type Wanted = z.output<NonNullable<(typeof listAds)['query']>>;

/** Serving ads, and recording their views and clicks. */
export function mountAds(api: Api): void {
  const { services } = api;
  const { env, db, limiter } = services;
  const limitReads = limiter({ name: 'ads', points: 600, seconds: 60 });
  const limitEvents = limiter({ name: 'ad-events', points: 600, seconds: 60 });
  const given = views(secretsOf(env));
  const who = visitors(db);
  const events = adEvents(services, { views: given, visitors: who });
  services.registerJob('ad visitor salts', who.runJob);
  services.registerJob('ad counters', async () => {
    await runIsolated([() => addUp(db, new Date()), () => events.runJob()]);
  });

  /** Images of other sites would reveal visitors to them, and the Content-Security-Policy blocks them anyway. */
  const ownPicture = (address: string | null): string | null => {
    const url = address === null ? null : URL.parse(address);
    return url?.origin === env.PUBLIC_ORIGIN ? `${url.pathname}${url.search}` : null;
  };

  const pickPaid = pickTogether<BookingRow>(db, advertisementBookings(db), running);
  const pickHouse = pickTogether<AdvertisementRow>(db, advertisements(db), (placement, now) => ({
    placement,
    active: true,
    $or: [{ expires_at: null }, { expires_at: { $gt: now } }],
  }));

  const paidAds = async (query: Wanted, now: Date) => ({
    ads: (await pickPaid(query)).map((row) => ({
      ...row,
      id: row._id,
      image_url: pictureUrl(row.image_key),
      active: true,
      priority: 1,
      created_at: row.created_at.toISOString(),
      expires_at: row.scheduled_end_at.toISOString(),
      view_id: given.idFor(row._id, now),
    })),
  });
  const houseAds = async (query: Wanted, now: Date) => ({
    ads: (await pickHouse(query)).map(({ _id, ...row }) => ({
      ...row,
      id: _id,
      image_url: ownPicture(row.image_url),
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at?.toISOString() ?? null,
      view_id: given.idFor(_id, now),
    })),
  });

  serve(api, listPaidAds, async ({ query, ctx }) => {
    await limitReads(networkOf(addressOf(ctx)));
    return paidAds(query, new Date());
  });

  serve(api, listAds, async ({ query, ctx }) => {
    await limitReads(networkOf(addressOf(ctx)));
    return houseAds(query, new Date());
  });

  serve(api, listShownAds, async ({ query, ctx }) => {
    await limitReads(networkOf(addressOf(ctx)));
    const now = new Date();
    const paid = await paidAds(query, now);
    return paid.ads.length > 0 ? paid : houseAds(query, now);
  });

  serve(api, seeAd, async ({ body, visitor, ctx }) => {
    await limitEvents(networkOf(addressOf(ctx)));
    await events.seen(ctx, visitor, body);
    return {};
  });

  type Click = Call<unknown, unknown, Parameters<typeof events.clicked>[2]>;
  const recordClick = async ({ body, visitor, ctx, idFor }: Click) => {
    await limitEvents(networkOf(addressOf(ctx)));
    await events.clicked(ctx, visitor, body, idFor);
    return {};
  };
  serve(api, clickAd, recordClick);
  serve(api, clickPaidAd, recordClick);
}

import {
  changeAdvertiserAds,
  changeListings,
  putBackAd,
  putBackListing,
  refundAd,
  takeDownAd,
  takeDownListing,
  type AdChanges,
} from '#shared/advertisers/admin-contract.ts';
import { doEach } from '../../../platform/admin/do-each.ts';
import { serve } from '../../../platform/http/mount-endpoint.ts';
import type { Api } from '../../../platform/services.ts';
import type { Caller } from '../../../platform/session-cache.ts';
import { adNotFound, readOneAd } from '../serialize.ts';
import type { TakeDowns } from './take-downs.ts';

/** What admins do about paid ads that should not be shown, one by one and several at once. */
export function mountTakeDowns(api: Api, downs: TakeDowns): void {
  const { db } = api.services;
  const { timedAd, listing } = readOneAd(db);

  serve(api, takeDownAd, async ({ params: { id }, body, caller }) => {
    await downs.takeDown(caller, id, body);
    return timedAd(id);
  });

  serve(api, putBackAd, async ({ params: { id }, body, caller }) => {
    await downs.putBack(caller, id, body.version);
    return timedAd(id);
  });

  serve(api, refundAd, async ({ params: { id }, body, caller }) => {
    await downs.refund(caller, id, body);
    return timedAd(id);
  });

  serve(api, takeDownListing, async ({ params: { id }, body, caller }) => {
    await downs.takeDown(caller, id, body);
    return listing(id);
  });

  serve(api, putBackListing, async ({ params: { id }, body, caller }) => {
    await downs.putBack(caller, id, body.version);
    return listing(id);
  });

  serve(api, changeAdvertiserAds, ({ body, caller }) =>
    change(caller, body, (id) => {
      const number = Number(id);
      if (!Number.isSafeInteger(number)) throw adNotFound();
      return number;
    }),
  );

  serve(api, changeListings, ({ body, caller }) => change(caller, body, (id) => id));

  function change(caller: Caller, body: AdChanges, idOf: (id: string) => number | string) {
    return doEach(body.items, async (item) => {
      const id = idOf(item.id);
      const { version } = item;
      if (body.action === 'put-back') return downs.putBack(caller, id, version);
      const { reason } = body;
      return body.action === 'pay-back'
        ? downs.payBack(caller, id, { reason, version })
        : downs.takeDown(caller, id, { reason, refund: false, version });
    });
  }
}

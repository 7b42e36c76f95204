import { useEffect, useState } from 'react';
import { listAds, listPaidAds, type Ad, type Placement } from '#shared/ads/contract.ts';
import { isWebAddress } from '#shared/ads/rules.ts';
import { call } from '../http/api.ts';

type SlotState = Ad | 'loading' | 'none' | 'failed';

/** How long an ad stays in its slot, across screens, because it counts as one view. */
const STAY_MS = 5 * 60_000;
const shown = new Map<Placement, { ad: Ad; at: number }>();

/** Loads a paid ad, or a house ad if there is none or no answer. */
async function load(placement: Placement): Promise<Ad | undefined> {
  const query = { placement };
  const paid = await call(listPaidAds, { query }).catch(() => null);
  const ads = paid?.ads.length ? paid.ads : (await call(listAds, { query })).ads;
  return ads.find((ad) => isWebAddress(ad.target_url));
}

/** Returns the ad of a slot. Doesn't use TanStack Query, which would exceed the landing page's size budget. */
export function useAd(placement: Placement): SlotState {
  const [slot, setSlot] = useState<SlotState>(() => shown.get(placement)?.ad ?? 'loading');
  useEffect(() => {
    const fill = async () => {
      const last = shown.get(placement);
      if (document.hidden || (last && Date.now() - last.at < STAY_MS)) return;
      try {
        const ad = await load(placement);
        if (ad) shown.set(placement, { ad, at: Date.now() });
        else shown.delete(placement);
        setSlot(ad ?? 'none');
      } catch {
        // Offline, the last ad stays; without one, the slot stays empty.
        if (!last) setSlot(navigator.onLine ? 'failed' : 'none');
      }
    };
    void fill();
    window.addEventListener('online', fill);
    // Slots are sold by the hour, so an app that was left open must refresh.
    document.addEventListener('visibilitychange', fill);
    return () => {
      window.removeEventListener('online', fill);
      document.removeEventListener('visibilitychange', fill);
    };
  }, [placement]);
  return slot;
}

import { useEffect, useState } from 'react';
import { listAds, listPaidAds, type Ad, type Placement } from '#shared/ads/contract.ts';
import { isWebAddress } from '#shared/ads/rules.ts';
import { call } from '../http/api.ts';

type SlotState = Ad | 'loading' | 'none' | 'failed';

/** An ad stays in its slot so long, also over screens that come and go: it was given out once and counts once. */
const STAYS_MS = 5 * 60_000;
const shown = new Map<Placement, { ad: Ad; at: number }>();

/** Paid ads first; none of them, or no answer, leads to house ads. */
async function load(placement: Placement): Promise<Ad | undefined> {
  const query = { placement };
  const paid = await call(listPaidAds, { query }).catch(() => null);
  const ads = paid?.ads.length ? paid.ads : (await call(listAds, { query })).ads;
  return ads.find((ad) => isWebAddress(ad.target_url));
}

/** The ad of a slot. Not by way of the queries of the member screens: the landing page has no room for them. */
export function useAd(placement: Placement): SlotState {
  const [slot, setSlot] = useState<SlotState>(() => shown.get(placement)?.ad ?? 'loading');
  useEffect(() => {
    const fill = async () => {
      const last = shown.get(placement);
      if (document.hidden || (last && Date.now() - last.at < STAYS_MS)) return;
      try {
        const ad = await load(placement);
        if (ad) shown.set(placement, { ad, at: Date.now() });
        else shown.delete(placement);
        setSlot(ad ?? 'none');
      } catch {
        // Without a network the last one stays; and where there was none, nobody misses it.
        if (!last) setSlot(navigator.onLine ? 'failed' : 'none');
      }
    };
    void fill();
    window.addEventListener('online', fill);
    // An app that is left open is come back to, and its slot is sold by the hour.
    document.addEventListener('visibilitychange', fill);
    return () => {
      window.removeEventListener('online', fill);
      document.removeEventListener('visibilitychange', fill);
    };
  }, [placement]);
  return slot;
}

import { useCallback, useRef, useEffect, useState } from 'react';
import { type Ad, listShownAds, type Placement } from '#shared/ads/contract.ts';
import { isWebAddress } from '#shared/ads/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { call } from '../../platform/http/api.ts';
import { reachability } from '../../platform/http/reachability.ts';
import { AD_FRAME, AdFace } from './ad-content.tsx';
import { EmptySlot } from './empty-slot.tsx';
import { clickNow, reportSeen, untilSeen } from './reports.ts';
import type { SlotProps } from './slot-props.ts';
import { useViewable } from './use-viewable.ts';

const NAMES: Record<SlotProps['placement'], string> = {
  banner: 'Sponsor',
  inline: 'Sponsor (between items)',
  sidebar: 'Sponsor (sidebar)',
};

/** The content of a slot: an ad or the fallback. */
export default function SlotContent({
  placement,
  fallback,
  sendClick,
  height,
}: SlotProps & { height: string }) {
  const slot = useAd(placement);
  if (typeof slot === 'string') {
    if (slot !== 'failed' && fallback === undefined) return null;
    const text = fallback === undefined ? 'Failed to load advertisements' : fallback;
    return <EmptySlot height={height}>{text}</EmptySlot>;
  }
  return (
    <section aria-label={NAMES[placement]} className={height}>
      <AdLink key={slot.view_id} ad={slot} sendClick={sendClick} />
    </section>
  );
}

/** An ad that opens its target in a new tab, and reports views and clicks to the server. */
export function AdLink({
  ad,
  sendClick = clickNow,
}: {
  ad: Ad;
  sendClick: ((ad: Ad) => Promise<void>) | undefined;
}) {
  const link = useRef<HTMLAnchorElement>(null);
  useViewable(
    link,
    useCallback(() => reportSeen(ad), [ad]),
  );

  async function record() {
    await untilSeen(ad);
    await sendClick(ad).catch((error: unknown) => console.warn('Not recorded', error));
  }

  return (
    <a
      ref={link}
      href={ad.target_url}
      target="_blank"
      rel="noopener sponsored"
      onClick={() => void record()}
      onAuxClick={({ button }) => button === 1 && void record()}
      className={`${AD_FRAME} hover:bg-sunken`}
    >
      <AdFace {...ad} />
      <span className="sr-only">opens in a new tab</span>
    </a>
  );
}

type SlotState = Ad | 'loading' | 'none' | 'failed';

/** How long an ad stays in its slot, across screens, because it counts as one view. */
const STAY_MS = 5 * MINUTE_MS;
const shown = new Map<Placement, { ad: Ad; at: number }>();

/** Loads a paid ad, or a house ad if there is none. */
export async function loadAd(placement: Placement): Promise<Ad | undefined> {
  const { ads } = await call(listShownAds, { query: { placement } });
  return ads.find((ad) => isWebAddress(ad.target_url));
}

/** Returns the ad of a slot. Doesn't use TanStack Query, which would exceed the landing page's size budget. */
function useAd(placement: Placement): SlotState {
  const [slot, setSlot] = useState<SlotState>(() => shown.get(placement)?.ad ?? 'loading');
  useEffect(() => {
    const fill = async () => {
      const last = shown.get(placement);
      if (document.hidden || (last && Date.now() - last.at < STAY_MS)) return;
      try {
        const ad = await loadAd(placement);
        if (ad) shown.set(placement, { ad, at: Date.now() });
        else shown.delete(placement);
        setSlot(ad ?? 'none');
      } catch {
        // Offline, the last ad stays; without one, the slot stays empty.
        if (!last) setSlot(reachability.get() ? 'failed' : 'none');
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

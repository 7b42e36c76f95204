import { useCallback, useRef } from 'react';
import type { Ad } from '#shared/ads/contract.ts';
import { AD_FRAME, AdFace } from './ad-content.tsx';
import { clickNow, reportSeen, untilSeen } from './reports.ts';
import { useViewable } from './use-visible-for.ts';

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

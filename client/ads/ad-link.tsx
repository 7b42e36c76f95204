import { useCallback, useRef, useState } from 'react';
import type { Ad } from '#shared/ads/contract.ts';
import { clickNow, reportSeen, untilSeen } from './reports.ts';
import { useSeen } from './use-seen.ts';

/** Whoever pays by the megabyte, or asks to load little, gets the words alone. */
const savesData = () =>
  matchMedia('(prefers-reduced-data: reduce)').matches ||
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

const LOOKS = {
  banner: { edge: 40, picture: 'size-10', title: 'line-clamp-1', words: 'line-clamp-1' },
  inline: { edge: 80, picture: 'size-20', title: 'line-clamp-1', words: 'line-clamp-2' },
  sidebar: { edge: 128, picture: 'size-32', title: 'line-clamp-2', words: 'line-clamp-3' },
};

/** An ad that leads to its target in a new tab; seen and clicked, it says so to the server. */
export function AdLink({
  ad,
  sendClick = clickNow,
}: {
  ad: Ad;
  sendClick: ((ad: Ad) => Promise<void>) | undefined;
}) {
  const link = useRef<HTMLAnchorElement>(null);
  const [isBroken, setBroken] = useState(savesData);
  useSeen(
    link,
    useCallback(() => reportSeen(ad), [ad]),
  );

  async function record() {
    await untilSeen(ad);
    await sendClick(ad).catch((error: unknown) => console.warn('Not recorded', error));
  }

  const look = LOOKS[ad.placement === 'modal' ? 'sidebar' : ad.placement];
  return (
    <a
      ref={link}
      href={ad.target_url}
      target="_blank"
      rel="noopener sponsored"
      onClick={() => void record()}
      onAuxClick={({ button }) => button === 1 && void record()}
      className="flex size-full items-center gap-3 overflow-hidden rounded-card border border-line bg-surface px-3 text-ink hover:bg-sunken"
    >
      {ad.image_url && !isBroken && (
        <img
          src={ad.image_url}
          alt=""
          width={look.edge}
          height={look.edge}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
          className={`${look.picture} shrink-0 rounded-control bg-sunken object-cover`}
        />
      )}
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="text-xs text-soft">Sponsored</span>
        <span className={`leading-tight font-bold ${look.title}`}>{ad.title}</span>
        <span className={`text-sm text-soft ${look.words}`}>{ad.description}</span>
      </span>
      <span className="sr-only">opens in a new tab</span>
    </a>
  );
}

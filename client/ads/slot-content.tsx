import { AdLink } from './ad-link.tsx';
import { EmptySlot } from './empty-slot.tsx';
import type { SlotProps } from './slot.tsx';
import { useAd } from './use-ad.ts';

const NAMES = { banner: 'Sponsor', inline: 'Sponsor, in between', sidebar: 'Sponsor, aside' };

/** What is in a slot: an ad, or what stands for it. */
export default function SlotContent({
  placement,
  fallback,
  sendClick,
  height,
}: SlotProps & { height: string }) {
  const slot = useAd(placement);
  if ((slot === 'loading' || slot === 'none') && !fallback) return null;
  if (slot === 'loading') return <EmptySlot height={height} />;
  if (slot === 'none' || slot === 'failed')
    return <EmptySlot height={height}>{fallback ?? 'Failed to load advertisements'}</EmptySlot>;
  return (
    <section aria-label={NAMES[placement]} className={height}>
      <AdLink key={slot.view_id} ad={slot} sendClick={sendClick} />
    </section>
  );
}

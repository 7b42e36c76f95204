import { AdLink } from './ad-link.tsx';
import { EmptySlot } from './empty-slot.tsx';
import type { SlotProps } from './slot-props.ts';
import { useAd } from './use-ad.ts';

const NAMES = {
  banner: 'Sponsor',
  inline: 'Sponsor (between items)',
  sidebar: 'Sponsor (sidebar)',
};

/** What is in a slot: an ad, or what stands for it. */
export default function SlotContent({
  placement,
  fallback,
  sendClick,
  height,
}: SlotProps & { height: string }) {
  const slot = useAd(placement);
  if (typeof slot === 'string') {
    if (slot !== 'failed' && !fallback) return null;
    const words = slot !== 'loading' && (fallback ?? 'Failed to load advertisements');
    return <EmptySlot height={height}>{words}</EmptySlot>;
  }
  return (
    <section aria-label={NAMES[placement]} className={height}>
      <AdLink key={slot.view_id} ad={slot} sendClick={sendClick} />
    </section>
  );
}

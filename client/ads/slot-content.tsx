import { AdLink } from './ad-link.tsx';
import { EmptySlot } from './empty-slot.tsx';
import type { SlotProps } from './slot-props.ts';
import { useAd } from './use-ad.ts';

const NAMES = {
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
    if (slot !== 'failed' && !fallback) return null;
    const text = slot !== 'loading' && (fallback ?? 'Failed to load advertisements');
    return <EmptySlot height={height}>{text}</EmptySlot>;
  }
  return (
    <section aria-label={NAMES[placement]} className={height}>
      <AdLink key={slot.view_id} ad={slot} sendClick={sendClick} />
    </section>
  );
}

import { Volume2, VolumeX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useAudioAvailability, useProximity } from '../use-proximity.ts';

/** How long it says that warnings can be heard again. */
const HEARD_MS = 5_000;

/**
 * Shown while the leading tab can't play sound before a tap, such as after it was opened by a link or reloaded by the
 * phone. The dashboard shows more details.
 */
export function MutedTabNotice() {
  const { leads, status } = useProximity();
  const { audio, speech } = useAudioAvailability();
  const { pathname } = useLocation();
  const isSilent = leads && status !== 'off' && audio === 'blocked' && speech === 'blocked';
  // It stays for a while: a notice that goes with the tap would move what is tapped.
  const [shownAt, setShownAt] = useState<string | null>(null);
  if (isSilent && shownAt !== pathname) setShownAt(pathname);
  useEffect(() => {
    if (isSilent || shownAt === null) return undefined;
    const timer = setTimeout(() => setShownAt(null), HEARD_MS);
    return () => clearTimeout(timer);
  }, [isSilent, shownAt]);
  const Icon = isSilent ? VolumeX : Volume2;
  return (
    <div role="status" className="empty:hidden">
      {(isSilent || shownAt === pathname) && pathname !== '/home' && (
        <p
          data-makes-room
          className="mx-4 mb-3 flex gap-2 rounded-control border border-line-strong bg-surface p-3 sm:mx-6"
        >
          <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
          {isSilent
            ? 'Warnings are silent in this tab until you tap it.'
            : 'Warnings can be heard in this tab now.'}
        </p>
      )}
    </div>
  );
}

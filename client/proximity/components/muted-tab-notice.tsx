import { VolumeX } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { useHearing, useProximity } from '../use-proximity.ts';

/**
 * Says where the tab that warns may not be heard before somebody taps it, as one that was opened by a link or that the phone loaded
 * anew. The dashboard says more of it.
 */
export function SilentTab() {
  const { leads, status } = useProximity();
  const { audio, speech } = useHearing();
  const { pathname } = useLocation();
  const isSilent = leads && status !== 'off' && audio === 'blocked' && speech === 'blocked';
  return (
    <div role="status" className="empty:hidden">
      {isSilent && pathname !== '/home' && (
        <p className="mx-4 mb-3 flex gap-2 rounded-control border border-line-strong bg-surface p-3 sm:mx-6">
          <VolumeX aria-hidden className="mt-0.5 size-5 shrink-0" />
          Warnings are silent in this tab until you tap it.
        </p>
      )}
    </div>
  );
}

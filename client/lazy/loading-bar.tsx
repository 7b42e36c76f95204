import { useSyncExternalStore } from 'react';
import { slowLoading } from './import-with-retry.ts';

/** Says at the screen's upper edge that what was pressed was heard, and that what it opens is on its way. */
export function PartProgress() {
  const isSlow = useSyncExternalStore(slowLoading.subscribe, slowLoading.get);
  return (
    isSlow && (
      <div role="status" className="fixed inset-x-0 top-0 z-50 pt-[env(safe-area-inset-top)]">
        <span className="sr-only">One moment…</span>
        <span aria-hidden className="block h-1 animate-pulse bg-accent" />
      </div>
    )
  );
}

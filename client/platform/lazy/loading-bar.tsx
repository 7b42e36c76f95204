import { useSyncExternalStore } from 'react';
import { slowLoading } from './import-with-retry.ts';

/** A progress bar at the top of the screen while a chunk that the user opened is loading. */
export function LoadingBar() {
  const isSlow = useSyncExternalStore(slowLoading.subscribe, slowLoading.get);
  return (
    isSlow && (
      <div role="status" className="fixed inset-x-0 top-0 z-50 pt-[env(safe-area-inset-top)]">
        <span className="sr-only">Loading…</span>
        <span aria-hidden className="block h-1 animate-pulse bg-accent" />
      </div>
    )
  );
}

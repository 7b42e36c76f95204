import { Download } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { PRODUCT } from '../product.ts';
import { Button } from '../ui/button.tsx';
import { dismissInstall, install, installEvent, onInstallEvent } from './install-event.ts';

const DELAY_MS = 3_000;

/** Offers to install the app, a moment after the browser says that it can be. */
export function InstallPrompt() {
  const event = useSyncExternalStore(onInstallEvent, installEvent);
  const [shownFor, setShownFor] = useState<Event | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setShownFor(event), DELAY_MS);
    return () => clearTimeout(timer);
  }, [event]);
  if (!event || shownFor !== event) return null;
  return (
    <aside
      aria-label="Install"
      className="fixed inset-x-3 bottom-[calc(5rem+env(safe-area-inset-bottom))] z-20 mx-auto max-w-md rounded-card border border-line bg-surface p-4 text-ink shadow-lift md:bottom-6"
    >
      <p role="status">
        <span className="block font-bold">Install {PRODUCT}</span>
        <span className="text-soft">It opens from your home screen, without a network too.</span>
      </p>
      <div className="mt-3 flex gap-2">
        <Button look="secondary" onClick={dismissInstall} className="whitespace-nowrap">
          Not now
        </Button>
        <Button
          wide
          onClick={() => void install()}
          icon={<Download aria-hidden className="size-5" />}
        >
          Install
        </Button>
      </div>
    </aside>
  );
}

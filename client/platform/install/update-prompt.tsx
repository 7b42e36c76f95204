import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '../ui/buttons/button.tsx';
import { registerWorker, takeUpdate, updateReady } from './register-service-worker.ts';

let isRegistered = false;

/** Caches the app on this device, and offers a newer version. Never reloads automatically. */
export function UpdatePrompt() {
  const ready = useSyncExternalStore(updateReady.subscribe, updateReady.get);
  const [later, setLater] = useState(false);
  useEffect(() => {
    if (isRegistered) return;
    isRegistered = true;
    registerWorker();
  }, []);
  if (!ready || later) return null;
  return (
    <aside
      aria-label="Update"
      className="mx-4 mb-3 flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-surface p-3 shadow-lift sm:mx-6"
    >
      <p role="status" className="font-bold">
        A new version is ready.
      </p>
      <div className="flex gap-2">
        <Button look="quiet" onClick={() => setLater(true)}>
          Later
        </Button>
        <Button onClick={takeUpdate}>Reload</Button>
      </div>
    </aside>
  );
}

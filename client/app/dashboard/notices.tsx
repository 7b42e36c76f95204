import { CloudOff, FlaskConical } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { earlySettled } from '../../platform/http/early-settled.ts';
import { probe, sandboxProviders } from '../../platform/http/reachability.ts';
import { useReachable } from '../../platform/http/use-reachable.ts';
import { offlineText } from '../../platform/offline-text.ts';

/** Labels of sandbox providers whose ids don’t say what they simulate. */
const SANDBOX_PROVIDERS: Record<string, string> = {
  google: 'Google sign-in',
  sms: 'text messages',
  'google-pay': 'Google Pay',
};

const CACHE_KEY = 'sandbox_providers';

/** Returns the providers that the server reported at the last start; null when none are cached. */
function cachedProviders(): string[] | null {
  try {
    return localStorage.getItem(CACHE_KEY)?.split(',').filter(Boolean) ?? null;
  } catch {
    return null;
  }
}

function cacheProviders(names: readonly string[]): void {
  try {
    localStorage.setItem(CACHE_KEY, names.join(','));
  } catch {
    // The next start reserves space for a line, as this one did.
  }
}

/** Notices on every screen: that the device is offline, and that this installation uses sandbox providers. */
export function Notices() {
  const online = useReachable();
  const text = useSyncExternalStore(offlineText.subscribe, offlineText.get);
  const reported = useSyncExternalStore(sandboxProviders.subscribe, sandboxProviders.get);
  const [cached] = useState(cachedProviders);
  const providers = reported ?? cached;
  // Decided at the first render, because a late notice must not move the content below. Before the providers are known,
  // reserves space for a line.
  const [hasRoom] = useState(() => providers === null || providers.length > 0);
  useEffect(() => {
    // A start has asked for the providers, too.
    if (online) void earlySettled().then(() => (sandboxProviders.get() ? undefined : probe()));
  }, [online]);
  useEffect(() => {
    if (reported) cacheProviders(reported);
  }, [reported]);
  return (
    <aside aria-label="Notices" className={`text-sm ${hasRoom ? 'min-h-11' : 'empty:hidden'}`}>
      <div role="status" className="empty:hidden">
        {!online && (
          <p className="flex min-h-11 items-center gap-3 bg-ink px-4 py-1.5 font-bold text-ground sm:justify-center">
            <CloudOff aria-hidden className="size-4 shrink-0" />
            {text}
          </p>
        )}
      </div>
      {online && providers && providers.length > 0 && (
        <details data-makes-room className="bg-sunken text-soft">
          <summary className="flex min-h-11 cursor-pointer list-none items-center justify-center gap-2 px-4 text-center">
            <FlaskConical aria-hidden className="size-4 shrink-0" />
            <span>
              Trial:{' '}
              <span className="underline underline-offset-4">
                {providers.length === 1 ? '1 service is' : `${providers.length} services are`}{' '}
                simulated
              </span>
            </span>
          </summary>
          <p className="px-4 pb-3 text-center">
            Simulated: {providers.map((name) => SANDBOX_PROVIDERS[name] ?? name).join(', ')}
          </p>
        </details>
      )}
    </aside>
  );
}

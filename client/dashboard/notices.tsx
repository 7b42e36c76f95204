import { CloudOff, FlaskConical } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { health } from '#shared/health/contract.ts';
import { call } from '../http/api.ts';

const subscribe = (changed: () => void) => {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
};

/** What a stand-in stands in for, where its name does not say so. */
const STAND_INS: Record<string, string> = {
  google: 'Google sign-in',
  sms: 'text messages',
  'google-pay': 'Google Pay',
};

const KEPT = 'stand_ins';

/** What this installation said at the last start; null when it never said anything. */
function lastStandIns(): string[] | null {
  try {
    return localStorage.getItem(KEPT)?.split(',').filter(Boolean) ?? null;
  } catch {
    return null;
  }
}

function keepStandIns(names: string[]): void {
  try {
    localStorage.setItem(KEPT, names.join(','));
  } catch {
    // The next start makes room for a line, as this one did.
  }
}

const line = 'flex min-h-11 items-center justify-center gap-2 px-4 text-center';

/** What holds for every screen: that there is no network, and that this installation only pretends in parts. */
export function Notices() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const [standIns, setStandIns] = useState(lastStandIns);
  // Taken at the first drawing and kept: what comes late must not move what is below. Where nothing is known yet there is
  // room for a line, whether or not it comes.
  const [hasRoom] = useState(() => standIns === null || standIns.length > 0);
  useEffect(() => {
    if (!online) return;
    const leaving = new AbortController();
    const ask = async () => {
      const { stand_ins } = await call(health, { signal: leaving.signal });
      keepStandIns(stand_ins);
      setStandIns(stand_ins);
    };
    ask().catch(() => null);
    return () => leaving.abort();
  }, [online]);
  return (
    <aside aria-label="Notices" className={`text-sm ${hasRoom ? 'min-h-11' : 'empty:hidden'}`}>
      <div role="status" className="empty:hidden">
        {!online && (
          <p className={`${line} bg-ink font-bold text-ground`}>
            <CloudOff aria-hidden className="size-4 shrink-0" />
            You’re offline. You can still view and edit everything on this device.
          </p>
        )}
      </div>
      {online && standIns && standIns.length > 0 && (
        <details className="bg-sunken text-soft">
          <summary className={`${line} cursor-pointer list-none`}>
            <FlaskConical aria-hidden className="size-4 shrink-0" />
            <span>
              Trial:{' '}
              <span className="underline underline-offset-4">
                {standIns.length === 1 ? '1 service is' : `${standIns.length} services are`}{' '}
                simulated
              </span>
            </span>
          </summary>
          <p className="px-4 pb-3 text-center">
            Simulated: {standIns.map((name) => STAND_INS[name] ?? name).join(', ')}
          </p>
        </details>
      )}
    </aside>
  );
}

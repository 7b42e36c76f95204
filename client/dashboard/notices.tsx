import { CloudOff, FlaskConical } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { health } from '#shared/health/contract.ts';
import { call } from '../api.ts';

const subscribe = (changed: () => void) => {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
};

/** What each stand-in stands in for, in words. */
const STAND_INS: Record<string, string> = {
  google: 'Google sign-in',
  weather: 'weather',
  email: 'email',
  sms: 'text messages',
  'google-pay': 'Google Pay',
};

const line = 'flex items-center justify-center gap-2 px-4 py-1.5 text-center text-sm';

/** What holds for every screen: that there is no network, and that this installation only pretends in parts. */
export function Notices() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const [standIns, setStandIns] = useState<string[]>([]);
  useEffect(() => {
    if (!online) return;
    const leaving = new AbortController();
    call(health, { signal: leaving.signal }).then(
      (answer) => setStandIns(answer.stand_ins),
      () => null,
    );
    return () => leaving.abort();
  }, [online]);
  return (
    <aside aria-label="Notices" className="empty:hidden">
      <div role="status" className="empty:hidden">
        {!online && (
          <p className={`${line} bg-ink font-semibold text-ground`}>
            <CloudOff aria-hidden className="size-4 shrink-0" />
            You are offline. What is on this device still opens and changes.
          </p>
        )}
      </div>
      {online && standIns.length > 0 && (
        <p className={`${line} bg-sunken text-soft`}>
          <FlaskConical aria-hidden className="size-4 shrink-0" />
          Trial. Simulated: {standIns.map((name) => STAND_INS[name] ?? name).join(', ')}
        </p>
      )}
    </aside>
  );
}

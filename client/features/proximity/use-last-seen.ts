import { useEffect, useState } from 'react';
import { durationWords } from '../../platform/duration-words.ts';
import type { ShownAlert } from './alerts/shown-alert.ts';
import { useProximity } from './use-proximity.ts';

/** Near somebody, answers come every few seconds: a distance that is this old may be wrong by a street. */
const OLD_MS = 15_000;
const EVERY_MS = 5_000;

/** Returns how long ago it was last known how far somebody is, such as 'Last seen 20 seconds ago'; null while that is current. */
export function useLastSeen({ receivedAt }: Pick<ShownAlert, 'receivedAt'>): string | null {
  const { status } = useProximity();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (status === 'starting') return null;
  const age = Math.max(0, now - receivedAt);
  if (status === 'active' && age < OLD_MS) return null;
  return `Last seen ${age < 1000 ? 'a moment' : durationWords(age)} ago`;
}

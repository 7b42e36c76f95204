import { useEffect, useState } from 'react';
import { durationWords } from '../../platform/duration-words.ts';
import { useProximity } from './use-proximity.ts';

/** Near somebody, answers come every few seconds: a distance that is this old may be wrong by a street. */
const OLD_MS = 15_000;
const EVERY_MS = 5_000;

/** Returns how long ago distances were last known, such as 'Last seen 20 seconds ago'; null while they are current. */
export function useLastSeen(): string | null {
  const { status, receivedAt } = useProximity();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (receivedAt === null || status === 'starting') return null;
  const age = Math.max(0, now - receivedAt);
  if (status === 'active' && age < OLD_MS) return null;
  return `Last seen ${age < 1000 ? 'a moment' : durationWords(age)} ago`;
}

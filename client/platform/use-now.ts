import { useEffect, useState } from 'react';

const EVERY_MS = 30_000;

/** Returns the time in milliseconds, updated twice a minute, for ages and expirations. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

import { useEffect, useState } from 'react';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts';

const two = (count: number): string => String(count).padStart(2, '0');

/** Formats the time of a walk, such as '4:05' or '1:04:05'; from two days, in days. */
export function elapsedText(milliseconds: number): string {
  const time = Math.max(0, milliseconds);
  if (time >= 2 * DAY_MS) return `${Math.floor(time / DAY_MS)} days`;
  const hours = Math.floor(time / HOUR_MS);
  const minutes = Math.floor((time % HOUR_MS) / MINUTE_MS);
  const seconds = two(Math.floor((time % MINUTE_MS) / 1000));
  return hours > 0 ? `${hours}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

/** The time since then, counting. @param since milliseconds since 1970 */
export function ElapsedTime({ since, className = '' }: { since: number; className?: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span role="timer" aria-label="Time of this walk" className={`tabular-nums ${className}`}>
      {elapsedText(now - since)}
    </span>
  );
}

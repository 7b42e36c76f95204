import { useEffect } from 'react';
import { SHOWN_MAX } from '#shared/push/rules.ts';

/** Keys of notices that this page showed since its last report. */
const shown = new Set<string>();

/** Notes that a notice is on the screen, unless the page is hidden. The next report says so, and no push about it goes out. */
export function markShown(key: string | undefined): void {
  if (key !== undefined && document.visibilityState === 'visible') shown.add(key);
}

/** Takes the newest keys for a report. */
export function takeShown(): string[] {
  const keys = [...shown].slice(-SHOWN_MAX);
  shown.clear();
  return keys;
}

/** Marks notices as shown while they are on the screen. */
export function useShown(keys: readonly string[]): void {
  const all = keys.join('\n');
  useEffect(() => {
    const mark = () => all.split('\n').filter(Boolean).forEach(markShown);
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [all]);
}

import { useEffect } from 'react';
import { toast } from 'sonner';
import type { UnsentCount } from '../session/unsent-summary.ts';
import { hasAny, waitingSentence } from './waiting-changes.tsx';

/** Says after a sign-in how many changes of the last session were unsent. */
export function WaitingChangesToast({ count }: { count: UnsentCount | null }) {
  useEffect(() => {
    if (!count || !hasAny(count)) return;
    // It stays while it is pointed at: what waited then is true for as long.
    toast(waitingSentence(count, ['was', 'were']), {
      id: 'waiting-changes',
      description: 'From before you were signed out. We’ll send what’s left as soon as we can.',
    });
  }, [count]);
  return null;
}

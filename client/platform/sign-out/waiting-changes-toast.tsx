import { useEffect } from 'react';
import { toast } from 'sonner';
import type { UnsentCount } from '../session/unsent-summary.ts';
import { hasAny, waitingSentence } from './waiting-changes.tsx';

/** Says after a sign-in that unsent changes of the last session are being sent. */
export function WaitingChangesToast({ count }: { count: UnsentCount | null }) {
  useEffect(() => {
    if (!count || !hasAny(count)) return;
    const description = 'From before you were signed out.';
    toast(waitingSentence(count), { id: 'waiting-changes', description });
  }, [count]);
  return null;
}

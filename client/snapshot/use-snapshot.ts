import { useEffect } from 'react';
import { useUser } from '../session/use-auth.tsx';
import { keepSnapshot } from './keep.ts';

const SETTLE_MS = 500;

/** Keeps what the screen looks like for the next start, a moment after it was drawn and when it is left. */
export function useSnapshot(isDrawn: boolean): void {
  const id = useUser()?.id;
  useEffect(() => {
    if (!id || !isDrawn) return;
    const keep = () => keepSnapshot(id);
    const timer = setTimeout(keep, SETTLE_MS);
    document.addEventListener('visibilitychange', keep);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', keep);
    };
  }, [id, isDrawn]);
}

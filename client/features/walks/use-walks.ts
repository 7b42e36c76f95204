import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { useWalking } from '../proximity/use-walking.ts';
import { startAttempt } from '../proximity/walk-start.ts';
import { walksOf, type WalkHistory } from './walk-history.ts';
import type { Walk } from './walk.ts';

/** Returns the walk history on this device; null while signed out. */
export function useWalkHistory(): WalkHistory | null {
  const documents = useDocuments();
  return documents && walksOf(documents);
}

/**
 * Returns the walks on this device, newest first; null until they have been read. That may happen during the first render, which
 * an external store would make React start again.
 */
export function useWalks(): readonly Walk[] | null {
  const history = useWalkHistory();
  const [walks, setWalks] = useState(() => history?.getAll() ?? null);
  useEffect(() => {
    const show = () => setWalks(history?.getAll() ?? null);
    show();
    return history?.subscribe(show);
  }, [history]);
  return walks;
}

/** How long an ended walk can be continued with one tap: its warnings stop. */
const KEEP_MS = 10_000;

/** Returns how to end the walk: stops sharing the location, and opens the summary. For a short time it offers to go on with the same walk. */
export function useEndWalk(): () => Promise<void> {
  const history = useWalkHistory();
  const { setWalking } = useWalking();
  const navigate = useNavigate();
  return useCallback(async () => {
    const begun = history?.getCurrent();
    setWalking(false);
    const walk = await history?.end(true);
    if (walk) await navigate(walkPath(walk.id));
    if (!history || !begun) return;
    const keepWalking = async () => {
      // Another one may have begun.
      if (history.getCurrent()) return;
      const stored = history.getAll()?.find(({ id }) => id === begun.id) ?? begun;
      await history.save({ ...stored, endedAt: null });
      startAttempt.set('pending');
      setWalking(true);
      await navigate('/home');
    };
    toast(walk ? 'Walk ended.' : 'Under a minute, and you met no one, so that walk wasn’t saved.', {
      duration: KEEP_MS,
      action: { label: 'Keep walking', onClick: () => void keepWalking() },
    });
  }, [history, setWalking, navigate]);
}

/** Address of a walk's summary. */
export const walkPath = (id: string): string => `/walks/${id}`;

import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { useWalking } from '../proximity/use-walking.ts';
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

/** Returns how to end the walk: stops sharing the location, and opens the summary. */
export function useEndWalk(): () => Promise<void> {
  const history = useWalkHistory();
  const { setWalking } = useWalking();
  const navigate = useNavigate();
  return useCallback(async () => {
    const hasBegun = history?.getCurrent() !== null;
    setWalking(false);
    const walk = await history?.end(true);
    if (walk) await navigate(walkPath(walk.id));
    else if (hasBegun) toast('Under a minute, and you met no one, so that walk wasn’t saved.');
  }, [history, setWalking, navigate]);
}

/** Address of a walk's summary. */
export const walkPath = (id: string): string => `/walks/${id}`;

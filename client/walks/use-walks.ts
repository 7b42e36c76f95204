import { useSyncExternalStore } from 'react';
import { useDocuments } from '../sync/documents/use-document.ts';
import type { Walk } from './walk.ts';
import { walksOf, type WalkHistory } from './walk-history.ts';

const neverChanges = () => () => {};

/** Returns the walk history on this device; null while signed out. */
export function useWalkHistory(): WalkHistory | null {
  const documents = useDocuments();
  return documents && walksOf(documents);
}

/** Returns the walks on this device, newest first; null until they have been read. */
export function useWalks(): readonly Walk[] | null {
  const history = useWalkHistory();
  return useSyncExternalStore(history?.subscribe ?? neverChanges, () => history?.getAll() ?? null);
}

/** Address of a walk's summary. */
export const walkPath = (id: string): string => `/walks/${id}`;

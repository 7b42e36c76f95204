import { useCallback, useEffect, useRef } from 'react';
import { z } from 'zod';
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useDocument, useDocumentsValue } from '../../platform/sync/documents/use-document.ts';
import type { UserDocuments } from '../../platform/sync/documents/user-documents.ts';
import { NO_SYNC } from '../../platform/sync/state/document-state.ts';
import { useWalksHere, walksHere } from '../../platform/walks-here.ts';
import { useSharing } from '../profile/use-sharing.ts';

/** When this device last knew of the walk, in ms by its own clock. */
const SEEN = 'walk-seen';
/** A walk that this device, closed or off, has not seen for so long was forgotten: opening the app shares nothing. */
export const FORGOTTEN_MS = HOUR_MS;

/** Notes that the walk goes on. */
const noteWalk = (userId: string) => writeCache(userId, SEEN, Date.now());

/** Judged once after each start of the app: a walk that goes on is not forgotten. */
const judged = new Map<string, boolean>();

function isForgotten(userId: string): boolean {
  const known = judged.get(userId);
  if (known !== undefined || userId === '') return known ?? false;
  const seenAt = readCache(z.number(), userId, SEEN);
  const forgotten = isWalkForgotten(seenAt, Date.now());
  judged.set(userId, forgotten);
  return forgotten;
}

/** Whether a walk has ended unnoticed. @param seenAt when it was last seen; null if unknown, such as by an older version */
export const isWalkForgotten = (seenAt: number | null, now: number): boolean =>
  seenAt !== null && now - seenAt > FORGOTTEN_MS;

/**
 * Returns whether the owner walks with this device, and sets it. The setting on all devices says whether they may share their
 * location; a walk starts only where somebody starts it.
 */
export function useWalking(): { isWalking: boolean; setWalking: (isWalking: boolean) => void } {
  const userId = useUser()?.id ?? '';
  const { isSharing, saveSharing } = useSharing();
  const isHere = useWalksHere();
  const setWalking = useCallback(
    (isWalking: boolean) => {
      // A walk starts even if sharing is on: ending one on another device at the same moment doesn't end it.
      if (isWalking || isSharing) saveSharing(isWalking);
      judged.set(userId, false);
      if (isWalking) noteWalk(userId);
      walksHere.set(userId, isWalking || null);
    },
    [userId, isSharing, saveSharing],
  );
  return { isWalking: isHere && isSharing && !isForgotten(userId), setWalking };
}

/**
 * Whether sharing was turned off elsewhere.
 * @param known whether it was on when the document last was as the server has it; null before
 * @param now `isCurrent`: whether the document is as the server has it. It may arrive in parts, of which the first ones are of long ago
 * @returns `known` for the next time
 */
export function noteSharing(
  known: boolean | null,
  now: { isSharing: boolean; isCurrent: boolean },
): { known: boolean | null; isEnded: boolean } {
  if (known === null && !now.isCurrent) return { known, isEnded: false };
  // A walk that starts here is known before its setting is.
  return { known: now.isSharing, isEnded: !now.isSharing && known !== false };
}

const isCurrent = (documents: UserDocuments | null): boolean => {
  const { isCompared, isConfirmed } = documents?.getSyncState() ?? NO_SYNC;
  return isCompared && isConfirmed;
};

/** Ends the walk of this device when sharing is turned off on another one, or was while this app was closed. */
export function useEndedElsewhere(): void {
  const userId = useUser()?.id ?? '';
  const { isSharing } = useSharing();
  const { status } = useDocument('account');
  const isDocumentCurrent = useDocumentsValue(isCurrent);
  const knownSharing = useRef<boolean | null>(null);
  useEffect(() => {
    if (status !== 'ready') return;
    const now = { isSharing, isCurrent: isDocumentCurrent };
    const { known, isEnded } = noteSharing(knownSharing.current, now);
    knownSharing.current = known;
    if (isEnded) walksHere.set(userId, null);
  }, [userId, status, isSharing, isDocumentCurrent]);
}

/** Notes each minute that the walk of this device goes on, and ends one that was forgotten. */
export function useWalkAge(): void {
  const userId = useUser()?.id ?? '';
  const { isWalking } = useWalking();
  useEffect(() => {
    if (isForgotten(userId)) walksHere.set(userId, null);
  }, [userId]);
  useEffect(() => {
    if (!isWalking) return undefined;
    noteWalk(userId);
    const timer = setInterval(() => noteWalk(userId), MINUTE_MS);
    return () => clearInterval(timer);
  }, [userId, isWalking]);
}

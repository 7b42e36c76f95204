import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { newId } from '#shared/ids.ts';
import { useUnsentDrafts } from '../../../features/chat/composer/use-drafts.ts';
import { useUnsentPhotos } from '../../../features/chat/photos/use-photos.ts';
import { useUnsentPictures } from '../../../features/dogs/use-pictures.ts';
import { useUnsentPlacePhotos } from '../../../features/locations/place/use-waiting-photos.ts';
import { useUnsentSounds } from '../../../features/sounds/use-sounds.ts';
import { outboxOf, type Outbox, type Outcome, type WaitingCall } from './outbox.ts';
import type { Unsent } from '../status/sync-status-text.ts';
import { SingleTabToaster, type PendingToast } from '../tabs/single-tab-toaster.ts';
import { useDocuments } from '../documents/use-document.ts';
import { messageOf } from '../../http/error-message.ts';

const NOTHING: readonly WaitingCall[] = [];
const neverChanges = () => () => {};

function useOutboxValue<T>(read: (outbox: Outbox | null) => T): T {
  const documents = useDocuments();
  const outbox = documents && outboxOf(documents);
  return useSyncExternalStore(outbox?.subscribe ?? neverChanges, () => read(outbox));
}

/** Returns all waiting calls, first to last. */
export const useAllWaiting = (): readonly WaitingCall[] =>
  useOutboxValue((outbox) => outbox?.getWaiting() ?? NOTHING);

/** Returns waiting calls, and answered ones whose effect is not in the contacts document yet, first to last. */
export const useShownAsDone = (): readonly WaitingCall[] =>
  useOutboxValue((outbox) => outbox?.getShownAsDone() ?? NOTHING);

/** Returns what is unsent apart from document changes. */
export function useUnsent(): Unsent {
  const pictures = useUnsentPictures() + useUnsentPhotos() + useUnsentPlacePhotos();
  const sounds = useUnsentSounds();
  const drafts = useUnsentDrafts();
  const actions = useAllWaiting().length;
  return useMemo(
    () => ({ pictures, sounds, drafts, actions }),
    [pictures, sounds, drafts, actions],
  );
}

/** Shows a toast with the server's message when it rejects a call that matters to the user. */
export function useOutboxRefusals(): void {
  const documents = useDocuments();
  useEffect(() => {
    if (!documents) return;
    const toaster = new SingleTabToaster(documents.userId, showToast);
    const stop = outboxOf(documents).onOutcome((outcome) => {
      void toastOf(documents.userId, outcome).then((pending) => pending && toaster.show(pending));
    });
    return () => {
      stop();
      toaster.close();
    };
  }, [documents]);
}

function showToast({ title, description, isError }: PendingToast): void {
  const options = description === undefined ? {} : { description };
  if (isError) toast.error(title, options);
  else toast(title, options);
}

/** @returns null where the user need not be notified */
async function toastOf(userId: string, outcome: Outcome): Promise<PendingToast | null> {
  const { call, refusal } = outcome;
  if (!refusal) return null;
  const failure = { id: newId(), title: messageOf(refusal), isError: true };
  if (call.name === 'alerts.acknowledge') console.error('Failed to acknowledge alert', refusal);
  else if (call.name === 'charities.donate') console.error('Failed to record donation', refusal);
  else if (call.name === 'locations.visit') console.error('Failed to record visit', refusal);
  else if (call.name === 'locations.create' && (await isUndecided(userId, outcome)))
    return { ...failure, isError: false };
  // The rejection may come long after the tap, on another screen: name the user.
  else if (call.name.startsWith('friends.') || call.name.startsWith('blocks.')) {
    const { CALLS } = await import('./outbox-calls.ts');
    const title = `${call.input.failure ?? CALLS[call.name].failure}: ${call.label}`;
    return { ...failure, title, description: messageOf(refusal) };
  }
  // Failed clicks on ads are ignored.
  else if (!call.name.startsWith('ads.')) return failure;
  return null;
}

/** Whether a new place needs a decision about duplicates. Loaded on demand with the code of places. */
async function isUndecided(userId: string, outcome: Outcome): Promise<boolean> {
  const { savePendingDuplicate } =
    await import('../../../features/locations/place/pending-duplicates.ts');
  return savePendingDuplicate(userId, outcome);
}

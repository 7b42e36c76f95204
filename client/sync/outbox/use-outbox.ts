import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { useUnsentPictures } from '../../dogs/use-pictures.ts';
import { useUnsentSounds } from '../../sounds/use-sounds.ts';
import { outboxOf, type Outcome, type WaitingCall } from './outbox.ts';
import type { Unsent } from '../status/sync-status-text.ts';
import { SingleTabToaster, type PendingToast } from '../tabs/single-tab-toaster.ts';
import { useDocuments } from '../documents/use-document.ts';

const NOTHING: readonly WaitingCall[] = [];
const neverChanges = () => () => {};

/** All calls that still wait, first to last. */
export function useAllWaiting(): readonly WaitingCall[] {
  const documents = useDocuments();
  const outbox = documents && outboxOf(documents);
  return useSyncExternalStore(
    outbox?.subscribe ?? neverChanges,
    () => outbox?.getWaiting() ?? NOTHING,
  );
}

/** What waits, and what this device's contacts document does not say yet though the server has done it, first to last. */
export function useShownAsDone(): readonly WaitingCall[] {
  const documents = useDocuments();
  const outbox = documents && outboxOf(documents);
  return useSyncExternalStore(
    outbox?.subscribe ?? neverChanges,
    () => outbox?.getShownAsDone() ?? NOTHING,
  );
}

/** What this device still has to send besides changes of documents. */
export function useUnsent(): Unsent {
  const pictures = useUnsentPictures();
  const sounds = useUnsentSounds();
  const actions = useAllWaiting().length;
  return useMemo(() => ({ pictures, sounds, actions }), [pictures, sounds, actions]);
}

/** Says in a toast, in the server's words, what it would not do, where that matters to people. */
export function useOutboxRefusals(): void {
  const documents = useDocuments();
  useEffect(() => {
    if (!documents) return;
    const teller = new SingleTabToaster(documents.userId, showTold);
    const stop = outboxOf(documents).onOutcome((outcome) => {
      void wordsOf(documents.userId, outcome).then((words) => words && teller.tell(words));
    });
    return () => {
      stop();
      teller.close();
    };
  }, [documents]);
}

function showTold({ title, description, isError }: PendingToast): void {
  const options = description === undefined ? {} : { description };
  if (isError) toast.error(title, options);
  else toast(title, options);
}

/** @returns null where nobody waits to hear of it */
async function wordsOf(userId: string, outcome: Outcome): Promise<PendingToast | null> {
  const { call, refusal } = outcome;
  if (!refusal) return null;
  const failure = { id: crypto.randomUUID(), title: refusal.message, isError: true };
  if (call.name === 'alerts.acknowledge') console.error('Failed to acknowledge alert', refusal);
  else if (call.name === 'charities.donate') console.error('Failed to record donation', refusal);
  else if (call.name === 'locations.visit') console.error('Failed to record visit', refusal);
  else if (call.name === 'locations.create' && (await isUndecided(userId, outcome)))
    return { ...failure, isError: false };
  // Long after it was pressed, perhaps, and on another screen: whom it was about is said, too.
  else if (call.name.startsWith('friends.') || call.name.startsWith('blocks.')) {
    const { CALLS } = await import('./outbox-calls.ts');
    const title = `${call.input.failure ?? CALLS[call.name].failure}: ${call.label}`;
    return { ...failure, title, description: refusal.message };
  }
  // Nobody waits to hear what became of a click on an ad.
  else if (!call.name.startsWith('ads.')) return failure;
  return null;
}

/** Places come with a screen of their own: what is known of them is not here before. */
async function isUndecided(userId: string, outcome: Outcome): Promise<boolean> {
  const { savePendingDuplicate } = await import('../../locations/place/pending-duplicates.ts');
  return savePendingDuplicate(userId, outcome);
}

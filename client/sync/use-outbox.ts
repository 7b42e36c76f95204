import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { useUnsentPictures } from '../dogs/use-pictures.ts';
import { useUnsentSounds } from '../sounds/use-sounds.ts';
import { outboxOf, type Outcome, type WaitingCall } from './outbox.ts';
import type { Unsent } from './sync-words.ts';
import { useDocuments } from './use-document.ts';

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

/** What waits, and what this device's circle does not say yet though the server has done it, first to last. */
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
  useEffect(
    () =>
      documents
        ? outboxOf(documents).onOutcome((outcome) => void sayRefusal(documents.userId, outcome))
        : undefined,
    [documents],
  );
}

async function sayRefusal(userId: string, outcome: Outcome): Promise<void> {
  const { call, refusal } = outcome;
  if (!refusal) return;
  if (call.name === 'alerts.acknowledge') console.error('Failed to acknowledge alert', refusal);
  else if (call.name === 'charities.donate') console.error('Failed to record donation', refusal);
  else if (call.name === 'locations.visit') console.error('Failed to record visit', refusal);
  else if (call.name === 'locations.create' && (await isUndecided(userId, outcome)))
    toast(refusal.message);
  // Long after it was pressed, perhaps, and on another screen: whom it was about is said, too.
  else if (call.name.startsWith('friends.') || call.name.startsWith('blocks.')) {
    const { CALLS } = await import('./outbox-calls.ts');
    toast.error(`${call.input.failure ?? CALLS[call.name].failure}: ${call.label}`, {
      description: refusal.message,
    });
  }
  // Nobody waits to hear what became of a click on an ad.
  else if (!call.name.startsWith('ads.')) toast.error(refusal.message);
}

/** Places come with a screen of their own: what is known of them is not here before. */
async function isUndecided(userId: string, outcome: Outcome): Promise<boolean> {
  const { keepUndecided } = await import('../locations/undecided.ts');
  return keepUndecided(userId, outcome);
}

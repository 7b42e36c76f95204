import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { newId } from '#shared/ids.ts';
import { features } from '../../features.ts';
import { messageOf } from '../../http/error-message.ts';
import { useDocuments } from '../documents/use-document.ts';
import type { Unsent } from '../state/sync-status-text.ts';
import { SingleTabToaster, type PendingToast } from '../tabs/single-tab-toaster.ts';
import { outboxOf, type Outbox, type Outcome, type WaitingCall } from './outbox.ts';

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
  const documents = useDocuments();
  const items = useMemo(() => {
    const all = documents
      ? features().flatMap(({ unsent = [] }) =>
          unsent.map(({ kind, of }) => ({ kind, list: of(documents) })),
        )
      : [];
    const subscribe = (listener: () => void) => {
      const stops = all.map(({ list }) => list.subscribe(listener));
      return () => stops.forEach((stop) => stop());
    };
    const count = (wanted: string) =>
      all.reduce((sum, { kind, list }) => sum + (kind === wanted ? list.getUnsentCount() : 0), 0);
    return { subscribe, count };
  }, [documents]);
  const pictures = useSyncExternalStore(items.subscribe, () => items.count('pictures'));
  const sounds = useSyncExternalStore(items.subscribe, () => items.count('sounds'));
  const drafts = useSyncExternalStore(items.subscribe, () => items.count('drafts'));
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
  const decides = features().flatMap(({ refusedCalls }) => refusedCalls?.[call.name] ?? [])[0];
  return decides ? decides(userId, { ...outcome, refusal }, failure) : failure;
}

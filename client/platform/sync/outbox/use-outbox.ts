import { useEffect, useState, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { newId } from '#shared/ids.ts';
import { cutText } from '#shared/normalization/cut-text.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { features, loadFeatures } from '../../features.ts';
import { messageOf } from '../../http/error-message.ts';
import { useDocuments } from '../documents/use-document.ts';
import type { Unsent } from '../state/sync-status-text.ts';
import { SingleTabToaster, type PendingToast } from '../tabs/single-tab-toaster.ts';
import { outboxOf, type Outbox, type Outcome, type WaitingCall } from './outbox.ts';
import { NO_ITEMS, sumUnsent, type UnsentLists } from './sum-unsent.ts';

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

/** Returns waiting calls, and answered ones whose effect may not be in the documents here yet, first to last. */
export const useShownAsDone = (): readonly WaitingCall[] =>
  useOutboxValue((outbox) => outbox?.getShownAsDone() ?? NOTHING);

const SIGNED_OUT: Unsent = { ...NO_ITEMS, refused: NO_ITEMS, kept: NO_ITEMS, isUnread: false };
const UNREAD: Unsent = { ...SIGNED_OUT, isUnread: true };

/**
 * Returns what is unsent apart from document changes. It is read during the first render, which an external store would make React
 * start again.
 */
export function useUnsent(): Unsent {
  const documents = useDocuments();
  const [of, setOf] = useState({ documents, unsent: UNREAD });
  useEffect(() => {
    if (!documents) return;
    let lists: UnsentLists = [];
    let stops: (() => void)[] | null = [];
    const show = () => {
      const unsent = sumUnsent(lists);
      setOf((before) =>
        before.documents === documents && JSON.stringify(before.unsent) === JSON.stringify(unsent)
          ? before
          : { documents, unsent },
      );
    };
    const start = async () => {
      const all = (await loadFeatures()).flatMap(({ unsent = [] }) => unsent);
      if (!stops) return;
      lists = [
        ['actions', outboxOf(documents)],
        ...all.map(({ kind, of: listOf }) => [kind, listOf(documents)] as const),
      ];
      stops = lists.map(([, list]) => list.subscribe(show));
      show();
    };
    start().catch((error: unknown) => console.error('Failed to load the features', error));
    return () => {
      stops?.forEach((stop) => stop());
      stops = null;
    };
  }, [documents]);
  if (!documents) return SIGNED_OUT;
  return of.documents === documents ? of.unsent : UNREAD;
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

/** So long a refusal stays, and with it what the user wrote: it may come while they do something else. */
const WRITTEN_SHOWN_MS = MINUTE_MS;
const QUOTED_MAX = 100;

function showToast({ title, description, written, isError }: PendingToast): void {
  const show = isError ? toast.error : toast;
  if (written === undefined)
    return void show(title, description === undefined ? {} : { description });
  const quoted = cutText(written, QUOTED_MAX);
  const quote = `You wrote: “${quoted}${quoted === written ? '' : '…'}”`;
  const copy = async () => {
    try {
      // Missing where the page isn't secure.
      await navigator.clipboard.writeText(written);
    } catch {
      toast.error('Your browser won’t let us copy. You wrote:', {
        description: written,
        duration: WRITTEN_SHOWN_MS,
      });
    }
  };
  show(title, {
    description: description === undefined ? quote : `${description} ${quote}`,
    duration: WRITTEN_SHOWN_MS,
    action: { label: 'Copy', onClick: () => void copy() },
  });
}

/** What people write, in the bodies of calls. A report of a message has the message, too. */
const WRITTEN = ['title', 'content', 'description', 'notes', 'note', 'message'];

function writtenIn({ name, input }: WaitingCall): string {
  const { body = {} } = input as { body?: Record<string, unknown> };
  const fields = name === 'messages.edit' ? ['message_text'] : WRITTEN;
  const texts = fields.map((field) => body[field]);
  return texts.filter((text) => typeof text === 'string' && text.trim() !== '').join('\n');
}

/** @returns null where the user need not be notified */
async function toastOf(userId: string, outcome: Outcome): Promise<PendingToast | null> {
  const { call, refusal } = outcome;
  if (!refusal) return null;
  const written = writtenIn(call);
  const failure = {
    id: newId(),
    title: messageOf(refusal),
    isError: true,
    ...(written !== '' && { written }),
  };
  const decides = features().flatMap(({ refusedCalls }) => refusedCalls?.[call.name] ?? [])[0];
  return decides ? decides(userId, { ...outcome, refusal }, failure) : failure;
}

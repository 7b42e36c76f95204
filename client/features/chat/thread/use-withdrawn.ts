import { useEffect } from 'react';
import { splitMessageId } from '#shared/chat/document.ts';
import { useDocuments, useDocumentsValue } from '../../../platform/sync/documents/use-document.ts';
import type { UserDocuments } from '../../../platform/sync/documents/user-documents.ts';
import { THREADS } from './threads.ts';
import { outboxOf } from '../../../platform/sync/outbox/outbox.ts';
import { useAllWaiting } from '../../../platform/sync/outbox/use-outbox.ts';

/** Keys of the messages that were unsent since the start: the server’s answer comes before their removal does. */
const withdrawn = new WeakMap<UserDocuments, ReadonlySet<string>>();

/** Hides the messages that the user unsends, at once and offline. They are shown again if the server refuses. */
export function useWithdrawn(): void {
  const documents = useDocuments();
  const threads = useDocumentsValue((open) => open?.part(THREADS) ?? null);
  const waiting = useAllWaiting();
  useEffect(() => {
    if (!documents || !threads) return;
    const keys = waiting.flatMap((call) =>
      call.name === 'messages.unsend' ? [splitMessageId(call.input.params.id).key] : [],
    );
    const all = new Set([...(withdrawn.get(documents) ?? []), ...keys]);
    withdrawn.set(documents, all);
    threads.hideWithdrawn(all);
  }, [documents, threads, waiting]);
  useEffect(() => {
    if (!documents || !threads) return;
    return outboxOf(documents).onOutcome(({ call, refusal }) => {
      if (call.name !== 'messages.unsend' || !refusal) return;
      const left = new Set(withdrawn.get(documents));
      left.delete(splitMessageId(call.input.params.id).key);
      withdrawn.set(documents, left);
      threads.hideWithdrawn(left);
    });
  }, [documents, threads]);
}

import { useEffect } from 'react';
import { splitMessageId } from '#shared/chat/document.ts';
import { oncePer } from '../../../platform/once-per.ts';
import { useDocuments, useDocumentsValue } from '../../../platform/sync/documents/use-document.ts';
import type { UserDocuments } from '../../../platform/sync/documents/user-documents.ts';
import { outboxOf, type WaitingCall } from '../../../platform/sync/outbox/outbox.ts';
import { useAllWaiting } from '../../../platform/sync/outbox/use-outbox.ts';
import { THREADS } from './threads.ts';

/** What the user did to their messages since the start: the server’s answer comes before the documents show it. */
class OwnChanges {
  readonly #documents: UserDocuments;
  readonly #withdrawn = new Set<string>();
  readonly #edits = new Map<string, string>();

  constructor(documents: UserDocuments) {
    this.#documents = documents;
  }

  add(call: WaitingCall): void {
    if (call.name === 'messages.unsend') this.#withdrawn.add(keyIn(call));
    if (call.name === 'messages.edit') this.#edits.set(keyIn(call), call.input.body.message_text);
  }

  /** Removes one that the server refused, or that the user took back. */
  remove(call: Pick<WaitingCall, 'name'> & { key: string }): void {
    if (call.name === 'messages.unsend') this.#withdrawn.delete(call.key);
    if (call.name === 'messages.edit') this.#edits.delete(call.key);
    this.show();
  }

  show(): void {
    const threads = this.#documents.part(THREADS);
    threads?.showOwnChanges(new Set(this.#withdrawn), new Map(this.#edits));
  }
}

const keyIn = ({ input }: WaitingCall): string =>
  splitMessageId((input as { params: { id: string } }).params.id).key;

const changesOf = oncePer((documents: UserDocuments) => new OwnChanges(documents));

/** Shows a message again whose unsending the user took back. */
export const restoreMessage = (documents: UserDocuments, id: string): void =>
  changesOf(documents).remove({ name: 'messages.unsend', key: splitMessageId(id).key });

/** Shows what the user unsends and edits at once and offline. If the server refuses, it is as before. */
export function useOwnChanges(): void {
  const documents = useDocuments();
  const threads = useDocumentsValue((open) => open?.part(THREADS) ?? null);
  const waiting = useAllWaiting();
  useEffect(() => {
    if (!documents || !threads) return;
    for (const call of waiting) changesOf(documents).add(call);
    changesOf(documents).show();
  }, [documents, threads, waiting]);
  useEffect(() => {
    if (!documents || !threads) return;
    return outboxOf(documents).onOutcome(({ call, refusal }) => {
      if (!refusal || !['messages.unsend', 'messages.edit'].includes(call.name)) return;
      changesOf(documents).remove({ name: call.name, key: keyIn(call) });
    });
  }, [documents, threads]);
}

import { useEffect } from 'react';
import { splitMessageId } from '#shared/chat/document.ts';
import { useDocumentsValue } from '../../../platform/sync/documents/use-document.ts';
import { useShownAsDone } from '../../../platform/sync/outbox/use-outbox.ts';
import { THREADS } from './threads.ts';

const keyOf = (id: string): string => splitMessageId(id).key;

/**
 * Shows what the user unsends and edits at once and offline, until the documents show it. What the server refused, and what the user took
 * back, is in no tab's outbox any more, and is as before in all.
 */
export function useOwnChanges(): void {
  const threads = useDocumentsValue((open) => open?.part(THREADS) ?? null);
  const done = useShownAsDone();
  useEffect(() => {
    const withdrawn = new Set<string>();
    const edits = new Map<string, string>();
    for (const { name, input } of done)
      if (name === 'messages.unsend') withdrawn.add(keyOf(input.params.id));
      else if (name === 'messages.edit') edits.set(keyOf(input.params.id), input.body.message_text);
    threads?.showOwnChanges(withdrawn, edits);
  }, [threads, done]);
}

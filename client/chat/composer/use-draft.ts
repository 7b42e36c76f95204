import { useCallback, useEffect, useMemo, useRef } from 'react';
import { z } from 'zod';
import { MESSAGE_MAX } from '#shared/chat/contract.ts';
import { readDrafts } from '#shared/chat/drafts.ts';
import { readCache, writeCache } from '../../local-cache.ts';
import { useDocument, useDocuments } from '../../sync/documents/use-document.ts';

/** Each write makes the account's history longer, so it waits for a pause in typing. */
const WRITE_AFTER_MS = 500;
/** By then, a change of the account is on this device's disk. */
const IS_SAFE_AFTER_MS = 1_000;

export interface Draft {
  /** The unsent text, from any device of the user; empty when there is none. */
  text: string;
  /** Stores the text. Called with each change of the input. */
  update: (text: string) => void;
  /** Deletes it at once, after it was sent. */
  clear: () => void;
}

/**
 * Returns the unsent text to a friend. The account document carries it to the user's other devices; each keystroke is also
 * stored in localStorage at once, for a tab that is killed before the account has it.
 */
export function useDraft(friendUserId: string): Draft {
  const documents = useDocuments();
  const userId = documents?.userId ?? '';
  const { status, doc } = useDocument('account');
  const isReady = status === 'ready';
  const text = useMemo(() => readDrafts(doc)[friendUserId] ?? '', [doc, friendUserId]);
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; text: string } | null>(null);
  const typed = `typed-${friendUserId}`;

  const write = useCallback(
    (words: string) => {
      if (waiting.current) clearTimeout(waiting.current.timer);
      waiting.current = null;
      if (!documents || documents.isClosed || documents.getDocument('account').status !== 'ready')
        return;
      documents.change('account', 'draft.set', {
        friend_user_id: friendUserId,
        text: words.slice(0, MESSAGE_MAX),
        at: new Date().toISOString(),
      });
      setTimeout(() => {
        if (readCache(z.string(), userId, typed) === words) writeCache(userId, typed, null);
      }, IS_SAFE_AFTER_MS);
    },
    [documents, friendUserId, userId, typed],
  );
  // Recovers text that was typed just before the tab was killed.
  useEffect(() => {
    const left = isReady ? readCache(z.string(), userId, typed) : null;
    if (left !== null) write(left);
  }, [isReady, userId, typed, write]);
  // Saves the text when the user leaves the screen or the app while typing.
  useEffect(() => {
    const leave = () => {
      if (waiting.current) write(waiting.current.text);
    };
    document.addEventListener('visibilitychange', leave);
    window.addEventListener('pagehide', leave);
    return () => {
      document.removeEventListener('visibilitychange', leave);
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [write]);
  return useMemo(
    () => ({
      text: isReady ? text : '',
      update: (words) => {
        if (waiting.current) clearTimeout(waiting.current.timer);
        writeCache(userId, typed, words);
        const timer = setTimeout(() => write(words), WRITE_AFTER_MS);
        waiting.current = { timer, text: words };
      },
      clear: () => {
        writeCache(userId, typed, null);
        write('');
      },
    }),
    [isReady, userId, typed, text, write],
  );
}

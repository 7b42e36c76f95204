import { useCallback, useEffect, useMemo, useRef } from 'react';
import { z } from 'zod';
import { MESSAGE_MAX } from '#shared/chat/contract.ts';
import { readDrafts } from '#shared/chat/drafts.ts';
import { readCache, writeCache } from '../../local-cache.ts';
import { useDocument, useDocuments } from '../../sync/documents/use-document.ts';

/** Each time makes the account's history longer: only once whoever types pauses. */
const WRITE_AFTER_MS = 500;
/** What the account has is on this device's disk long before. */
const IS_SAFE_AFTER_MS = 1_000;

export interface Draft {
  /** What was being written, on whichever device; empty when nothing. */
  text: string;
  /** Keeps it: to be called with each change of the input. */
  keep: (text: string) => void;
  /** Forgets it at once: it was sent. */
  clear: () => void;
}

/**
 * What is written to a friend and not sent yet. It follows its owner from device to device, in the account; each keystroke is
 * kept beside it, at once, for a tab that is killed before the account has it.
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
  // What was typed last, where the account had not got it when the tab was killed.
  useEffect(() => {
    const left = isReady ? readCache(z.string(), userId, typed) : null;
    if (left !== null) write(left);
  }, [isReady, userId, typed, write]);
  // Whoever leaves the screen, or the app, in the midst of a word keeps it.
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
      keep: (words) => {
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

import { useEffect, useMemo, useState } from 'react';
import { searchMessages } from '#shared/chat/contract.ts';
import { FOUND_MAX } from '#shared/chat/rules.ts';
import { call } from '../../../platform/http/api.ts';
import { useConnection, useDocumentsValue } from '../../../platform/sync/documents/use-document.ts';
import { useFriendNames } from '../../friends/use-contacts.ts';
import { THREADS } from '../thread/threads.ts';
import type { FoundMessage } from '../types.ts';
import { findOlder, findOpen, type AskServer, type Progress } from './message-search.ts';
import { normalizeQuery } from './text-match.ts';

/** Waits for a pause in typing. */
const AFTER_TYPING_MS = 250;
const NOTHING: Progress = { found: [], share: 1, isIncomplete: false };

const askServer: AskServer = async (words, friend_user_id) => {
  const query = { words, ...(friend_user_id && { friend_user_id }) };
  const { messages } = await call(searchMessages, { query });
  return messages.map(({ friend_user_id: friend, is_own, ...message }) => ({
    friend_user_id: friend,
    message: { ...message, isOwn: is_own },
  }));
};

/** The state and the results of a search. */
export interface MessageSearch extends Omit<Progress, 'found'> {
  /** Newest first, at most `FOUND_MAX`. */
  found: readonly FoundMessage[];
  /** Whether there are more than are shown. */
  hasMore: boolean;
}

/**
 * Searches the messages of one thread or of all: open segments at once, older ones one after another, and on the server those
 * that are not on this device.
 * @param friendUserId null searches all threads
 */
export function useMessageSearch(words: string, friendUserId: string | null): MessageSearch {
  const names = useFriendNames();
  const isOnline = useConnection() === 'connected';
  const wanted = normalizeQuery(words);
  const threads = useDocumentsValue((documents) => documents?.part(THREADS) ?? null);
  // Repeated with every change of any thread, but only during a search.
  const changes = useDocumentsValue(() => (wanted && threads?.changes) || 0);
  const [older, setOlder] = useState<Progress & { of: string }>({ ...NOTHING, of: '' });
  useEffect(() => () => threads?.older.forget(), [threads]);
  useEffect(() => {
    if (!threads || wanted === '') return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const onProgress = (progress: Progress) => setOlder({ ...progress, of: wanted });
      void findOlder(threads, wanted, {
        friendUserId,
        askServer: isOnline ? askServer : null,
        signal: stop.signal,
        onProgress,
      });
    }, AFTER_TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [threads, wanted, friendUserId, isOnline]);

  const open = useMemo(
    () => (threads && wanted && changes >= 0 ? findOpen(threads, wanted, friendUserId) : []),
    [threads, wanted, friendUserId, changes],
  );
  return useMemo(() => {
    if (!threads || wanted === '') return { ...NOTHING, found: [], hasMore: false };
    const { found, ...state } = older.of === wanted ? older : { ...NOTHING, share: 0 };
    const all = new Map(
      // Found in an open segment, a message replaces its older version.
      [...found.filter((each) => threads.isShown(each)), ...open].map((each) => [
        each.message.id,
        each,
      ]),
    );
    const shown = [...all.values()].flatMap(({ friend_user_id, message }) => {
      const name = names.get(friend_user_id);
      return name === undefined ? [] : [{ friend_user_id, name, message }];
    });
    const newest = shown.toSorted((a, b) => (a.message.at < b.message.at ? 1 : -1));
    return {
      ...state,
      found: newest.slice(0, FOUND_MAX),
      hasMore: newest.length > FOUND_MAX,
    };
  }, [threads, names, wanted, open, older]);
}

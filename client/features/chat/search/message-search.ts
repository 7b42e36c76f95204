import { FOUND_MAX } from '#shared/chat/rules.ts';
import type { ThreadDocuments } from '../thread/thread-documents.ts';
import type { MessageText } from '../types.ts';
import { containsQuery } from './text-match.ts';

/** A message that contains the words, and its thread. */
export interface Found {
  friend_user_id: string;
  message: MessageText;
}

/** The progress of a search. */
export interface Progress {
  /** In no order. */
  found: readonly Found[];
  /** The share of older segments that were searched; 1 at the end. */
  share: number;
  /** Whether some segments are neither on this device nor available for now. */
  isIncomplete: boolean;
}

/** Searches the open segments. @param words normalized, not empty @param friendUserId null searches all threads */
export const findOpen = (
  threads: ThreadDocuments,
  words: string,
  friendUserId: string | null,
): Found[] =>
  threads
    .all()
    .filter((thread) => friendUserId === null || thread.friendUserId === friendUserId)
    .flatMap((thread) =>
      thread
        .everything()
        .filter(containsQuery(words))
        .map((message) => ({ friend_user_id: thread.friendUserId, message })),
    );

/** Rendering progress takes a slow phone as long as searching a segment. */
const PROGRESS_EVERY_MS = 200;

/** Searches on the server; rejects when offline. */
export type AskServer = (words: string, friendUserId: string | null) => Promise<readonly Found[]>;

/**
 * Searches the segments that are not open, newest first, some at a time, until enough is found. Where some are not on this
 * device, asks the server, which has all.
 * @param words normalized, not empty
 * @param onProgress receives each step
 */
export async function findOlder(
  threads: ThreadDocuments,
  words: string,
  {
    friendUserId,
    askServer,
    signal,
    onProgress,
  }: {
    /** Null searches all threads. */
    friendUserId: string | null;
    /** Null: there is no network. */
    askServer: AskServer | null;
    signal: AbortSignal;
    onProgress: (progress: Progress) => void;
  },
): Promise<void> {
  let found: readonly Found[] = [];
  let isIncomplete = false;
  let reportedAt = 0;
  const segments = threads.olderSegments(friendUserId);
  let searched = 0;
  try {
    for await (const some of threads.older.find(segments, words)) {
      if (signal.aborted) return;
      searched += some.length;
      isIncomplete ||= some.some(({ messages }) => messages === null);
      const more = some.flatMap(({ segment: { friend_user_id }, messages }) =>
        (messages ?? []).map((message) => ({ friend_user_id, message })),
      );
      found = [...found, ...more];
      if (found.length >= FOUND_MAX) break;
      if (performance.now() - reportedAt < PROGRESS_EVERY_MS) continue;
      reportedAt = performance.now();
      // One more step: the server may have to be asked.
      onProgress({ found, share: searched / (segments.length + 1), isIncomplete });
    }
  } catch (error) {
    if (signal.aborted) return;
    console.warn('Failed to search thread segments', error);
    isIncomplete = true;
  }
  if (signal.aborted) return;
  if (isIncomplete && askServer && found.length < FOUND_MAX)
    try {
      found = [...found, ...(await askServer(words, friendUserId))];
      isIncomplete = false;
    } catch (error) {
      console.warn('Failed to search messages on the server', error);
    }
  if (!signal.aborted) onProgress({ found, share: 1, isIncomplete });
}

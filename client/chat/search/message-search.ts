import { FOUND_MAX } from '#shared/chat/contract.ts';
import { containsQuery } from './text-match.ts';
import type { MessageText } from '../types.ts';
import type { ThreadDocuments } from '../thread/thread-store.ts';

/** A message that has these words in it, and whose thread it is in. */
export interface Found {
  friend_user_id: string;
  message: MessageText;
}

/** How far a search has come. */
export interface Progress {
  /** In no order. */
  found: readonly Found[];
  /** The share of all older segments that has been looked through; 1 once nothing goes on. */
  share: number;
  /** Whether there are segments that are neither on this device nor, for now, to be had. */
  isIncomplete: boolean;
}

/** What is found in the segments that are open. @param words `looked`, not empty @param friendUserId null looks in all */
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

/** What is told is drawn: on a slow phone that takes as long as looking through a segment. */
const TELLS_EVERY_MS = 200;

/** What the server finds; rejects where there is none. */
export type AskServer = (words: string, friendUserId: string | null) => Promise<readonly Found[]>;

/**
 * Looks through the segments that are not open, the newest first and one at a time, until enough is found; then, where some are
 * not on this device, asks the server, which has all.
 * @param words `looked`, not empty
 * @param tell hears of each step
 */
export async function findOlder(
  threads: ThreadDocuments,
  words: string,
  {
    friendUserId,
    askServer,
    signal,
    tell,
  }: {
    /** Null looks in all. */
    friendUserId: string | null;
    /** Null: there is no network. */
    askServer: AskServer | null;
    signal: AbortSignal;
    tell: (progress: Progress) => void;
  },
): Promise<void> {
  let found: readonly Found[] = [];
  let isIncomplete = false;
  let toldAt = 0;
  const segments = threads.olderSegments(friendUserId);
  for (const [i, segment] of segments.entries()) {
    const messages = await threads.older.find(segment, words).catch((error: unknown) => {
      if (!signal.aborted) console.warn('Failed to search a thread segment', error);
      return null;
    });
    if (signal.aborted) return;
    isIncomplete ||= messages === null;
    const { friend_user_id } = segment;
    const more = (messages ?? []).map((message) => ({ friend_user_id, message }));
    found = [...found, ...more];
    if (found.length >= FOUND_MAX) break;
    if (performance.now() - toldAt < TELLS_EVERY_MS) continue;
    toldAt = performance.now();
    // The server, too, may have to be asked.
    tell({ found, share: (i + 1) / (segments.length + 1), isIncomplete });
  }
  if (isIncomplete && askServer && found.length < FOUND_MAX)
    try {
      found = [...found, ...(await askServer(words, friendUserId))];
      isIncomplete = false;
    } catch (error) {
      console.warn('Failed to search messages on the server', error);
    }
  if (!signal.aborted) tell({ found, share: 1, isIncomplete });
}

import type { OwnThread } from '../thread/use-thread.ts';

/**
 * How many of the friend's messages stand below what the reader has come to.
 * @param seenUpTo the last message when they were at the end
 */
export function unseenBelow(
  {
    messages,
    hasLater,
    unread,
    isBefore,
  }: Pick<OwnThread, 'messages' | 'hasLater' | 'unread' | 'isBefore'>,
  seenUpTo: string | undefined,
): number {
  const last = messages.at(-1);
  // Whoever reads further up has another stretch before them than the one in which the friend writes.
  if (hasLater) return last ? unread.filter((id) => isBefore(last.id, id)).length : 0;
  const seenAt = messages.findIndex(({ id }) => id === seenUpTo);
  return seenAt < 0 ? 0 : messages.slice(seenAt + 1).filter(({ isOwn }) => !isOwn).length;
}

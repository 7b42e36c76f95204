import type { MessageSearch } from './use-message-search.ts';

/** What a search says of itself. */
export function searchWords({
  found: { length },
  hasMore,
  isGoingOn,
  isIncomplete,
}: Pick<MessageSearch, 'hasMore' | 'isGoingOn' | 'isIncomplete'> & {
  found: { length: number };
}): string {
  const count = `${length} ${length === 1 ? 'message' : 'messages'} found`;
  if (isGoingOn) return length === 0 ? 'Looking through older messages…' : `${count}, looking on…`;
  if (hasMore) return `The newest ${length} messages`;
  const sum = length === 0 ? 'No messages found' : count;
  return isIncomplete ? `${sum}. Older messages are searched when you are online.` : sum;
}

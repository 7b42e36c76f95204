import { chatPath } from '../chat/chat-path.ts';
import { conversationWords } from '../chat/conversations/conversation-row-text.ts';
import type { ShownConversation } from '../chat/types.ts';
import { waitingWords } from '../friends/badge-text.ts';

/** Has a badge count what waits now. @param unread messages */
export function fillBadge(badge: HTMLElement, unread: number): void {
  const words = waitingWords({ unread, requests: Number(badge.dataset['requests'] ?? 0) });
  badge.hidden = !words;
  badge.dataset['unread'] = String(unread);
  for (const [i, place] of [...badge.children].entries()) place.textContent = words?.[i] ?? '';
}

/**
 * Makes a row of the list of conversations (`client/chat/conversations/conversation-list.tsx`) one of somebody else.
 * @param time when the last message was written, in words
 */
export function fillRow(row: HTMLElement, conversation: ShownConversation, time: string): void {
  const { friend_user_id, last_activity, unread_count } = conversation;
  const words: Partial<Record<string, string>> = conversationWords(conversation, time);
  row.toggleAttribute('data-is-unread', unread_count > 0);
  row.removeAttribute('data-is-draft');
  // One look for all places: a slow phone fills fifty rows before anything is on its screen.
  for (const place of row.querySelectorAll<HTMLElement>('a, [data-word], [data-unread]')) {
    const word = place.getAttribute('data-word');
    if (word) place.textContent = words[word] ?? '';
    else if (place instanceof HTMLAnchorElement) place.href = chatPath(friend_user_id);
    else fillBadge(place, unread_count);
    if (place instanceof HTMLTimeElement) place.dateTime = last_activity;
  }
}

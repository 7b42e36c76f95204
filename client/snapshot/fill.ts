import { conversationWords } from '../chat/conversation-words.ts';
import type { ShownConversation } from '../chat/shown.ts';
import { waitingWords } from '../friends/waiting-words.ts';

/** Has a badge count what waits now. @param unread messages */
export function fillBadge(badge: HTMLElement, unread: number): void {
  const words = waitingWords({ unread, requests: Number(badge.dataset['requests'] ?? 0) });
  badge.hidden = !words;
  badge.dataset['unread'] = String(unread);
  for (const [i, place] of [...badge.children].entries()) place.textContent = words?.[i] ?? '';
}

/**
 * Makes a row of the list of conversations (`client/chat/conversation-list.tsx`) one of somebody else.
 * @param time when the last message was written, in words
 */
export function fillRow(row: HTMLElement, conversation: ShownConversation, time: string): void {
  const { friend_user_id, last_activity, unread_count } = conversation;
  row.toggleAttribute('data-is-unread', unread_count > 0);
  row.removeAttribute('data-is-draft');
  row.querySelector('a')?.setAttribute('href', `/chat/${friend_user_id}`);
  row.querySelector('time')?.setAttribute('datetime', last_activity);
  for (const [word, text] of Object.entries(conversationWords(conversation, time))) {
    const place = row.querySelector(`[data-word="${word}"]`);
    if (place) place.textContent = text;
  }
  const badge = row.querySelector<HTMLElement>('[data-unread]');
  if (badge) fillBadge(badge, unread_count);
}

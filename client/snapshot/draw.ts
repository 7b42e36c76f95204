import { chatPath } from '../chat/chat-path.ts';
import type { ShownConversation } from '../chat/types.ts';
import { briefWords, dayNumber } from '../chat/view/format-time.ts';
import { ACCESS_VERIFIED, CONVERSATIONS, CURRENT_USER, prefixOf } from '../storage-keys.ts';
import { fillBadge, fillRow } from './fill.ts';
import { passOn } from './pass-on.ts';
import { appFiles, SCREEN, SNAPSHOT, screenSize, type Snapshot } from './snapshot.ts';

/** What the app keeps is read without its schemas here: they would take longer than the drawing. */
const read = (key: string): unknown => JSON.parse(localStorage.getItem(key) ?? 'null');

/**
 * Draws the social screen before there is an app: as it looked last, with the conversations as they are kept.
 * React takes its place with its first drawing, and is given what was done here until then.
 * @returns whether it did
 */
export function drawSnapshot(): boolean {
  const root = document.getElementById('root');
  if (!root || location.pathname + location.search !== SCREEN) return false;
  try {
    const user = read(CURRENT_USER) as { id: string } | null;
    if (!user || localStorage.getItem(ACCESS_VERIFIED) !== 'true') return false;
    const kept = read(prefixOf(user.id) + SNAPSHOT) as Snapshot | null;
    const rows = read(prefixOf(user.id) + CONVERSATIONS) as ShownConversation[] | null;
    if (kept?.build !== appFiles() || !rows || rows.length === 0) return false;
    root.replaceChildren(screenOf(kept, rows));
    passOn(root);
    return true;
  } catch (error) {
    console.warn('The screen cannot be drawn before the app', error);
    return false;
  }
}

function screenOf(kept: Snapshot, rows: ShownConversation[]): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = kept.html;
  const { content } = template;
  // The app has a line to say there.
  if (!navigator.onLine)
    content.querySelector('[aria-label="Notices"]')?.setAttribute('data-room', 'true');
  const unread = rows.reduce((sum, { unread_count }) => sum + unread_count, 0);
  for (const badge of content.querySelectorAll<HTMLElement>('[data-unread]'))
    fillBadge(badge, unread);
  const row = content.querySelector<HTMLElement>('[data-row]');
  const list = row?.parentElement;
  if (!row || !list) throw new Error('it has no row');
  const isToday = kept.day === dayNumber(Date.now());
  const words = (at: string) => (isToday && kept.times[at]) || briefWords(at);
  const make = (conversation: ShownConversation) => {
    const made = row.cloneNode(true) as HTMLElement;
    fillRow(made, conversation, words(conversation.last_activity));
    return made;
  };
  const inView = kept.screen === screenSize() ? kept.inView : rows.length;
  const later = rows.slice(inView);
  const places = later.length > 0 ? [placeOf(row, later)] : [];
  const showLater = () => {
    if (!list.isConnected) return;
    for (const place of places) place.replaceWith(...later.map(make));
  };
  document.addEventListener('scroll', showLater, { once: true, passive: true });
  list.style.minHeight = `${rows.length * kept.rowPx}px`;
  list.replaceChildren(...rows.slice(0, inView).map(make), ...places);
  return content;
}

/** To make and lay out the rows that are not in view would take longer than those that are: until somebody scrolls, only their links are there. */
function placeOf(row: HTMLElement, conversations: ShownConversation[]): HTMLElement {
  const place = row.cloneNode() as HTMLElement;
  place.hidden = true;
  for (const { friend_user_id } of conversations)
    place.append(Object.assign(document.createElement('a'), { href: chatPath(friend_user_id) }));
  return place;
}

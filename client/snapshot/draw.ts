import type { ShownConversation } from '../chat/shown.ts';
import { briefWords, dayNumber } from '../chat/times.ts';
import { ACCESS_VERIFIED, CONVERSATIONS, CURRENT_USER, prefixOf } from '../kept-names.ts';
import { fillBadge, fillRow } from './fill.ts';
import { passOn } from './pass-on.ts';
import { appFiles, SCREEN, SNAPSHOT, type Snapshot } from './snapshot.ts';

/** What stands above the list and how high a row is, at least: rows that cannot be in view have their room, and wait. */
const ABOVE_PX = 300;
const ROW_PX = 64;

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

function screenOf({ html, day, times }: Snapshot, rows: ShownConversation[]): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = html;
  const screen = template.content;
  const unread = rows.reduce((sum, { unread_count }) => sum + unread_count, 0);
  for (const badge of screen.querySelectorAll<HTMLElement>('[data-unread]'))
    fillBadge(badge, unread);
  const row = screen.querySelector<HTMLElement>('[data-row]');
  if (!row) throw new Error('it has no row');
  const isToday = day === dayNumber(Date.now());
  const words = (at: string) => (isToday && times[at]) || briefWords(at);
  const inView = Math.ceil((window.screen.height - ABOVE_PX) / ROW_PX);
  const filled = rows.map((conversation, i) => {
    const each = row.cloneNode(true) as HTMLElement;
    fillRow(each, conversation, words(conversation.last_activity));
    if (i >= inView) each.style.contentVisibility = 'hidden';
    return each;
  });
  row.after(...filled);
  // Whoever scrolls before the app is there sees them too.
  const show = () => filled.forEach(({ style }) => style.removeProperty('content-visibility'));
  document.addEventListener('scroll', show, { once: true, passive: true });
  row.remove();
  return screen;
}

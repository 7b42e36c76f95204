import { dayNumber } from '../chat/view/format-time.ts';
import { writeKept } from '../local-cache.ts';
import { appFiles, SCREEN, SNAPSHOT, screenSize, type Snapshot } from './snapshot.ts';

/** What is true only while it is shown: who is near, what goes wrong, whether all is saved, to whom else something was begun. */
const FLEETING =
  '[role="status"], [role="alert"], [role="region"][aria-live], p[aria-live], [aria-label="Other friends"]';

/** Keeps what the social screen looks like, without its conversations, for the next start (`draw.ts`). */
export function keepSnapshot(userId: string): void {
  const root = document.getElementById('root');
  if (!root || location.pathname + location.search !== SCREEN || isCovered(root)) return;
  const list = root.querySelector('[data-row]')?.parentElement;
  if (!list) return;
  const { top, height } = list.getBoundingClientRect();
  const rowPx = height / list.childElementCount;
  const copy = root.cloneNode(true) as HTMLElement;
  for (const part of copy.querySelectorAll(`${FLEETING}, [role="tabpanel"][hidden]`)) part.remove();
  // Of the chip only the room.
  for (const chip of copy.querySelectorAll('[data-sync]')) {
    chip.classList.add('invisible');
    chip.replaceChildren();
  }
  // Of what stands beside the frame only the way past it, and the room that notices take.
  for (const part of copy.querySelectorAll(':scope > *')) {
    if (part.matches('[aria-label="Notices"]')) part.replaceChildren();
    else if (!part.matches('[href="#main"]') && !part.querySelector('main')) part.remove();
  }
  const times = Object.fromEntries(
    Array.from(copy.querySelectorAll('time'), (time) => [time.dateTime, time.textContent]),
  );
  for (const other of [...copy.querySelectorAll('[data-row]')].slice(1)) other.remove();
  const kept: Snapshot = {
    build: appFiles(),
    html: copy.innerHTML,
    screen: screenSize(),
    inView: Math.max(0, Math.ceil((screen.height - window.scrollY - top) / rowPx)),
    rowPx,
    day: dayNumber(Date.now()),
    times,
  };
  writeKept(userId, SNAPSHOT, kept);
}

/** Has the next start draw nothing before the app, as where this is no screen to be seen. */
export const forgetSnapshot = (userId: string): void => writeKept(userId, SNAPSHOT, null);

/** Whether something else is on the screen too: a dialog, or words that are looked for. */
const isCovered = (root: HTMLElement): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"]') !== null ||
  [...root.querySelectorAll('input')].some(({ value }) => value !== '');

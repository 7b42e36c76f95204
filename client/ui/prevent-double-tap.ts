/** Two presses so close belong together, as by somebody who taps twice where once is enough. */
const WITHIN_MS = 350;
const WITHIN_PX = 24;
/** What is pressed, not the picture in it, which may become another. */
const PRESSED = 'a, button, input, label, select, summary, [role]';

/**
 * Keeps the second press of two from what has come to lie under the finger: the first one closed a dialog, or took a row away,
 * and what was beneath or behind it would be pressed unseen. What is still there takes as many presses as it gets.
 * @returns how to end it
 */
export function guardSecondPress(): () => void {
  let last: { target: Element; at: number; x: number; y: number } | null = null;
  const press = (event: MouseEvent) => {
    const { target, timeStamp: at, clientX: x, clientY: y, detail } = event;
    // A key press, or a click by a script, is no press of a finger.
    if (!(target instanceof Element) || detail === 0) return;
    const isNear =
      last !== null && at - last.at < WITHIN_MS && Math.hypot(x - last.x, y - last.y) < WITHIN_PX;
    if (isNear && last && !last.target.checkVisibility()) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else last = { target: target.closest(PRESSED) ?? target, at, x, y };
  };
  document.addEventListener('click', press, { capture: true });
  return () => document.removeEventListener('click', press, { capture: true });
}

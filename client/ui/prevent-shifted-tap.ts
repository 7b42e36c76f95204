/** So long somebody needs to see that something else has come to lie under the finger. */
const UNSEEN_MS = 400;
/** What changes so soon after a press or a key is its effect: it was to be expected. */
const EFFECT_MS = 1000;

/** Rows come and go within a list, alerts within what has `data-alerts`; that is pressed for all that are in it. */
const ROW = 'li, [data-alert]';
const ALERTS = '[data-alerts]';

/** When each row came. */
const cameAt = new WeakMap<Node, number>();
/** When something came before this row, or went. */
const movedAt = new WeakMap<Node, number>();
/** What has `data-pushes` lies above others, and something may come to it by itself, such as a notice: when it grew or shrank. */
const PUSHES = '[data-pushes]';
const pushedAt = new Map<Element, number>();
const heights = new WeakMap<Element, number>();
let actedAt = Number.NEGATIVE_INFINITY;

const isOwnEffect = (at: number) => at - actedAt < EFFECT_MS;

const isElement = (node: Node): node is Element => node instanceof Element;
const isRow = (node: Node) => isElement(node) && node.matches(ROW);

function notePushes(entries: ResizeObserverEntry[]): void {
  const at = performance.now();
  for (const element of pushedAt.keys()) if (!element.isConnected) pushedAt.delete(element);
  for (const { target, contentRect } of entries) {
    const before = heights.get(target);
    heights.set(target, contentRect.height);
    const isPush = before !== undefined && before !== contentRect.height;
    if (isPush && !isOwnEffect(at)) pushedAt.set(target, at);
  }
}

/** @param sizes watches what pushes */
function noteChanges(records: MutationRecord[], sizes: ResizeObserver): void {
  const at = performance.now();
  for (const { addedNodes, removedNodes, nextSibling } of records) {
    for (const element of [...addedNodes].filter(isElement))
      for (const each of [element, ...element.querySelectorAll(`[data-alert], ${PUSHES}`)]) {
        if (isRow(each)) cameAt.set(each, at);
        if (each.matches(PUSHES)) sizes.observe(each);
      }
    const isListed = [...addedNodes, ...removedNodes].some(isRow);
    if (isListed && nextSibling && !isOwnEffect(at)) movedAt.set(nextSibling, at);
  }
}

/** Whether a row, or one that it is in, was moved by what came or went above it. */
function isMoved(target: Element, since: number): boolean {
  for (let row = target.closest(ROW); row; row = row.parentElement?.closest(ROW) ?? null) {
    if ((cameAt.get(row) ?? 0) > since) continue;
    for (let each: Element | null = row; each; each = each.previousElementSibling)
      if ((movedAt.get(each) ?? 0) > since) return true;
  }
  return false;
}

/** Whether something above it grew or shrank; a dialog lies over all of that. */
function isPushed(target: Element, since: number): boolean {
  if (target.closest(`${ALERTS}, [role=dialog]`)) return false;
  const { DOCUMENT_POSITION_FOLLOWING: follows } = Node;
  return [...pushedAt].some(
    ([element, at]) =>
      at > since &&
      (element.compareDocumentPosition(target) & follows) > 0 &&
      !element.contains(target),
  );
}

/** Whether one of the alerts that would be answered with this press has only just come. */
function isUnread(target: Element, since: number): boolean {
  const alerts = target.closest(ALERTS)?.querySelectorAll('[data-alert]') ?? [];
  return [...alerts].some((alert) => (cameAt.get(alert) ?? 0) > since);
}

/**
 * Keeps a press from what came to lie under the finger by itself, as when a request arrives above the one that is
 * about to be answered, or a warning where the navigation was. Whoever presses again presses what they see.
 * @returns how to end it
 */
export function guardMovedPress(): () => void {
  let pressedAt = 0;
  const press = ({ timeStamp }: Event) => (pressedAt = timeStamp);
  const key = ({ timeStamp }: Event) => (actedAt = timeStamp);
  const click = (event: MouseEvent) => {
    const { target, detail } = event;
    if (!(target instanceof Element)) return;
    const since = Math.min(pressedAt || event.timeStamp, event.timeStamp) - UNSEEN_MS;
    // A key press, or a click by a script, is no press of a finger.
    const isFinger = detail > 0;
    if (isFinger && [isMoved, isPushed, isUnread].some((is) => is(target, since))) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else actedAt = event.timeStamp;
  };
  const sizes = new ResizeObserver(notePushes);
  for (const element of document.querySelectorAll(PUSHES)) sizes.observe(element);
  const observer = new MutationObserver((records) => noteChanges(records, sizes));
  document.addEventListener('pointerdown', press, { capture: true });
  document.addEventListener('keydown', key, { capture: true });
  document.addEventListener('click', click, { capture: true });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('pointerdown', press, { capture: true });
    document.removeEventListener('keydown', key, { capture: true });
    document.removeEventListener('click', click, { capture: true });
    observer.disconnect();
    sizes.disconnect();
  };
}

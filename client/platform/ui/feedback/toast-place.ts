import { ValueStore } from '../../store.ts';

const readFirst = new ValueStore<readonly HTMLElement[]>([]);

/** The ref of what has to be read before toasts, such as a warning: while it's shown, they are beside it, and below it in the stack. */
export function asReadFirst(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  readFirst.set([...readFirst.get(), element]);
  return () => readFirst.set(readFirst.get().filter((each) => each !== element));
}

type Span = Pick<DOMRect, 'top' | 'bottom'>;

/** The distances in pixels: from the top of the window, and from what is read first. */
const EDGE = 16;
const GAP = 8;

/** Returns the top of the highest gap that fits a toast, else of the largest one; in pixels. */
export function freeTop(height: number, taken: readonly Span[], windowHeight: number): number {
  let best = { top: EDGE, room: -Infinity };
  let top = EDGE;
  const end = { top: windowHeight, bottom: windowHeight };
  for (const span of [...taken.toSorted((a, b) => a.top - b.top), end]) {
    const room = span.top - GAP - top;
    if (room >= height) return top;
    if (room > best.room) best = { top, room };
    top = Math.max(top, span.bottom + GAP);
  }
  return best.top;
}

/**
 * Keeps toasts off what is read first.
 * @param place what contains the toasts; gets `--toast-top` and `--toast-layer`, unless nothing is in their way
 * @returns how to stop
 */
export function keepToastsFree(place: HTMLElement): () => void {
  const update = () => {
    const toast = place.querySelector<HTMLElement>('[data-sonner-toast][data-front=true]');
    if (!toast) return;
    const { left, right } = toast.getBoundingClientRect();
    const taken = readFirst
      .get()
      .map((element) => element.getBoundingClientRect())
      .filter((box) => box.height > 0 && box.left < right && box.right > left);
    const top = taken.length > 0 && `${freeTop(toast.offsetHeight, taken, innerHeight)}px`;
    place.style.setProperty('--toast-top', top || null);
    // Above dialogs, and below warnings, which may leave no room beside them.
    place.style.setProperty('--toast-layer', top ? '59' : null);
  };
  const sizes = new ResizeObserver(update);
  const follow = () => {
    sizes.disconnect();
    for (const element of readFirst.get()) sizes.observe(element);
    update();
  };
  const toasts = new MutationObserver(update);
  toasts.observe(place, {
    subtree: true,
    childList: true,
    attributeFilter: ['data-front', 'data-mounted'],
  });
  const unsubscribe = readFirst.subscribe(follow);
  addEventListener('resize', update);
  follow();
  return () => {
    sizes.disconnect();
    toasts.disconnect();
    unsubscribe();
    removeEventListener('resize', update);
  };
}

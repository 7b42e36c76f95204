import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { firstInView } from './visible-messages.ts';
import type { ShownMessage } from '../types.ts';

/** So close to the end counts as there. */
const NEAR_PX = 48;

export interface ScrollPlace {
  list: RefObject<HTMLDivElement | null>;
  isAtEnd: boolean;
  toEnd: () => void;
  onScroll: () => void;
}

const topOf = (element: Element) => element.getBoundingClientRect().top;

/** How far below the upper edge the words of a message begin: what stands above them goes when earlier ones come. */
const belowEdge = (list: HTMLElement, row: HTMLElement) =>
  topOf(row.querySelector('article') ?? row) - topOf(list);

/** The first message of which something is to be seen, and where it is. */
function placeIn(list: HTMLElement, messages: readonly ShownMessage[]) {
  const { row } = firstInView(list, messages);
  return row && { id: row.id, below: belowEdge(list, row) };
}

/**
 * Where a reader is in a thread, and stays: at the end while there, also when something comes or the keyboard opens; else at
 * what they read, also when earlier messages come above it.
 * @param opensAt the id of an element to begin at; null begins at the end
 * @param isToBeHeld whether the end of these is the end of the thread
 */
export function useScrollPlace(
  messages: readonly ShownMessage[],
  { opensAt, isToBeHeld }: { opensAt: string | null; isToBeHeld: boolean },
): ScrollPlace {
  const list = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const isHeld = useRef(true);
  const place = useRef<ReturnType<typeof placeIn>>(null);
  const lastId = useRef<string | null>(null);

  const toEnd = useCallback(() => {
    isHeld.current = true;
    setAtEnd(true);
    list.current?.scrollTo({ top: list.current.scrollHeight, behavior: 'instant' });
  }, []);

  const onScroll = useCallback(() => {
    const { current } = list;
    if (!current) return;
    const isNear = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
    isHeld.current = isNear && isToBeHeld;
    setAtEnd(isNear);
    place.current = placeIn(current, messages);
  }, [messages, isToBeHeld]);

  useLayoutEffect(() => {
    const { current } = list;
    const last = messages.at(-1);
    if (!current || !last) return;
    const isFirst = lastId.current === null;
    const isNew = lastId.current !== last.id;
    lastId.current = last.id;
    const start = isFirst && opensAt ? document.getElementById(opensAt) : null;
    if (start) current.scrollTo({ top: start.offsetTop - NEAR_PX, behavior: 'instant' });
    else if (isFirst || isHeld.current || (isNew && last.isOwn)) return toEnd();
    else if (place.current) {
      const { id, below } = place.current;
      const row = document.getElementById(id);
      if (row) current.scrollBy({ top: belowEdge(current, row) - below, behavior: 'instant' });
    }
    onScroll();
  }, [messages, opensAt, toEnd, onScroll]);

  useLayoutEffect(() => {
    const { current } = list;
    const content = current?.firstElementChild;
    if (!current || !content) return;
    const observer = new ResizeObserver(() => isHeld.current && toEnd());
    observer.observe(current);
    observer.observe(content);
    return () => observer.disconnect();
  }, [toEnd]);

  return { list, isAtEnd, toEnd, onScroll };
}

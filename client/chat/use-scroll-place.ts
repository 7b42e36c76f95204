import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { ShownMessage } from './shown.ts';

/** So close to the end counts as there. */
const NEAR_PX = 48;

export interface ScrollPlace {
  list: RefObject<HTMLDivElement | null>;
  isAtEnd: boolean;
  toEnd: () => void;
  onScroll: () => void;
}

/**
 * Where a reader is in a thread, and stays: at the end while there, also when something comes or the keyboard opens; else at
 * what they read, also when earlier messages come above it.
 * @param opensAt the id of an element to begin at; null begins at the end
 */
export function useScrollPlace(
  messages: readonly ShownMessage[],
  opensAt: string | null,
): ScrollPlace {
  const list = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const isHeld = useRef(true);
  const before = useRef<{ first: string; last: string; height: number } | null>(null);

  const toEnd = useCallback(() => {
    isHeld.current = true;
    setAtEnd(true);
    list.current?.scrollTo({ top: list.current.scrollHeight, behavior: 'instant' });
  }, []);

  const onScroll = useCallback(() => {
    const { current } = list;
    if (!current) return;
    isHeld.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
    setAtEnd(isHeld.current);
  }, []);

  useLayoutEffect(() => {
    const { current } = list;
    const first = messages[0];
    const last = messages.at(-1);
    if (!current || !first || !last) return;
    const was = before.current;
    before.current = { first: first.id, last: last.id, height: current.scrollHeight };
    const start = !was && opensAt ? document.getElementById(opensAt) : null;
    if (start) {
      current.scrollTop = start.offsetTop - NEAR_PX;
      onScroll();
    } else if (!was || isHeld.current || (was.last !== last.id && last.isOwn)) toEnd();
    else if (was.first !== first.id) current.scrollTop += current.scrollHeight - was.height;
  }, [messages, opensAt, toEnd, onScroll]);

  useLayoutEffect(() => {
    const { current } = list;
    const content = current?.firstElementChild;
    if (!current || !content) return;
    const observer = new ResizeObserver(() => {
      if (before.current) before.current.height = current.scrollHeight;
      if (isHeld.current) toEnd();
    });
    observer.observe(current);
    observer.observe(content);
    return () => observer.disconnect();
  }, [toEnd]);

  return { list, isAtEnd, toEnd, onScroll };
}

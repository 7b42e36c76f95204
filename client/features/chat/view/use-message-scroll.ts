import { useCallback, useLayoutEffect, useRef, useState, type RefObject, useEffect } from 'react';
import { afterPaint } from '../../../platform/scheduling/after-paint.ts';
import type { OwnThread } from '../thread/use-thread.ts';
import type { ShownMessage } from '../types.ts';

/** This close to the end counts as at the end. */
const NEAR_PX = 48;

export interface ScrollPlace {
  list: RefObject<HTMLDivElement | null>;
  isAtEnd: boolean;
  toEnd: () => void;
  onScroll: () => void;
}

const topOf = (element: Element) => element.getBoundingClientRect().top;

/** Returns how far below the upper edge a message's text starts. Headings above it may disappear when earlier messages load. */
const belowEdge = (list: HTMLElement, row: HTMLElement) =>
  topOf(row.querySelector('article') ?? row) - topOf(list);

/** Returns the first visible message and its position. */
function placeIn(list: HTMLElement, messages: readonly ShownMessage[]) {
  const { row } = firstInView(list, messages);
  return row && { id: row.id, below: belowEdge(list, row) };
}

/**
 * Keeps the scroll position: at the end while the reader is there, also when messages arrive or the keyboard opens; otherwise
 * at the message they read, also when earlier messages load above it.
 * @param opensAt the id of the element to start at; null starts at the end
 * @param canStickToEnd whether the last of these messages is the last of the thread
 */
export function useScrollPlace(
  messages: readonly ShownMessage[],
  { opensAt, canStickToEnd }: { opensAt: string | null; canStickToEnd: boolean },
): ScrollPlace {
  const list = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const isStuckToEnd = useRef(true);
  const place = useRef<ReturnType<typeof placeIn>>(null);
  const lastId = useRef<string | null>(null);
  /** Of the list, when it was last looked at. */
  const height = useRef(0);

  const toEnd = useCallback(() => {
    isStuckToEnd.current = true;
    setAtEnd(true);
    list.current?.scrollTo({ top: list.current.scrollHeight, behavior: 'instant' });
  }, []);

  const onScroll = useCallback(() => {
    const { current } = list;
    if (!current) return;
    const isResized = current.clientHeight !== height.current;
    height.current = current.clientHeight;
    // What the browser scrolled as a keyboard opened is no move of the reader.
    if (isResized && isStuckToEnd.current && canStickToEnd) return toEnd();
    const isNear = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
    isStuckToEnd.current = isNear && canStickToEnd;
    setAtEnd(isNear);
    place.current = placeIn(current, messages);
  }, [messages, canStickToEnd, toEnd]);

  useLayoutEffect(() => {
    const { current } = list;
    const last = messages.at(-1);
    if (!current || !last) return;
    height.current = current.clientHeight;
    const isFirst = lastId.current === null;
    const isNew = lastId.current !== last.id;
    lastId.current = last.id;
    const start = isFirst && opensAt ? document.getElementById(opensAt) : null;
    if (start) current.scrollTo({ top: start.offsetTop - NEAR_PX, behavior: 'instant' });
    else if (isFirst || isStuckToEnd.current || (isNew && last.isOwn)) return toEnd();
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
    const observer = new ResizeObserver(() => {
      height.current = current.clientHeight;
      if (isStuckToEnd.current) toEnd();
    });
    observer.observe(current);
    observer.observe(content);
    return () => observer.disconnect();
  }, [toEnd]);

  return { list, isAtEnd, toEnd, onScroll };
}

const rowOf = (message: ShownMessage | undefined) => document.getElementById(message?.id ?? '');
const endOf = (row: HTMLElement) => row.offsetTop + row.offsetHeight;

/** Finds the first visible message: its index, and its row; null where it is not rendered. */
function firstInView(list: HTMLElement, messages: readonly ShownMessage[]) {
  let low = 0;
  let high = messages.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = rowOf(messages[middle]);
    if (row && endOf(row) > list.scrollTop) high = middle;
    else low = middle + 1;
  }
  return { at: low, row: rowOf(messages[low]) };
}

/** Returns the messages whose end is on the screen: a long one is seen once it was scrolled through. */
function seenIn(list: HTMLElement, messages: readonly ShownMessage[]): ShownMessage[] {
  // Offsets are rounded; sizes on the screen are fractions.
  const lowerEdge = list.scrollTop + list.clientHeight + 1;
  const from = firstInView(list, messages).at;
  const seen: ShownMessage[] = [];
  for (const message of messages.slice(from)) {
    const row = rowOf(message);
    if (!row || endOf(row) > lowerEdge) break;
    seen.push(message);
  }
  return seen;
}

/** Each mark is a change of a document, so messages that scroll by share one. */
const MARK_AFTER_MS = 150;

/**
 * Marks messages as read once their end was on a visible screen.
 * @returns a handler to call when the list is scrolled
 */
export function useRead(
  { messages, unread, markRead }: Pick<OwnThread, 'messages' | 'unread' | 'markRead'>,
  list: RefObject<HTMLElement | null>,
): () => void {
  const passed = useRef(new Map<string, { id: string }>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = useCallback(() => {
    const { current } = list;
    if (!current || unread.length === 0 || document.visibilityState !== 'visible') return;
    for (const message of seenIn(current, messages)) passed.current.set(message.id, message);
  }, [list, messages, unread]);
  const note = useCallback(() => {
    look();
    if (passed.current.size > 0) markRead([...passed.current.values()]);
    passed.current.clear();
  }, [look, markRead]);

  useEffect(() => {
    let isOver = false;
    // Changing the document takes longer than rendering.
    void afterPaint().then(() => isOver || note());
    document.addEventListener('visibilitychange', note);
    return () => {
      isOver = true;
      clearTimeout(timer.current);
      document.removeEventListener('visibilitychange', note);
    };
  }, [note]);

  return useCallback(() => {
    look();
    clearTimeout(timer.current);
    timer.current = setTimeout(note, MARK_AFTER_MS);
  }, [look, note]);
}

const NOTHING: readonly string[] = [];

/**
 * Finds unread messages above the visible ones: they arrived late, from a device that was offline, or were skipped.
 * @returns their ids, first to last, and a handler to call when the list is scrolled
 */
export function useAbove(
  { messages, unread, isBefore }: Pick<OwnThread, 'messages' | 'unread' | 'isBefore'>,
  list: RefObject<HTMLElement | null>,
): { ids: readonly string[]; look: () => void } {
  const [ids, setIds] = useState(NOTHING);
  const look = useCallback(() => {
    const { current } = list;
    const first = current && unread.length > 0 && messages[firstInView(current, messages).at];
    const now = first ? unread.filter((id) => isBefore(id, first.id)) : NOTHING;
    setIds((before) => (before.join() === now.join() ? before : now));
  }, [list, messages, unread, isBefore]);
  useLayoutEffect(look, [look]);
  return { ids, look };
}

/**
 * Counts the friend's messages below what the reader has seen.
 * @param seenUpTo the last message when the reader was at the end
 */
export function unseenBelow(
  {
    messages,
    hasLater,
    unread,
    isBefore,
  }: Pick<OwnThread, 'messages' | 'hasLater' | 'unread' | 'isBefore'>,
  seenUpTo: string | undefined,
): number {
  const last = messages.at(-1);
  // An older range is shown: all unread messages after it are below.
  if (hasLater) return last ? unread.filter((id) => isBefore(last.id, id)).length : 0;
  const seenAt = messages.findIndex(({ id }) => id === seenUpTo);
  return seenAt < 0 ? 0 : messages.slice(seenAt + 1).filter(({ isOwn }) => !isOwn).length;
}

const MARK = 'data-scrolling';
const SCROLLING_MS = 1_200;

const MOVES = ['wheel', 'touchmove', 'keydown'] as const;

/**
 * Sets `data-scrolling` on a list while the reader moves it, without rendering it again. Not when it moves because a keyboard
 * opens or a message arrives: what is shown meanwhile would cover words.
 * @returns a handler to call when the list is scrolled
 */
export function useScrolling(list: RefObject<HTMLElement | null>): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isByHand = useRef(false);
  useEffect(() => {
    const { current } = list;
    const onMove = () => {
      isByHand.current = true;
    };
    for (const move of MOVES) current?.addEventListener(move, onMove, { passive: true });
    return () => {
      clearTimeout(timer.current);
      for (const move of MOVES) current?.removeEventListener(move, onMove);
    };
  }, [list]);
  return useCallback(() => {
    const { current } = list;
    if (!current || !isByHand.current) return;
    current.setAttribute(MARK, '');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      isByHand.current = false;
      current.removeAttribute(MARK);
    }, SCROLLING_MS);
  }, [list]);
}

const UPWARD_KEYS = ['ArrowUp', 'PageUp', 'Home'];

/**
 * Loads more once the reader scrolls to an element, before they reach it. Not without a scroll: a list that opens at its end, or whose
 * messages all fit, stays as it is.
 * @param from the first message that is shown; null for not to load more
 */
export function useLoadOnScroll(
  element: RefObject<HTMLElement | null>,
  from: string | null,
  load: () => Promise<void>,
): void {
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  }, [load]);
  useEffect(() => {
    const list = element.current?.closest<HTMLElement>('[role=log]');
    if (from === null || !list) return;
    let isMoved = false;
    const onMove = (event: Event) => {
      if (event instanceof KeyboardEvent && !UPWARD_KEYS.includes(event.key)) return;
      isMoved = true;
      onScroll();
    };
    const onScroll = () => {
      if (!isMoved || list.scrollTop > list.clientHeight / 2) return;
      stop();
      void latest.current();
    };
    const stop = () => {
      for (const move of MOVES) list.removeEventListener(move, onMove);
      list.removeEventListener('scroll', onScroll);
    };
    for (const move of MOVES) list.addEventListener(move, onMove, { passive: true });
    list.addEventListener('scroll', onScroll);
    return stop;
  }, [element, from]);
}

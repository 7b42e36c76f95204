import { useCallback, useLayoutEffect, useRef, useState, type RefObject, useEffect } from 'react';
import type { ShownMessage } from '../types.ts';
import { afterPaint } from '../../scheduling/after-paint.ts';
import type { OwnThread } from '../thread/use-thread.ts';

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

const rowOf = (message: ShownMessage | undefined) => document.getElementById(message?.id ?? '');
const endOf = (row: HTMLElement) => row.offsetTop + row.offsetHeight;

/** Which of these is the first of which something is to be seen; its row in the list, too, null where it is not drawn. */
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

/** Those whose end is on the screen: a long one has been seen once it was scrolled through. */
function seenIn(list: HTMLElement, messages: readonly ShownMessage[]): ShownMessage[] {
  // Sizes on the screen are fractions, these are rounded.
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

/** Each note is a change of a document: one for what passes by. */
const MARK_AFTER_MS = 150;

/**
 * Notes as read what was on the screen of a page that somebody could see, and nothing else.
 * @returns what is to be called when the list is scrolled
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
    // Noting it in a document takes longer than drawing it.
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
 * What is unread above what is before the reader's eyes: it came late, from a device that had no network, or was passed over.
 * @returns its ids, first to last, and what is to be called when the list is scrolled
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
 * How many of the friend's messages stand below what the reader has come to.
 * @param seenUpTo the last message when they were at the end
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
  // Whoever reads further up has another stretch before them than the one in which the friend writes.
  if (hasLater) return last ? unread.filter((id) => isBefore(last.id, id)).length : 0;
  const seenAt = messages.findIndex(({ id }) => id === seenUpTo);
  return seenAt < 0 ? 0 : messages.slice(seenAt + 1).filter(({ isOwn }) => !isOwn).length;
}

const MARK = 'data-scrolling';
const SCROLLING_MS = 1_200;

/**
 * Marks a list with `data-scrolling` while it moves. Past React: nothing has to be drawn anew for it.
 * @returns what is to be called when the list is scrolled
 */
export function useScrolling(list: RefObject<HTMLElement | null>): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    const { current } = list;
    if (!current) return;
    current.setAttribute(MARK, '');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => current.removeAttribute(MARK), SCROLLING_MS);
  }, [list]);
}

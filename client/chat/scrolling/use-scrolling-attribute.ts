import { useCallback, useEffect, useRef, type RefObject } from 'react';

const MARK = 'data-scrolling';
const RESTS_AFTER_MS = 1_200;

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
    timer.current = setTimeout(() => current.removeAttribute(MARK), RESTS_AFTER_MS);
  }, [list]);
}

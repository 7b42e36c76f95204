import { useCallback, useEffect, useRef, type RefObject } from 'react';
import { afterPaint } from '../../scheduling/after-paint.ts';
import { seenIn } from './visible-messages.ts';
import type { OwnThread } from '../thread/use-thread.ts';

/** Each note is a change of a document: one for what passes by. */
const RESTS_AFTER_MS = 150;

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
    timer.current = setTimeout(note, RESTS_AFTER_MS);
  }, [look, note]);
}

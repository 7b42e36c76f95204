import { useCallback, useLayoutEffect, useState, type RefObject } from 'react';
import { firstInView } from './visible-messages.ts';
import type { OwnThread } from '../thread/use-thread.ts';

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

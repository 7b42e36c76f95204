import { useCallback, useLayoutEffect, useState, type RefObject } from 'react';
import type { ShownMessage } from './shown.ts';

/**
 * What the friend wrote that came into its place among what is shown, above what is before the reader's eyes: from a device
 * that had no network.
 * @param unread ids of what the owner has not read
 */
export function useLate(
  messages: readonly ShownMessage[],
  unread: readonly string[],
  list: RefObject<HTMLElement | null>,
): { ids: readonly string[]; look: () => void } {
  const [before, setBefore] = useState(messages);
  const [late, setLate] = useState<readonly string[]>([]);
  if (before !== messages) {
    setBefore(messages);
    const known = new Set(before.map(({ id }) => id));
    const from = messages.findIndex(({ id }) => known.has(id));
    const to = messages.findLastIndex(({ id }) => known.has(id));
    const between = messages.slice(Math.max(from, 0), Math.max(to, 0));
    const more = between.filter(({ id }) => unread.includes(id) && !known.has(id));
    if (more.length > 0) setLate([...late, ...more.map(({ id }) => id)]);
  }
  const look = useCallback(() => {
    const top = list.current?.getBoundingClientRect().top;
    if (top === undefined) return;
    setLate((ids) => {
      const above = ids.filter((id) => {
        const row = document.getElementById(id);
        return row && row.getBoundingClientRect().bottom <= top;
      });
      return above.length === ids.length ? ids : above;
    });
  }, [list]);
  useLayoutEffect(look, [look, late]);
  return { ids: late, look };
}

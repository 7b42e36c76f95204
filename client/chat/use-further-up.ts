import { useMemo, useState } from 'react';
import type { OpenThread } from './open-thread.ts';
import type { ShownMessage } from './shown.ts';

/**
 * What is unread above what is shown, as when it came late from a device that was long away: it counts until it was shown, also
 * when it was marked as read with the rest.
 */
export function useFurtherUp(
  thread: OpenThread | null,
  unread: readonly string[],
  shown: readonly ShownMessage[],
): readonly string[] {
  const [missed, setMissed] = useState<readonly string[]>([]);
  const now = useMemo(() => {
    const first = shown[0];
    const wanted = new Set([...missed, ...unread]);
    for (const { id } of shown) wanted.delete(id);
    if (!thread || !first || wanted.size === 0) return [];
    return [...wanted].filter((id) => thread.isBefore(id, first.id));
  }, [thread, unread, shown, missed]);
  if (now.length !== missed.length || now.some((id, i) => id !== missed[i])) setMissed(now);
  return now;
}

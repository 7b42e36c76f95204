import { useCallback, useEffect, useState } from 'react';
import type { OwnThread } from './use-threads.ts';

/** A message that was looked for: earlier ones are loaded until it is there. */
export function useFound({ messages, hasEarlier, loadEarlier }: OwnThread): {
  /** Null while it is not there. */
  foundId: string | null;
  show: (messageId: string) => void;
} {
  const [wanted, setWanted] = useState<{ id: string } | null>(null);
  const isHere = wanted !== null && messages.some(({ id }) => id === wanted.id);
  const isAway = wanted !== null && !isHere && hasEarlier;
  useEffect(() => {
    if (isAway) void loadEarlier();
  }, [isAway, loadEarlier]);
  const show = useCallback((id: string) => setWanted({ id }), []);
  return { foundId: isHere ? wanted.id : null, show };
}

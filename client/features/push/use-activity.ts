import { useCallback, useEffect } from 'react';
import { listActivity, type Activity } from '#shared/push/contract.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { useLeadingTab } from '../../platform/events/leading-tab-provider.tsx';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { changeCached, useCachedQuery } from '../../platform/session/use-cached-query.ts';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { sendLater } from '../../platform/sync/outbox/outbox.ts';
import { useAllWaiting } from '../../platform/sync/outbox/use-outbox.ts';

const NAME = 'activity';
/** The name of the dialog in the address. */
export const ACTIVITY_OPEN = 'activity';

const NONE: Activity[] = [];

/** Returns what happened to the user: the cached list at once, also offline, then the server's; and notes that it was read. */
export function useActivity() {
  const userId = useUser()?.id ?? '';
  const documents = useDocuments();
  const tab = useLeadingTab();
  const { data, isPending, isError, isPaused } = useCachedQuery(
    NAME,
    listActivity.answer,
    () => call(listActivity),
    // An event can be missed while the stream reconnects.
    { refetchInterval: 5 * MINUTE_MS },
  );
  useEffect(
    () =>
      tab.onEvent((event) => {
        if (event.type === 'activity') void queries.invalidateQueries({ queryKey: [NAME] });
      }),
    [tab],
  );
  const activity = data?.activity ?? NONE;
  // A device that was offline knows more than the server.
  const readUntil = useAllWaiting().flatMap((waiting) =>
    waiting.name === 'activity.read' ? [waiting.input.body.until] : [],
  );
  const last = readUntil.toSorted().at(-1) ?? '';
  const shown = activity.map((each) => (each.told_at <= last ? { ...each, is_read: true } : each));
  const read = useCallback(
    (until: string) => {
      changeCached<{ activity: Activity[] }>(NAME, userId, (before) => ({
        activity: (before?.activity ?? []).map((each) =>
          each.told_at <= until ? { ...each, is_read: true } : each,
        ),
      }));
      if (documents)
        sendLater(documents, 'activity.read', { body: { until } }).catch((error: unknown) =>
          console.error('Failed to note what was read', error),
        );
    },
    [documents, userId],
  );
  return {
    activity: shown,
    unread: shown.filter(({ is_read }) => !is_read).length,
    read,
    isPending,
    isError: isError && !data,
    isPaused: isPaused && !data,
  };
}

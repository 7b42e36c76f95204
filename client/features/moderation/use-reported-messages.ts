import { useMemo } from 'react';
import { splitMessageId } from '#shared/chat/document.ts';
import { listOwnReports } from '#shared/moderation/contract.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { useCachedQuery } from '../../platform/session/use-cached-query.ts';
import { useWaitingCalls } from '../../platform/sync/outbox/use-waiting-calls.ts';

const NAME = 'own-reports';
const FRESH_MS = 10 * MINUTE_MS;

const refetch = () => queries.invalidateQueries({ queryKey: [NAME] });

/**
 * Returns the keys of the messages that the user reported, on any device or without a network: a key stays when its message moves to
 * another document.
 */
export function useReportedMessages(): ReadonlySet<string> {
  const { data } = useCachedQuery(NAME, listOwnReports.answer, () => call(listOwnReports), {
    staleTime: FRESH_MS,
  });
  const waiting = useWaitingCalls('reports', refetch);
  return useMemo(() => {
    const ids = [
      ...(data?.reports ?? []).map(({ message_id }) => message_id),
      ...waiting.map(({ name, input }) =>
        name === 'reports.create' ? input.body.message_id : undefined,
      ),
    ];
    return new Set(ids.flatMap((id) => (id ? [splitMessageId(id).key] : [])));
  }, [data, waiting]);
}

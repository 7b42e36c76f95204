import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import {
  listWarnings,
  RESTRICTED,
  SUSPENDED,
  type UserWarning,
} from '#shared/moderation/contract.ts';
import { isInForce, activeSanctions } from '#shared/moderation/rules.ts';
import { call, onRefusal } from '../http/api.ts';
import { useLeadingTab } from '../events/leading-tab-provider.tsx';
import { readCache, writeCache } from '../local-cache.ts';
import { queries } from '../http/query-client.ts';
import { useUser } from '../session/use-auth.tsx';
import { sendLater } from '../sync/outbox/outbox.ts';
import { useDocuments } from '../sync/documents/use-document.ts';
import { useNow } from '../use-now.ts';

const NAME = 'warnings';
/** The opened dialog, as the address says it. */
export const WARNING_OPEN = 'warning';

const keyOf = (userId: string) => ['warnings', userId];

function keep(userId: string, answer: { warnings: UserWarning[] }) {
  writeCache(userId, NAME, answer);
  return answer;
}

/** Puts what the server answered about one of them in its place. */
export function putWarning(userId: string, warning: UserWarning): void {
  queries.setQueryData<{ warnings: UserWarning[] }>(keyOf(userId), (before) =>
    keep(userId, {
      warnings: (before?.warnings ?? []).map((each) => (each.id === warning.id ? warning : each)),
    }),
  );
}

const NONE: UserWarning[] = [];

/** Whether a moderator looked at it again because of an appeal. */
export const isAnswered = ({ appeal }: UserWarning): boolean =>
  appeal !== null && appeal.status !== 'pending';

/** Whether a moderator came back to it, by themselves or because of an appeal. */
export const isReconsidered = (warning: UserWarning): boolean =>
  warning.lifted_at !== null || isAnswered(warning);

/** What moderators did about the owner: what this device last heard at once, then what the server says. */
export function useAccountStatus() {
  const user = useUser();
  const userId = user?.id ?? '';
  const documents = useDocuments();
  const now = useNow();
  const { data } = useQuery({
    queryKey: keyOf(userId),
    queryFn: async () => keep(userId, await call(listWarnings)),
    initialData: () => readCache(listWarnings.answer, userId, NAME) ?? undefined,
    initialDataUpdatedAt: 0,
    enabled: userId !== '',
  });
  const warnings = data?.warnings ?? NONE;
  return {
    userId,
    warnings,
    ...activeSanctions(warnings, now),
    /** What was not acknowledged and holds, or was taken back or looked at again, newest first. */
    unseen: warnings.filter(
      (each) => !each.is_acknowledged && (isInForce(each, now) || isReconsidered(each)),
    ),
    acknowledge(warning: UserWarning) {
      putWarning(userId, { ...warning, is_acknowledged: true });
      if (!documents) return;
      sendLater(documents, 'warnings.acknowledge', {
        params: { id: warning.id },
        body: { is_lifted: warning.lifted_at !== null, is_answered: isAnswered(warning) },
      }).catch((failure: unknown) => console.error('Failed to acknowledge warning', failure));
    },
  };
}

/** Asks anew when the server tells of a change, or refuses something for what was done about the owner. */
export function useAccountStatusUpdates(): void {
  const user = useUser();
  const userId = user?.id ?? '';
  const tab = useLeadingTab();
  const askAnew = useCallback(
    () => void queries.invalidateQueries({ queryKey: keyOf(userId) }),
    [userId],
  );
  useEffect(() => tab.onEvent((event) => event.type === 'moderation' && askAnew()), [tab, askAnew]);
  useEffect(
    () => onRefusal(({ code }) => (code === SUSPENDED || code === RESTRICTED) && askAnew()),
    [askAnew],
  );
}

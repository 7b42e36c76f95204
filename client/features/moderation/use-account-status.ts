import { useCallback, useEffect } from 'react';
import {
  listWarnings,
  RESTRICTED,
  SUSPENDED,
  type UserWarning,
} from '#shared/moderation/contract.ts';
import { isInForce, activeSanctions } from '#shared/moderation/rules.ts';
import { useLeadingTab } from '../../platform/events/leading-tab-provider.tsx';
import { call, onRefusal } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { changeCached, useCachedQuery } from '../../platform/session/use-cached-query.ts';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { sendLater } from '../../platform/sync/outbox/outbox.ts';
import { useNow } from '../../platform/use-now.ts';

const NAME = 'warnings';
/** The name of the dialog in the address. */
export const WARNING_OPEN = 'warning';

/** Replaces a warning with the server's newer version. */
export const putWarning = (userId: string, warning: UserWarning): void =>
  changeCached<{ warnings: UserWarning[] }>(NAME, userId, (before) => ({
    // Only lists say what it is about.
    warnings: (before?.warnings ?? []).map((each) =>
      each.id === warning.id ? { ...each, ...warning } : each,
    ),
  }));

const NONE: UserWarning[] = [];

/** Whether a moderator has answered its appeal. */
export const isAnswered = ({ appeal }: UserWarning): boolean =>
  appeal !== null && appeal.status !== 'pending';

/** Whether a moderator has revoked it or answered its appeal. */
export const isReconsidered = (warning: UserWarning): boolean =>
  warning.lifted_at !== null || isAnswered(warning);

/** Returns the user's sanctions: cached ones at once, then the server's. */
export function useAccountStatus() {
  const user = useUser();
  const userId = user?.id ?? '';
  const documents = useDocuments();
  const now = useNow();
  const { data } = useCachedQuery(NAME, listWarnings.answer, () => call(listWarnings));
  const warnings = data?.warnings ?? NONE;
  return {
    userId,
    warnings,
    /** Whether the server said which there are, now or before. */
    isKnown: data !== undefined,
    ...activeSanctions(warnings, now),
    /** Unacknowledged warnings that are in force or were reconsidered, newest first. */
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

/** How often a visible app asks whether a sanction is still in force: its event stream may be refused or lost. */
const ASK_AGAIN_MS = 5_000;

/** Refetches the sanctions on a server event, when a call is rejected because of one, and again and again while one is in force. */
export function useAccountStatusUpdates(): void {
  const { userId, suspension, restriction } = useAccountStatus();
  const tab = useLeadingTab();
  const refetch = useCallback(
    () => void queries.invalidateQueries({ queryKey: [NAME, userId] }),
    [userId],
  );
  useEffect(() => tab.onEvent((event) => event.type === 'moderation' && refetch()), [tab, refetch]);
  useEffect(
    () => onRefusal(({ code }) => (code === SUSPENDED || code === RESTRICTED) && refetch()),
    [refetch],
  );
  const isSanctioned = Boolean(suspension ?? restriction);
  useEffect(() => {
    if (!isSanctioned) return;
    const ask = () => document.visibilityState === 'visible' && refetch();
    const timer = setInterval(ask, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isSanctioned, refetch]);
}

import { useQuery } from '@tanstack/react-query';
import { getReferralStats } from '#shared/referrals/contract.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { useUser } from '../../platform/session/use-auth.tsx';

const KEY = 'referral-stats';

/** Returns the user's own invitations and their results. */
export function useReferralStats() {
  const user = useUser();
  return useQuery({
    queryKey: [KEY, user?.id],
    queryFn: ({ signal }) => call(getReferralStats, { signal }),
  });
}

/** Call after an invitation was sent. */
export const refreshReferralStats = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: [KEY] });

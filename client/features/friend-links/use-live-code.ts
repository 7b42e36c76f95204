import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createLiveCode } from '#shared/friend-links/contract.ts';
import { LIVE_CODE_SHOWN_SECONDS } from '#shared/friend-links/rules.ts';
import { call } from '../../platform/http/api.ts';
import { useUser } from '../../platform/session/use-auth.tsx';

/**
 * Returns the code that is shown for a scan now, which is replaced before it ends; null while there is none, as without a
 * network.
 */
export function useLiveCode(): string | null {
  const { data, isError } = useQuery({
    queryKey: ['live-code', useUser()?.id],
    queryFn: async () => (await call(createLiveCode)).live_code,
    // Not even one that was shown a moment ago: it may have been scanned.
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: LIVE_CODE_SHOWN_SECONDS * 1_000,
  });
  const token = data?.token;
  const [endedToken, setEndedToken] = useState<string>();
  useEffect(() => {
    if (!data) return;
    // No newer one came, as without a network.
    const timer = setTimeout(() => setEndedToken(data.token), data.seconds * 1_000);
    return () => clearTimeout(timer);
  }, [data]);
  return token === undefined || isError || token === endedToken ? null : token;
}

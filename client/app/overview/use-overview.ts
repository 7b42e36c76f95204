import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getOverview, type OverviewPeriod } from '#shared/overview/contract.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { call } from '../../platform/http/api.ts';

const EVERY_MS = MINUTE_MS;

/** The overview of a period, asked for again each minute. */
export const useOverview = (days: OverviewPeriod) =>
  useQuery({
    queryKey: ['admin', 'overview', days],
    queryFn: () => call(getOverview, { query: { days } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });

/** How much waits for an admin; undefined until it is known. */
export function useWaitingCount(): { count: number; isCapped: boolean } | undefined {
  const { data } = useOverview('30');
  return (
    data && {
      count: data.waiting.reduce((sum, { count }) => sum + count, 0),
      isCapped: data.waiting.some(({ is_capped }) => is_capped),
    }
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getOverview, type OverviewPeriod, type WaitingRows } from '#shared/overview/contract.ts';
import { WAITING_LISTS } from '#shared/overview/waiting-lists.ts';
import { MINUTE_MS } from '#shared/time.ts';
import type { WaitingCount } from '../../platform/admin/waiting-badge.tsx';
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

const sumOf = (waiting: readonly WaitingRows[]): WaitingCount => ({
  count: waiting.reduce((sum, { count }) => sum + count, 0),
  isCapped: waiting.some(({ is_capped }) => is_capped),
});

/** How much waits for an admin: in a tab of the panel, or in all of them for the overview; undefined until it is known. */
export function useWaitingCounts(): (tab: string) => WaitingCount | undefined {
  const { data } = useOverview('30');
  return (tab) =>
    data &&
    sumOf(
      tab === 'overview'
        ? data.waiting
        : data.waiting.filter(({ kind }) => WAITING_LISTS[kind].split('&')[0] === `tab=${tab}`),
    );
}

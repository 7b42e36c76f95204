import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { charity, listCharities, type CharitySort } from '#shared/charities/contract.ts';
import { call } from '../http/api.ts';
import { readCache, writeCache } from '../local-cache.ts';
import { useUser } from '../session/use-auth.tsx';
import { sorted } from './filter-and-sort.ts';

const NAME = 'charities';

const cachedList = z.object({ at: z.number(), charities: z.array(charity) });

/**
 * Returns the charities that members see, page by page. Without an answer, filters and sorts the cached ones.
 * @param search terms that start words of the charity
 */
export function useCharities(search: string, sort: CharitySort) {
  const user = useUser();
  const userId = user?.id ?? '';
  const query = useInfiniteQuery({
    queryKey: [NAME, userId, search, sort],
    queryFn: async ({ signal, pageParam }) => {
      const page = await call(listCharities, {
        query: { sort, ...(search && { search }), ...(pageParam && { cursor: pageParam }) },
        signal,
      });
      if (!search && !pageParam)
        writeCache(userId, NAME, { at: Date.now(), charities: page.charities });
      return page;
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages;
  const isUnanswered = query.isError || query.fetchStatus === 'paused';
  const isCurrent = pages !== undefined && !query.isPlaceholderData;
  const cached = isUnanswered && !isCurrent ? readCache(cachedList, userId, NAME) : null;
  const last = pages?.at(-1);
  return {
    charities: cached
      ? sorted(cached.charities, search, sort)
      : pages?.flatMap((page) => page.charities),
    total: cached ? null : (last ?? null),
    /** When they were received, in milliseconds; null if the server has just answered. */
    cachedAt: cached?.at ?? (isUnanswered && isCurrent ? query.dataUpdatedAt : null),
    isUnanswered,
    error: query.error,
    isOffline: query.fetchStatus === 'paused',
    hasMore: !cached && query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    fetchMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}

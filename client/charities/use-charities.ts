import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { charity, listCharities, type CharitySort } from '#shared/charities/contract.ts';
import { call } from '../http/api.ts';
import { readCache, writeCache } from '../local-cache.ts';
import { useUser } from '../session/use-auth.tsx';
import { sorted } from './filter-and-sort.ts';

const NAME = 'charities';

const heard = z.object({ at: z.number(), charities: z.array(charity) });

/**
 * The charities that members see, in an order, page by page. Without an answer, those that this device last heard of,
 * searched and sorted here.
 * @param search words of them, at least by their beginnings
 */
export function useCharities(search: string, sort: CharitySort) {
  const user = useUser();
  const userId = user?.id ?? '';
  const asked = useInfiniteQuery({
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
  const pages = asked.data?.pages;
  const isUnanswered = asked.isError || asked.fetchStatus === 'paused';
  const isOurs = pages !== undefined && !asked.isPlaceholderData;
  const kept = isUnanswered && !isOurs ? readCache(heard, userId, NAME) : null;
  const last = pages?.at(-1);
  return {
    charities: kept
      ? sorted(kept.charities, search, sort)
      : pages?.flatMap((page) => page.charities),
    total: kept ? null : (last ?? null),
    /** When this device heard of them, in milliseconds; null where the server has just answered. */
    keptAt: kept?.at ?? (isUnanswered && isOurs ? asked.dataUpdatedAt : null),
    isUnanswered,
    error: asked.error,
    isOffline: asked.fetchStatus === 'paused',
    hasMore: !kept && asked.hasNextPage,
    isFetchingMore: asked.isFetchingNextPage,
    fetchMore: () => void asked.fetchNextPage(),
    retry: () => void asked.refetch(),
  };
}

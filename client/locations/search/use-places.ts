import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { z } from 'zod';
import { getLocation, searchLocations } from '#shared/locations/contract.ts';
import { locationType } from '#shared/locations/schemas.ts';
import { latitude, longitude } from '#shared/place.ts';
import { call } from '../../http/api.ts';
import { readCache, writeCache } from '../../local-cache.ts';
import { useUser } from '../../session/use-auth.tsx';
import type { Wanted } from './search-params.ts';
import { isWaitingId } from '../optimistic-places.ts';

const NAME = 'places';
const kept = z.object({
  wanted: z.object({
    from: z.object({ latitude, longitude }),
    radius: z.number(),
    type: locationType.nullable(),
  }),
  answer: searchLocations.answer,
  /** When it was answered, in milliseconds. */
  at: z.number(),
});
type Kept = z.infer<typeof kept>;

/** The last search of this device with its answer, for a start without a network. */
export const lastSearch = (userId: string): Kept | null => readCache(kept, userId, NAME);

const same = (one: Wanted, other: Wanted): boolean =>
  JSON.stringify([one.from, one.radius, one.type]) ===
  JSON.stringify([other.from, other.radius, other.type]);

async function ask(userId: string, wanted: Wanted, cursor: string | null, signal: AbortSignal) {
  const { from, radius, type } = wanted;
  if (!from) throw new Error('No search position is set');
  const answer = await call(searchLocations, {
    query: {
      latitude: String(from.latitude),
      longitude: String(from.longitude),
      radius: String(radius),
      ...(type && { type }),
      include_tips: 'true',
      include_ads: 'true',
      ...(cursor !== null && { cursor }),
    },
    signal,
  });
  if (cursor === null)
    writeCache(userId, NAME, { wanted: { from, radius, type }, answer, at: Date.now() });
  return answer;
}

/** The places that are searched for: what this device last heard of them at once, then what the server says. */
export function useFoundPlaces(wanted: Wanted) {
  const user = useUser();
  const userId = user?.id ?? '';
  // Read where a search begins, not at each drawing.
  const heard = () => {
    const last = lastSearch(userId);
    return last && same(last.wanted, wanted) ? last : null;
  };
  const { data, dataUpdatedAt, error, isFetching, fetchStatus, refetch, ...more } =
    useInfiniteQuery({
      queryKey: ['places', userId, wanted],
      queryFn: ({ pageParam, signal }) => ask(userId, wanted, pageParam, signal),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next_cursor,
      enabled: wanted.from !== null,
      initialData: () => {
        const last = heard();
        return last ? { pages: [last.answer], pageParams: [null] } : undefined;
      },
      initialDataUpdatedAt: () => heard()?.at,
    });
  const pages = data?.pages;
  const places = useMemo(() => pages?.flatMap(({ locations }) => locations) ?? null, [pages]);
  return {
    places,
    businesses: pages?.[0]?.advertisements ?? [],
    /** When the server said so, in milliseconds. */
    heardAt: dataUpdatedAt,
    error,
    isFetching,
    /** Waiting for a network. */
    isPaused: fetchStatus === 'paused',
    hasMore: more.hasNextPage,
    isFetchingMore: more.isFetchingNextPage,
    fetchMore: () => void more.fetchNextPage(),
    refetch: () => void refetch(),
  };
}

/** All of one place; null until it has arrived. */
export function usePlace(id: string | null) {
  const user = useUser();
  const { data, error, fetchStatus, refetch } = useQuery({
    queryKey: ['place', user?.id, id],
    queryFn: ({ signal }) => call(getLocation, { params: { id: id ?? '' }, signal }),
    enabled: id !== null && !isWaitingId(id),
  });
  return {
    place: data?.location ?? null,
    error,
    /** Waiting for a network. */
    isPaused: fetchStatus === 'paused',
    refetch: () => void refetch(),
  };
}

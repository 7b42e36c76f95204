import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { z } from 'zod';
import { getLocation, searchLocations } from '#shared/locations/contract.ts';
import { locationType, placeFeature } from '#shared/locations/schemas.ts';
import { latitude, longitude } from '#shared/place.ts';
import { isNotFound } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { readCache, writeCache } from '../../../platform/local-cache.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import { rememberLeashPlaces } from '../../proximity/leash-places.ts';
import { forgetOpened, openedPlace, rememberOpened } from '../opened-places.ts';
import { isWaitingId } from '../optimistic-places.ts';
import type { PlaceQuery } from './search-params.ts';

const NAME = 'places';
const cachedSearch = z.object({
  placeQuery: z.object({
    from: z.object({ latitude, longitude }),
    radius: z.number(),
    type: locationType.nullable(),
    features: z.array(placeFeature).default([]),
    near: z.string().nullable().default(null),
  }),
  answer: searchLocations.answer,
  /** When it was answered, in milliseconds. */
  at: z.number(),
});
type CachedSearch = z.infer<typeof cachedSearch>;

/** Returns the last search with its answer, for an offline start. */
export const lastSearch = (userId: string): CachedSearch | null =>
  readCache(cachedSearch, userId, NAME);

const isSame = (a: PlaceQuery, b: PlaceQuery): boolean =>
  JSON.stringify([a.from, a.radius, a.type, a.features]) ===
  JSON.stringify([b.from, b.radius, b.type, b.features]);

async function search(
  userId: string,
  placeQuery: PlaceQuery,
  cursor: string | null,
  signal: AbortSignal,
) {
  const { from, radius, type, features, near } = placeQuery;
  if (!from) throw new Error('No search position is set');
  const answer = await call(searchLocations, {
    query: {
      latitude: String(from.latitude),
      longitude: String(from.longitude),
      radius: String(radius),
      ...(type && { type }),
      ...(features.length > 0 && { features: features.join(',') }),
      include_tips: 'true',
      include_ads: 'true',
      ...(cursor !== null && { cursor }),
    },
    signal,
  });
  rememberLeashPlaces(userId, answer.locations);
  if (cursor === null)
    writeCache(userId, NAME, {
      placeQuery: { from, radius, type, features, near },
      answer,
      at: Date.now(),
    });
  return answer;
}

/** Returns the places of a search: cached ones at once, then the server's. */
export function useFoundPlaces(placeQuery: PlaceQuery) {
  const user = useUser();
  const userId = user?.id ?? '';
  // Read when a search starts, not at each render.
  const cached = () => {
    const last = lastSearch(userId);
    return last && isSame(last.placeQuery, placeQuery) ? last : null;
  };
  const { data, dataUpdatedAt, error, isFetching, fetchStatus, refetch, ...more } =
    useInfiniteQuery({
      queryKey: ['places', userId, placeQuery],
      queryFn: ({ pageParam, signal }) => search(userId, placeQuery, pageParam, signal),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next_cursor,
      enabled: placeQuery.from !== null,
      initialData: () => {
        const last = cached();
        return last ? { pages: [last.answer], pageParams: [null] } : undefined;
      },
      initialDataUpdatedAt: () => cached()?.at,
    });
  const pages = data?.pages;
  const places = useMemo(() => pages?.flatMap(({ locations }) => locations) ?? null, [pages]);
  return {
    places,
    alternatives: pages?.[0]?.alternatives ?? null,
    businesses: pages?.[0]?.advertisements ?? [],
    /** When they were received, in milliseconds. */
    receivedAt: dataUpdatedAt,
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

/** Returns a place with all its tips: as it was when it was last opened on this device, then the server's; null until loaded. */
export function usePlace(id: string | null) {
  const userId = useUser()?.id ?? '';
  const { data, error, fetchStatus, refetch } = useQuery({
    queryKey: ['place', userId, id],
    queryFn: async ({ signal }) => {
      const answer = await call(getLocation, { params: { id: id ?? '' }, signal }).catch(
        (cause: unknown) => {
          if (isNotFound(cause)) forgetOpened(userId, id ?? '');
          throw cause;
        },
      );
      rememberLeashPlaces(userId, [answer.location]);
      rememberOpened(userId, answer.location);
      return answer;
    },
    enabled: id !== null && !isWaitingId(id),
    initialData: () => {
      const location = openedPlace(userId, id ?? '');
      return location ? { location } : undefined;
    },
    initialDataUpdatedAt: 0,
  });
  return {
    place: data?.location ?? null,
    error,
    /** Waiting for a network. */
    isPaused: fetchStatus === 'paused',
    refetch: () => void refetch(),
  };
}

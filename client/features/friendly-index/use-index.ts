import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { z } from 'zod';
import {
  dogFriendlyIndex,
  getDogFriendlyIndex,
  getUserFriendlyIndex,
  ownerFriendlyIndex,
  type DogFriendlyIndex,
  type OwnerFriendlyIndex,
} from '#shared/friendly-index/contract.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { call } from '../../platform/http/api.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { plausibleTimestamp } from '../../platform/server-clock.ts';
import { useUser } from '../../platform/session/use-auth.tsx';

/** The index changes once a day and with every new friend. */
const FRESH_MS = 5 * MINUTE_MS;

export interface IndexQuery<A> {
  /** The last index received; null before any. */
  index: A | null;
  /** When it was received, in milliseconds. */
  receivedAt: number;
  isError: boolean;
  /** Waiting for a network. */
  isPaused: boolean;
  isFetching: boolean;
  retry: () => void;
}

/** @param userId the owner; the current user's own index is cached for offline starts */
function useIndex<A>(
  schema: z.ZodType<A>,
  name: string,
  userId: string,
  fetchIndex: () => Promise<A>,
): IndexQuery<A> {
  const user = useUser();
  const isOwn = userId === user?.id;
  const cached = () => (isOwn ? readCache(z.tuple([z.number(), schema]), userId, name) : null);
  const { data, dataUpdatedAt, isError, isFetching, fetchStatus, refetch } = useQuery({
    queryKey: ['friendly-index', user?.id, userId, name],
    queryFn: async () => {
      try {
        const index = await fetchIndex();
        if (isOwn) writeCache(userId, name, [Date.now(), index]);
        return index;
      } catch (error) {
        console.error(getUserFriendlyIndex.failure, error);
        throw error;
      }
    },
    enabled: userId !== '',
    initialData: () => cached()?.[1],
    initialDataUpdatedAt: () => plausibleTimestamp(cached()?.[0]),
    staleTime: FRESH_MS,
  });
  const retry = useCallback(() => void refetch(), [refetch]);
  return {
    index: data ?? null,
    receivedAt: dataUpdatedAt,
    isError,
    isPaused: fetchStatus === 'paused',
    isFetching,
    retry,
  };
}

/** An owner's index, with the scores of all their dogs. */
export const useOwnerIndex = (userId: string): IndexQuery<OwnerFriendlyIndex> =>
  useIndex(ownerFriendlyIndex, 'friendly-index', userId, () =>
    call(getUserFriendlyIndex, { params: { id: userId } }),
  );

/** One dog's index. */
export const useDogIndex = (userId: string, dogId: string): IndexQuery<DogFriendlyIndex> =>
  useIndex(dogFriendlyIndex, `friendly-index-${dogId}`, userId, () =>
    call(getDogFriendlyIndex, { params: { id: dogId }, query: { owner_user_id: userId } }),
  );

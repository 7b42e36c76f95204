import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { queries } from '../http/query-client.ts';
import { readCache, writeCache } from '../local-cache.ts';
import { useUser } from './use-auth.tsx';

/**
 * As `useQuery`, for an answer about the signed-in user that is cached for offline starts: shows the cached one at once, then the
 * server's.
 * @param name of the cache entry and the query
 * @param request gets the cached answer
 */
export function useCachedQuery<S extends z.ZodType>(
  name: string,
  schema: S,
  request: (cached: z.output<S> | null) => Promise<z.output<S>>,
  options: { staleTime?: number; refetchInterval?: number } = {},
) {
  const userId = useUser()?.id ?? '';
  const cached = () => readCache(schema, userId, name);
  return useQuery<z.output<S>>({
    queryKey: [name, userId],
    queryFn: async () => {
      const answer = await request(cached());
      writeCache(userId, name, answer);
      return answer;
    },
    initialData: () => cached() ?? undefined,
    initialDataUpdatedAt: 0,
    enabled: userId !== '',
    ...options,
  });
}

/** Changes the answer of `useCachedQuery`, and caches the change. */
export function changeCached<A>(
  name: string,
  userId: string,
  change: (answer: A | undefined) => A,
): void {
  queries.setQueryData<A>([name, userId], (before) => {
    const answer = change(before);
    writeCache(userId, name, answer);
    return answer;
  });
}

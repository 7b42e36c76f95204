import { useQuery } from '@tanstack/react-query';
import { listGuidelines, type Guideline } from '#shared/moderation/contract.ts';
import { call } from '../http/api.ts';
import { readCache, writeCache } from '../local-cache.ts';
import { useUser } from '../session/use-auth.tsx';

const NAME = 'guidelines';

async function fetchGuidelines(userId: string) {
  const answer = await call(listGuidelines);
  writeCache(userId, NAME, answer);
  return answer;
}

const NONE: Guideline[] = [];

export type GuidelinesState = 'ready' | 'loading' | 'offline' | 'failed';

/** Returns the community safety guidelines: cached ones at once, even offline. */
export function useGuidelines(): { guidelines: Guideline[]; state: GuidelinesState } {
  const user = useUser();
  const userId = user?.id ?? '';
  const { data, isError, fetchStatus } = useQuery({
    queryKey: ['guidelines', userId],
    queryFn: () => fetchGuidelines(userId),
    initialData: () => readCache(listGuidelines.answer, userId, NAME) ?? undefined,
    initialDataUpdatedAt: 0,
    enabled: userId !== '',
  });
  if (data) return { guidelines: data.guidelines, state: 'ready' };
  if (fetchStatus === 'paused') return { guidelines: NONE, state: 'offline' };
  return { guidelines: NONE, state: isError ? 'failed' : 'loading' };
}

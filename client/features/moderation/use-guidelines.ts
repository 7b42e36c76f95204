import { listGuidelines, type Guideline } from '#shared/moderation/contract.ts';
import { call } from '../../platform/http/api.ts';
import { useCachedQuery } from '../../platform/session/use-cached-query.ts';

const NONE: Guideline[] = [];

export type GuidelinesState = 'ready' | 'loading' | 'offline' | 'failed';

/** Returns the community safety guidelines: cached ones at once, even offline. */
export function useGuidelines(): { guidelines: Guideline[]; state: GuidelinesState } {
  const { data, isError, fetchStatus } = useCachedQuery('guidelines', listGuidelines.answer, () =>
    call(listGuidelines),
  );
  if (data) return { guidelines: data.guidelines, state: 'ready' };
  if (fetchStatus === 'paused') return { guidelines: NONE, state: 'offline' };
  return { guidelines: NONE, state: isError ? 'failed' : 'loading' };
}

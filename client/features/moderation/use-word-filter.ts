import { useCallback, useMemo } from 'react';
import type { z } from 'zod';
import { getWords } from '#shared/moderation/contract.ts';
import { outcomeOf, type SendOutcome } from '#shared/moderation/rules.ts';
import { filterOf } from '#shared/moderation/word-filter.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { call } from '../../platform/http/api.ts';
import { useCachedQuery } from '../../platform/session/use-cached-query.ts';

const EVERY_MS = 15 * MINUTE_MS;

async function fetchWords(cached: z.output<typeof getWords.answer> | null) {
  const answer = await call(getWords, { query: { version: cached?.version } });
  // Null means unchanged.
  return {
    version: answer.version,
    words: answer.words ?? cached?.words ?? [],
    texts: answer.texts ?? cached?.texts ?? [],
  };
}

/**
 * Returns a filter that predicts the outcome of sending a message, from the server's cached word list. The server checks every
 * message itself.
 */
export function useWordFilter(): (text: string) => SendOutcome {
  const { data } = useCachedQuery('words', getWords.answer, fetchWords, { staleTime: EVERY_MS });
  const filter = useMemo(() => filterOf([...(data?.words ?? []), ...(data?.texts ?? [])]), [data]);
  return useCallback((text) => outcomeOf(filter(text)), [filter]);
}

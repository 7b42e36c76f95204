import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { getWords } from '#shared/moderation/contract.ts';
import { outcomeOf, type SendOutcome } from '#shared/moderation/rules.ts';
import { filterOf } from '#shared/moderation/word-filter.ts';
import { call } from '../http/api.ts';
import { readCache, writeCache } from '../local-cache.ts';
import { useUser } from '../session/use-auth.tsx';

const NAME = 'words';
const EVERY_MS = 15 * 60_000;

const cachedWords = (userId: string) => readCache(getWords.answer, userId, NAME);

async function fetchWords(userId: string) {
  const last = cachedWords(userId);
  const answer = await call(getWords, { query: { version: last?.version } });
  // Null means unchanged.
  const words = answer.words ?? last?.words ?? [];
  writeCache(userId, NAME, { version: answer.version, words });
  return { version: answer.version, words };
}

/**
 * Returns a filter that predicts the outcome of sending a message, from the server's cached word list. The server checks every
 * message itself.
 */
export function useWordFilter(): (text: string) => SendOutcome {
  const user = useUser();
  const userId = user?.id ?? '';
  const { data } = useQuery({
    queryKey: ['words', userId],
    queryFn: () => fetchWords(userId),
    initialData: () => cachedWords(userId) ?? undefined,
    initialDataUpdatedAt: 0,
    staleTime: EVERY_MS,
    enabled: userId !== '',
  });
  const filter = useMemo(() => filterOf(data?.words ?? []), [data]);
  return useCallback((text) => outcomeOf(filter(text)), [filter]);
}

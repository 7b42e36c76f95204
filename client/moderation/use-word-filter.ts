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

const lastWords = (userId: string) => readCache(getWords.answer, userId, NAME);

async function ask(userId: string) {
  const last = lastWords(userId);
  const answer = await call(getWords, { query: { version: last?.version } });
  // Null: they are as they were.
  const words = answer.words ?? last?.words ?? [];
  writeCache(userId, NAME, { version: answer.version, words });
  return { version: answer.version, words };
}

/**
 * What becomes of a message before it is sent, by the words that this device had last from the server. The server looks at
 * every message itself.
 */
export function useWordFilter(): (text: string) => SendOutcome {
  const user = useUser();
  const userId = user?.id ?? '';
  const { data } = useQuery({
    queryKey: ['words', userId],
    queryFn: () => ask(userId),
    initialData: () => lastWords(userId) ?? undefined,
    initialDataUpdatedAt: 0,
    staleTime: EVERY_MS,
    enabled: userId !== '',
  });
  const filter = useMemo(() => filterOf(data?.words ?? []), [data]);
  return useCallback((text) => outcomeOf(filter(text)), [filter]);
}

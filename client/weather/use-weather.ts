import { useMutation, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { readWeather, weather, type Weather } from '#shared/weather/contract.ts';
import { cellKey, cellOf, FRESH_MINUTES } from '#shared/weather/rules.ts';
import { askedNow, takeAlerts } from '../alerts/alert-cache.ts';
import { call } from '../http/api.ts';
import { CallError } from '../http/api-client.ts';
import { plausibleTimestamp, recordServerTime, serverTime } from '../server-clock.ts';
import { readCache, writeCache } from '../local-cache.ts';
import { findPosition } from '../position/find-position.ts';
import { queries } from '../http/query-client.ts';
import { useUser } from '../session/use-auth.tsx';
import { useHere } from './use-location-consent.ts';

const NAME = 'weather';
const FRESH_MS = FRESH_MINUTES * 60_000;

/** A reading, and when this device heard of it by its own clock, in milliseconds. */
const heard = z.object({ at: z.number(), reading: weather });
const lastHeard = (userId: string) => {
  const last = readCache(heard, userId, NAME);
  return last && { ...last, at: plausibleTimestamp(last.at) };
};

/**
 * The weather where this device is: the last reading while it is fresh and of the same cell, else a new one.
 * @param refresh asks anew in any case
 * @throws with words for people
 */
async function ask(userId: string, refresh: boolean): Promise<Weather> {
  const cell = cellOf(await findPosition({ isRough: true, isFresh: refresh }));
  const last = lastHeard(userId);
  const isFresh = last !== null && last.at > Date.now() - FRESH_MS;
  if (!refresh && isFresh && cellKey(last.reading) === cellKey(cell)) return last.reading;
  const question = askedNow();
  try {
    const answer = await call(readWeather, { body: { ...cell, ...(refresh && { refresh }) } });
    recordServerTime(userId, answer.server_time);
    writeCache(userId, NAME, { at: Date.now(), reading: answer.weather });
    if (answer.alerts) takeAlerts(userId, answer.alerts, question);
    return answer.weather;
  } catch (error) {
    // Not our server's words, as from a proxy: the status is all there is to say.
    if (error instanceof CallError && error.code === 'failed')
      throw new CallError(`Weather API error: ${error.status}`, error.status, error.code);
    throw error;
  }
}

/**
 * The weather where the owner is, as far as it may be known: the last reading at once, network or not, then a new one every
 * so many minutes.
 */
export function useWeather(refreshMinutes: number) {
  const user = useUser();
  const { isAllowed } = useHere();
  const userId = user?.id ?? '';
  const queryKey = ['weather', userId];
  const { data, dataUpdatedAt, error, isFetching, fetchStatus } = useQuery({
    queryKey,
    queryFn: () => ask(userId, false),
    enabled: isAllowed,
    initialData: () => lastHeard(userId)?.reading,
    initialDataUpdatedAt: () => lastHeard(userId)?.at,
    staleTime: FRESH_MS,
    refetchInterval: refreshMinutes * 60_000,
  });
  const refreshing = useMutation({
    mutationFn: () => ask(userId, true),
    onSuccess: (reading) => queries.setQueryData(queryKey, reading),
  });
  const reading = isAllowed ? (data ?? null) : null;
  return {
    isAllowed,
    reading,
    /** How old it is at a time, both in milliseconds. */
    ageAt: (now: number) =>
      reading ? serverTime(userId, now) - Date.parse(reading.retrieved_at) : 0,
    // Once it was answered since, what failed before is over.
    error: refreshing.submittedAt > dataUpdatedAt ? (refreshing.error ?? error) : error,
    isFetching: isFetching || refreshing.isPending,
    /** Waiting for a network. */
    isPaused: fetchStatus === 'paused' || refreshing.isPaused,
    refresh: () => refreshing.mutate(),
  };
}

import { useMutation, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { MINUTE_MS } from '#shared/time.ts';
import { readWeather, weather, type Weather } from '#shared/weather/contract.ts';
import { cellKey, cellOf, FRESH_MINUTES } from '#shared/weather/rules.ts';
import { CallError } from '../../platform/http/api-client.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { findPosition } from '../../platform/position/find-position.ts';
import { plausibleTimestamp, recordServerTime, serverTime } from '../../platform/server-clock.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { nextRequest, takeAlerts } from '../alerts/alert-cache.ts';
import { useHere } from '../profile/use-here.ts';

const NAME = 'weather';
const FRESH_MS = FRESH_MINUTES * MINUTE_MS;

/** A reading, and when this device received it, in milliseconds of its own clock. */
const cachedReading = z.object({ at: z.number(), reading: weather });
const readCachedReading = (userId: string) => {
  const last = readCache(cachedReading, userId, NAME);
  return last && { ...last, at: plausibleTimestamp(last.at) };
};

/**
 * Returns the weather where this device is: the cached reading if it is fresh and of the same cell, else a new one.
 * @param refresh always requests a new one
 * @throws with a message for people
 */
async function fetchWeather(userId: string, refresh: boolean): Promise<Weather> {
  const cell = cellOf(await findPosition({ isRough: true, isFresh: refresh }));
  const last = readCachedReading(userId);
  const isFresh = last !== null && last.at > Date.now() - FRESH_MS;
  if (!refresh && isFresh && cellKey(last.reading) === cellKey(cell)) return last.reading;
  const request = nextRequest();
  try {
    const answer = await call(readWeather, { body: { ...cell, ...(refresh && { refresh }) } });
    recordServerTime(userId, answer.server_time);
    writeCache(userId, NAME, { at: Date.now(), reading: answer.weather });
    if (answer.alerts) takeAlerts(userId, answer.alerts, request);
    return answer.weather;
  } catch (error) {
    // Not from our server, such as a proxy's error page: only the status is known.
    if (error instanceof CallError && error.code === 'failed')
      throw new CallError(`Weather API error: ${error.status}`, error.status, error.code);
    throw error;
  }
}

/**
 * Returns the weather where the owner is, if allowed: the cached reading at once, even offline, then a new one at the given
 * interval.
 */
export function useWeather(refreshMinutes: number) {
  const user = useUser();
  const { isAllowed } = useHere();
  const userId = user?.id ?? '';
  const queryKey = ['weather', userId];
  const { data, dataUpdatedAt, error, isFetching, fetchStatus } = useQuery({
    queryKey,
    queryFn: () => fetchWeather(userId, false),
    enabled: isAllowed,
    initialData: () => readCachedReading(userId)?.reading,
    initialDataUpdatedAt: () => readCachedReading(userId)?.at,
    staleTime: FRESH_MS,
    refetchInterval: refreshMinutes * MINUTE_MS,
  });
  const refreshing = useMutation({
    mutationFn: () => fetchWeather(userId, true),
    onSuccess: (reading) => queries.setQueryData(queryKey, reading),
  });
  const reading = isAllowed ? (data ?? null) : null;
  return {
    isAllowed,
    reading,
    /** Returns the reading's age at a time, both in milliseconds. */
    ageAt: (now: number) =>
      reading ? serverTime(userId, now) - Date.parse(reading.retrieved_at) : 0,
    // An older failed refresh no longer matters after a newer success.
    error: refreshing.submittedAt > dataUpdatedAt ? (refreshing.error ?? error) : error,
    isFetching: isFetching || refreshing.isPending,
    /** Waiting for a network. */
    isPaused: fetchStatus === 'paused' || refreshing.isPaused,
    refresh: () => refreshing.mutate(),
  };
}

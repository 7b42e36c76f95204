import { HttpError } from '#shared/http/http-error.ts';
import { readWeather, type Weather } from '#shared/weather/contract.ts';
import { cellKey } from '#shared/weather/rules.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { ProviderFailure } from '../../platform/http/provider-failure.ts';
import { offered, type Api } from '../../platform/services.ts';
import { chooseWeather } from './choose-provider.ts';
import type { StoredReading } from './collections.ts';
import { openReadings } from './readings.ts';

/** The error for users; the provider’s own message stays in the log. */
function refusalOf(failure: ProviderFailure): HttpError {
  const { status, retryAfterMs } = failure;
  const words = status === null ? 'Failed to fetch weather data' : `Weather API error: ${status}`;
  return new HttpError(503, words, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil((retryAfterMs ?? 5_000) / 1000))) },
    cause: failure,
  });
}

function present(reading: StoredReading, userId: string): Weather {
  const retrieved_at = reading.retrieved_at.toISOString();
  // The id of the row would tell that somebody renewed it.
  const id = `${cellKey(reading)} ${retrieved_at}`;
  return { ...reading, id, user_id: userId, retrieved_at };
}

/** The weather at a place, with its emergency alerts. */
export function mountWeather(api: Api): void {
  const { services } = api;
  const alerts = offered(api, 'alerts');
  const provider = chooseWeather(services.env);
  const readings = provider && openReadings(services.db, provider, services.env.WEATHER_TIMEOUT_MS);
  if (readings) services.registerJob('weather readings', () => readings.runJob());
  if (!services.env.hasSandbox && services.env.OPEN_METEO_KEYLESS)
    services.log.warn('using Open-Meteo without a key: allowed for non-commercial use only');
  const asks = services.limiter({ name: 'weather', points: 60, seconds: 60 });
  const refreshes = services.limiter({ name: 'weather-refresh', points: 10, seconds: 600 });
  // Each request costs money, and no one walks through more cells.
  const provided = services.limiter({ name: 'weather-provider', points: 30, seconds: 600 });

  serve(api, readWeather, async ({ caller, body: { refresh = false, ...place } }) => {
    const userId = caller.user._id;
    await asks(userId);
    if (refresh) await refreshes(userId);
    if (!readings) throw new HttpError(503, 'Weather isn’t set up here');
    const [reading, active] = await Promise.all([
      readings
        .at(place, refresh, () => provided(userId))
        .catch((error: unknown) => {
          throw error instanceof ProviderFailure ? refusalOf(error) : error;
        }),
      alerts.of(userId, place).catch((err: unknown) => {
        services.log.warn({ err }, 'could not read alerts for the weather');
        return undefined;
      }),
    ]);
    const server_time = new Date().toISOString();
    return { weather: present(reading, userId), alerts: active, server_time };
  });
}

import { afterEach, describe, expect, test } from 'vitest';
import { chooseWeather, isSandboxWeather } from '../../api/weather/choose-provider.ts';
import { openMeteo } from '../../api/weather/open-meteo.ts';
import { openWeather } from '../../api/weather/openweather.ts';
import type { WeatherProvider } from '../../api/weather/provider.ts';
import { readEnv } from '../../api/env.ts';
import { emulate, type Emulated, type Emulator } from '../emulator.ts';

const place = { latitude: 40.713, longitude: -74.006 };
let emulator: Emulator | null = null;
afterEach(() => emulator?.close());

type Answers = Record<string, Emulated | null>;
async function provider(
  make: (url: string) => WeatherProvider,
  answers: Answers,
): Promise<WeatherProvider> {
  emulator = await emulate(({ pathname }) =>
    pathname in answers ? (answers[pathname] ?? null) : { status: 404 },
  );
  return make(emulator.url);
}
const read = (from: WeatherProvider) => from.read(place, AbortSignal.timeout(5_000));
const paths = () => emulator?.asked.map(({ url }) => url.pathname).toSorted();

describe('OpenWeather', () => {
  // Shortened responses from its documentation.
  const current: Emulated = {
    body: {
      coord: { lon: -74.006, lat: 40.713 },
      weather: [{ id: 521, main: 'Rain', description: 'shower rain', icon: '09d' }, { id: 701 }],
      main: { temp: 71.3, feels_like: 72, temp_min: 70, pressure: 1012, humidity: 83 },
      visibility: 10000,
      wind: { speed: 12.4, deg: 210, gust: 20 },
      dt: 1763740000,
    },
  };
  const air: Emulated = {
    body: { list: [{ main: { aqi: 2 }, components: { co: 230, no2: 14, o3: 60, pm2_5: 35.4 } }] },
  };
  const oneCall: Emulated = {
    body: { current: { uvi: 6.2 }, hourly: [{ dt: 1, pop: 0.35 }, { pop: 0.9 }] },
  };
  const all: Answers = {
    '/data/2.5/weather': current,
    '/data/2.5/air_pollution': air,
    '/data/3.0/onecall': oneCall,
    '/data/2.5/forecast': { body: { list: [{ pop: 0.5 }] } },
  };
  const make = (url: string) => openWeather({ key: 'secret', url });

  test('OpenWeather returns a reading with the air quality computed from concentrations', async () => {
    const from = await provider(make, all);
    expect(await read(from)).toEqual({
      temperature_f: 71.3,
      feels_like_f: 72,
      weather_icon: '09d',
      weather_condition: 'Rain',
      weather_description: 'shower rain',
      humidity: 83,
      wind_speed_mph: 12.4,
      wind_direction: 210,
      visibility_miles: 6.2,
      precipitation_chance: 35,
      uv_index: 6.2,
      air_quality_index: 100,
    });
    const [{ url }] = emulator!.asked as [Emulator['asked'][number]];
    expect(url.searchParams.get('lat')).toBe('40.713');
    expect(url.searchParams.get('appid')).toBe('secret');
  });

  test('OpenWeather works without a One Call subscription and requests it only once', async () => {
    const from = await provider(make, { ...all, '/data/3.0/onecall': { status: 401 } });
    expect(await read(from)).toMatchObject({ precipitation_chance: 50, uv_index: null });
    await read(from);
    expect(paths()?.filter((path) => path === '/data/3.0/onecall')).toHaveLength(1);
  });

  test('OpenWeather returns weather without air quality when that request fails', async () => {
    const from = await provider(make, { ...all, '/data/2.5/air_pollution': { status: 500 } });
    expect(await read(from)).toMatchObject({ air_quality_index: null, temperature_f: 71.3 });
  });

  test('OpenWeather propagates rate limits with their delay', async () => {
    const limited = { status: 429, headers: { 'retry-after': '17' } };
    const from = await provider(make, { ...all, '/data/2.5/weather': limited });
    await expect(read(from)).rejects.toMatchObject({ status: 429, retryAfterMs: 17_000 });
  });

  test('OpenWeather fails on unreadable responses without revealing the key', async () => {
    for (const body of ['<html>', '{"weather":[]}', '']) {
      const from = await provider(make, { ...all, '/data/2.5/weather': { body } });
      const failure: unknown = await read(from).catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'ProviderFailure', status: null });
      expect(String(failure)).not.toContain('secret');
      emulator?.close();
    }
  });

  test('OpenWeather fails on a timeout and on a failed connection', async () => {
    const from = await provider(make, { ...all, '/data/2.5/weather': null });
    await expect(from.read(place, AbortSignal.timeout(50))).rejects.toMatchObject({ status: null });
    emulator?.close();
    await expect(read(from)).rejects.toMatchObject({ name: 'ProviderFailure', status: null });
  });
});

describe('Open-Meteo', () => {
  const current = {
    temperature_2m: 30.1,
    apparent_temperature: 22.5,
    relative_humidity_2m: 71,
    weather_code: 75,
    wind_speed_10m: 26,
    wind_direction_10m: 350,
    visibility: 400,
    precipitation_probability: 90,
    uv_index: 0.4,
    is_day: 0,
  };
  const forecast = (change: object = {}, units: object = { visibility: 'm' }): Emulated => ({
    body: { current_units: units, current: { ...current, ...change } },
  });
  const all: Answers = {
    '/v1/forecast': forecast(),
    '/v1/air-quality': { body: { current: { us_aqi: 64 } } },
  };
  const make = (url: string) => openMeteo({ key: 'secret', url, airUrl: url });

  test('Open-Meteo returns a reading with the weather code as text', async () => {
    expect(await read(await provider(make, all))).toEqual({
      temperature_f: 30.1,
      feels_like_f: 22.5,
      weather_icon: '13n',
      weather_condition: 'Snow',
      weather_description: 'heavy snow',
      humidity: 71,
      wind_speed_mph: 26,
      wind_direction: 350,
      visibility_miles: 0.2,
      precipitation_chance: 90,
      uv_index: 0.4,
      air_quality_index: 64,
    });
    const { searchParams } = emulator!.asked.find(
      ({ url }) => url.pathname === '/v1/forecast',
    )!.url;
    expect(searchParams.get('temperature_unit')).toBe('fahrenheit');
    expect(searchParams.get('wind_speed_unit')).toBe('mph');
    expect(searchParams.get('apikey')).toBe('secret');
  });

  test('Open-Meteo converts feet and omits missing values', async () => {
    const feet = forecast({ visibility: 5280, uv_index: null }, { visibility: 'ft' });
    const from = await provider(make, { '/v1/forecast': feet, '/v1/air-quality': { status: 500 } });
    expect(await read(from)).toMatchObject({
      visibility_miles: 1,
      uv_index: null,
      air_quality_index: null,
    });
  });

  test('Open-Meteo readings accept each documented weather code and fail on others', async () => {
    const codes = [
      0, 1, 2, 3, 45, 48, 51, 53, 55, 56, 57, 61, 63, 65, 66, 67, 71, 73, 75, 77, 80, 81, 82, 85,
      86, 95, 96, 99,
    ];
    const answers: Answers = { ...all };
    const from = await provider(make, answers);
    for (const weather_code of codes) {
      answers['/v1/forecast'] = forecast({ weather_code });
      expect((await read(from)).weather_description).toMatch(/\w/);
    }
    answers['/v1/forecast'] = forecast({ weather_code: 12 });
    await expect(read(from)).rejects.toMatchObject({ name: 'ProviderFailure' });
  });

  test('Open-Meteo propagates HTTP errors with their status', async () => {
    const from = await provider(make, { ...all, '/v1/forecast': { status: 429 } });
    await expect(read(from)).rejects.toMatchObject({ status: 429, retryAfterMs: null });
  });
});

describe('choice of the provider', () => {
  const base = {
    MONGODB_URI: 'mongodb://127.0.0.1',
    PUBLIC_ORIGIN: 'http://localhost:3000',
    SYNC_SECRET: 'sixteen characters',
    SYNC_INTERNAL_URL: 'http://127.0.0.1:3002',
    API_PORT: '3001',
  };
  const withoutSandbox = {
    ...base,
    ALLOW_SANDBOX: 'false',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
  };

  test('uses the sandbox only if allowed and nothing is configured', () => {
    expect(isSandboxWeather(readEnv(base))).toBe(true);
    expect(isSandboxWeather(readEnv({ ...base, OPENWEATHER_API_KEY: 'key' }))).toBe(false);
    expect(isSandboxWeather(readEnv(withoutSandbox))).toBe(false);
    expect(chooseWeather(readEnv(withoutSandbox))).toBeNull();
  });

  test('uses Open-Meteo without a key only if configured', async () => {
    emulator = await emulate(() => ({ status: 418 }));
    const { url } = emulator;
    const addresses = { OPEN_METEO_URL: url, OPEN_METEO_AIR_URL: url };
    expect(chooseWeather(readEnv({ ...withoutSandbox, ...addresses }))).toBeNull();
    const keyless = chooseWeather(
      readEnv({ ...withoutSandbox, ...addresses, OPEN_METEO_KEYLESS: 'true' }),
    );
    await expect(read(keyless!)).rejects.toMatchObject({ status: 418 });
    expect(emulator.asked[0]?.url.searchParams.has('apikey')).toBe(false);
  });
});

import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { assess } from '#shared/weather/rules.ts';
import { chooseWeather, isSandboxWeather } from '../../api/features/weather/choose-provider.ts';
import { openMeteo } from '../../api/features/weather/open-meteo.ts';
import { openWeather } from '../../api/features/weather/openweather.ts';
import type { Conditions, WeatherProvider } from '../../api/features/weather/provider.ts';
import { readEnv } from '../../api/platform/env.ts';
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
    body: {
      current: { uvi: 6.2 },
      hourly: [
        { dt: 1763740800, temp: 70.4, pop: 0.35, weather: [{ icon: '10d' }] },
        { pop: 0.9 },
        { dt: 9e15, pop: 0.9 },
      ],
    },
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
      hours: [
        {
          at: '2025-11-21T16:00:00.000Z',
          temperature_f: 70.4,
          precipitation_chance: 35,
          weather_icon: '10d',
        },
      ],
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

  test.each([401, 429, 500, 504])(
    'OpenWeather takes the chance of rain from the forecast while One Call answers %i',
    async (status) => {
      const from = await provider(make, { ...all, '/data/3.0/onecall': { status } });
      for (let times = 0; times < 2; times += 1)
        expect(await read(from)).toMatchObject({
          temperature_f: 71.3,
          precipitation_chance: 50,
          uv_index: null,
          air_quality_index: 100,
        });
      expect(paths()?.filter((path) => path === '/data/3.0/onecall')).toHaveLength(1);
    },
  );

  test('OpenWeather returns weather without a chance of rain when both forecasts fail', async () => {
    const from = await provider(make, {
      ...all,
      '/data/3.0/onecall': { status: 429 },
      '/data/2.5/forecast': { status: 500 },
    });
    expect(await read(from)).toMatchObject({ temperature_f: 71.3, precipitation_chance: null });
  });

  test('of several conditions of OpenWeather the worst decides', async () => {
    const conditions = [
      { id: 701, main: 'Mist', description: 'mist', icon: '50d' },
      { id: 211, main: 'Thunderstorm', description: 'thunderstorm', icon: '11d' },
      { id: 500, main: 'Rain', description: 'light rain', icon: '10d' },
    ];
    for (const weather of [conditions, conditions.toReversed()]) {
      const from = await provider(make, {
        ...all,
        '/data/2.5/weather': { body: { ...(current.body as object), weather } },
      });
      const reading = await read(from);
      expect(reading).toMatchObject({ weather_condition: 'Thunderstorm', weather_icon: '11d' });
      expect(assess(reading).is_dog_walking_safe).toBe(false);
      emulator?.close();
    }
  });

  test('OpenWeather fails on unreadable responses without revealing the key', async () => {
    for (const body of ['<html>', '{"weather":[]}', '', '[]']) {
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

/** Values of Open-Meteo. */
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

describe('Open-Meteo', () => {
  const forecast = (change: object = {}, units: object = { visibility: 'm' }): Emulated => ({
    body: {
      current_units: units,
      current: { ...current, ...change },
      hourly: {
        time: ['2026-11-28T16:00', 'soon', '2026-11-28T18:00'],
        temperature_2m: [31, 32],
        precipitation_probability: [40, null, 60],
        weather_code: [75, 3, 3],
        is_day: [1, 1, 0],
      },
    },
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
      hours: [
        {
          at: '2026-11-28T16:00:00.000Z',
          temperature_f: 31,
          precipitation_chance: 40,
          weather_icon: '13d',
        },
        {
          at: '2026-11-28T18:00:00.000Z',
          temperature_f: null,
          precipitation_chance: 60,
          weather_icon: '04n',
        },
      ],
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

  test('Open-Meteo readings have words for each documented weather code, and none for others', async () => {
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
    expect(await read(from)).toMatchObject({
      weather_condition: 'Unknown',
      weather_icon: '',
      temperature_f: 30.1,
    });
  });

  test('Open-Meteo propagates HTTP errors with their status', async () => {
    const from = await provider(make, { ...all, '/v1/forecast': { status: 429 } });
    await expect(read(from)).rejects.toMatchObject({ status: 429, retryAfterMs: null });
  });
});

describe('values that a provider leaves out', () => {
  /** All fields of an answer by their path, but those of whole parts that it must have. */
  const pathsOf = (value: unknown, path: string[] = []): string[][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))
      : [path];
  const ways = [undefined, null, [], {}] as const;
  /** Returns a copy without some values: left out, null, or of another type. */
  function without(value: object, losses: Map<string, (typeof ways)[number]>): object {
    const copy = structuredClone(value);
    for (const path of pathsOf(value)) {
      const key = path.join('.');
      if (!losses.has(key)) continue;
      let parent = copy as Record<string, never>;
      for (const step of path.slice(0, -1)) parent = parent[step] as never;
      const last = path.at(-1) as string;
      const way = losses.get(key);
      if (way === undefined) delete parent[last];
      else parent[last] = way as never;
    }
    return copy;
  }
  const lossesOf = (value: object) =>
    fc
      .array(
        fc.tuple(
          fc.constantFrom(...pathsOf(value).map((path) => path.join('.'))),
          fc.constantFrom(...ways),
        ),
      )
      .map((pairs) => new Map(pairs));

  /** The field of a reading that each value becomes. */
  const OPENWEATHER = {
    'weather.main.temp': 'temperature_f',
    'weather.main.feels_like': 'feels_like_f',
    'weather.main.humidity': 'humidity',
    'weather.wind.speed': 'wind_speed_mph',
    'weather.wind.deg': 'wind_direction',
    'weather.visibility': 'visibility_miles',
    'onecall.current.uvi': 'uv_index',
    'onecall.hourly.0.pop': 'precipitation_chance',
    'air.list.0.components.pm2_5': 'air_quality_index',
  } as const;
  const OPEN_METEO = {
    'forecast.current.temperature_2m': 'temperature_f',
    'forecast.current.apparent_temperature': 'feels_like_f',
    'forecast.current.relative_humidity_2m': 'humidity',
    'forecast.current.wind_speed_10m': 'wind_speed_mph',
    'forecast.current.wind_direction_10m': 'wind_direction',
    'forecast.current.visibility': 'visibility_miles',
    'forecast.current.precipitation_probability': 'precipitation_chance',
    'forecast.current.uv_index': 'uv_index',
    'air.current.us_aqi': 'air_quality_index',
  } as const;
  const whole = {
    openweather: {
      weather: {
        weather: [{ main: 'Rain', description: 'shower rain', icon: '09d' }],
        main: { temp: 71.3, feels_like: 72, humidity: 83 },
        visibility: 10000,
        wind: { speed: 12.4, deg: 210, gust: 20 },
      },
      onecall: { current: { uvi: 6.2 }, hourly: [{ pop: 0.35 }] },
      air: { list: [{ components: { pm2_5: 35.4 } }] },
    },
    openmeteo: {
      forecast: {
        current_units: { visibility: 'm' },
        current,
      },
      air: { current: { us_aqi: 64 } },
    },
  };

  /** Loses values of answers in many ways. @returns the readings, beside what they must be */
  async function losingValues(
    what: Record<string, object>,
    answers: (given: Record<string, object>) => Answers,
    make: (url: string) => WeatherProvider,
    fields: Record<string, keyof Conditions>,
    conditionPath: string,
  ) {
    let given = answers(what);
    emulator = await emulate(({ pathname }) => given[pathname] ?? null);
    const { url } = emulator;
    const full = await read(make(url));
    const readings: unknown[] = [];
    const expected: unknown[] = [];
    for (const losses of fc.sample(lossesOf(what), 300)) {
      given = answers(without(what, losses) as Record<string, object>);
      const reading = await read(make(url)).catch((error: Error) => error.name);
      const wanted: Record<string, unknown> = {};
      for (const [path, field] of Object.entries(fields))
        wanted[field] = losses.has(path) ? null : full[field];
      wanted['weather_condition'] = losses.has(conditionPath) ? 'Unknown' : full.weather_condition;
      const isEmpty = wanted['temperature_f'] === null && wanted['weather_condition'] === 'Unknown';
      const known = (values: Conditions) =>
        Object.fromEntries(
          Object.keys(wanted).map((field) => [field, values[field as 'humidity']]),
        );
      expected.push(isEmpty ? 'ProviderFailure' : wanted);
      readings.push(typeof reading === 'string' ? reading : known(reading));
      if (typeof reading !== 'string') assess(reading);
    }
    return { full, readings, expected };
  }

  test('any values that OpenWeather leaves out are unknown, and the others stay', async () => {
    const { full, readings, expected } = await losingValues(
      whole.openweather,
      (given) => ({
        '/data/2.5/weather': { body: given['weather'] },
        '/data/3.0/onecall': { body: given['onecall'] },
        '/data/2.5/air_pollution': { body: given['air'] },
      }),
      (url) => openWeather({ key: 'secret', url }),
      OPENWEATHER,
      'weather.weather.0.main',
    );
    expect(Object.values(full)).not.toContain(null);
    expect(readings).toEqual(expected);
  });

  test('any values that Open-Meteo leaves out are unknown, and the others stay', async () => {
    const { full, readings, expected } = await losingValues(
      whole.openmeteo,
      (given) => ({
        '/v1/forecast': { body: given['forecast'] },
        '/v1/air-quality': { body: given['air'] },
      }),
      (url) => openMeteo({ key: 'secret', url, airUrl: url }),
      OPEN_METEO,
      'forecast.current.weather_code',
    );
    expect(Object.values(full)).not.toContain(null);
    expect(readings).toEqual(expected);
  });
});

describe('redirects of a provider', () => {
  const forecast = { body: { current: { temperature_2m: 50, weather_code: 0 } } };
  const make = (url: string) => openMeteo({ key: 'secret', url, airUrl: url });

  test('follows a few redirects of a provider to itself, and keeps the rest of the request', async () => {
    const from = await provider(make, {
      '/v1/forecast': { status: 301, headers: { location: '/v1/moved?apikey=secret' } },
      '/v1/moved': { status: 308, headers: { location: 'there' } },
      '/v1/there': forecast,
    });
    expect(await read(from)).toMatchObject({ temperature_f: 50 });
  });

  test('follows neither a circle, nor a redirect to another server', async () => {
    const other = await emulate(() => forecast);
    for (const location of [
      '/v1/forecast',
      `${other.url}/v1/forecast`,
      'file:///etc/passwd',
      '//',
    ]) {
      const from = await provider(make, {
        '/v1/forecast': { status: 302, headers: { location } },
      });
      await expect(read(from)).rejects.toMatchObject({ name: 'ProviderFailure', status: null });
      emulator?.close();
    }
    expect(other.asked).toEqual([]);
    other.close();
  });

  test('gives up on an answer that is much too long', async () => {
    const from = await provider(make, { '/v1/forecast': { body: `"${'x'.repeat(9e6)}"` } });
    await expect(read(from)).rejects.toMatchObject({ name: 'ProviderFailure', status: null });
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

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { health } from '#shared/health/contract.ts';
import { readWeather } from '#shared/weather/contract.ts';
import { SCENARIO_LONGITUDE, type SCENARIOS } from '../../api/features/weather/sandbox.ts';
import { CallError } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { emulate } from '../emulator.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let ann: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'), { WEATHER_TIMEOUT_MS: '300' });
  ann = await api.as('ann@example.com');
});
afterAll(() => api.close());

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const scenario = (latitude: keyof typeof SCENARIOS) => at(Number(latitude), SCENARIO_LONGITUDE);
/** Sends a body that the contract would reject. */
const send = (body: unknown) => ann.call(readWeather, { body: body as never });

describe('POST /api/weather', () => {
  test('returns a reading with each field and the alerts of the place', async () => {
    const { weather, alerts } = await ann.call(readWeather, { body: at(51.50074, -0.12461) });
    expect(weather).toEqual({
      id: expect.stringMatching(/\S/),
      user_id: ann.user.id,
      latitude: 51.501,
      longitude: -0.125,
      temperature_f: expect.any(Number),
      temperature_c: expect.closeTo(((weather.temperature_f! - 32) * 5) / 9, 1),
      feels_like_f: expect.any(Number),
      feels_like_c: expect.closeTo(((weather.feels_like_f! - 32) * 5) / 9, 1),
      weather_icon: '02d',
      weather_condition: 'Clouds',
      weather_description: 'few clouds',
      humidity: 55,
      wind_speed_mph: 6,
      wind_direction: 240,
      visibility_miles: 6.2,
      precipitation_chance: 10,
      uv_index: 4,
      air_quality_index: 38,
      is_dog_walking_safe: true,
      safety_warnings: [],
      hours: expect.any(Array),
      retrieved_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(weather.hours).toHaveLength(12);
    expect(alerts).toEqual([]);
  });

  test('shares one anonymous reading among all users in the cell', async () => {
    const bob = await api.as('bob@example.com');
    const { weather: first } = await ann.call(readWeather, { body: at(12.3456, 7) });
    const { weather: second } = await bob.call(readWeather, { body: at(12.34599, 7.0001) });
    expect(second).toEqual({ ...first, user_id: bob.user.id });
    // Neither the id nor the time tells that somebody renewed it.
    await bob.call(readWeather, { body: { ...at(12.3456, 7), refresh: true } });
    const { weather: later } = await ann.call(readWeather, { body: at(12.3456, 7) });
    const minutes = (time: string) => Date.parse(time) / 60_000;
    expect(minutes(later.retrieved_at) % 10).toBe(0);
    expect(later.id).toBe(`12.346,7.000 ${later.retrieved_at}`);
    const rows = JSON.stringify(await api.db.collection('weather_readings').find().toArray());
    for (const secret of [ann.user.id, bob.user.id, '12.3456']) expect(rows).not.toContain(secret);
  });

  test('explains what makes a walk unsafe', async () => {
    const { weather: storm } = await ann.call(readWeather, { body: scenario('-40') });
    expect(storm.is_dog_walking_safe).toBe(false);
    expect(storm.safety_warnings[0]).toBe('Don’t walk in this weather: thunderstorm with rain.');
    const { weather: smoke } = await ann.call(readWeather, { body: scenario('-43') });
    expect(smoke.safety_warnings.join()).toContain('Very unhealthy air (index 176)');
    const { weather: bare } = await ann.call(readWeather, { body: scenario('-44') });
    expect(bare).toMatchObject({ visibility_miles: null, uv_index: null, air_quality_index: null });
  });

  test('requires valid coordinates', async () => {
    const required = { error: 'Location coordinates required', code: 'invalid_input' };
    await expectRefused(send({}), 400, required);
    await expectRefused(send({ latitude: 1 }), 400, {
      ...required,
      fields: { longitude: 'Location coordinates required' },
    });
    await expectRefused(send({ latitude: '1', longitude: 2 }), 400, required);
    await expectRefused(send(undefined), 400, required);
    for (const wrong of [at(90.1, 0), at(-90.1, 0), at(0, 180.1), at(0, -180.1)])
      await expectRefused(send(wrong), 400, { error: 'Invalid input', code: 'invalid_input' });
    for (const edge of [at(90, 180), at(-90, -180)]) await send(edge);
  });

  test('returns an error when the provider rejects a call, is late or sends an invalid response', async () => {
    const limited: unknown = await send(scenario('-45')).catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(CallError);
    expect(limited).toMatchObject({
      status: 503,
      code: 'unavailable',
      message: 'Weather API error: 429',
      retryAfter: 30,
    });
    await expectRefused(send(scenario('-48')), 503, { error: 'Weather API error: 500' });
    await expectRefused(send(scenario('-46')), 503, { error: 'Failed to fetch weather data' });
    await expectRefused(send(scenario('-47')), 503, { error: 'Failed to fetch weather data' });
  });

  test('returns the first response again for the same idempotency key', async () => {
    const body = { ...at(33, 44), refresh: true };
    const first = await ann.call(readWeather, { body, idempotencyKey: 'once' });
    expect(await ann.call(readWeather, { body, idempotencyKey: 'once' })).toEqual(first);
  });
});

test('50 simultaneous calls cause one call to the real provider', async () => {
  const answers: Record<string, unknown> = {
    '/data/2.5/weather': {
      weather: [{ main: 'Clear', description: 'clear sky', icon: '01d' }],
      main: { temp: 64, feels_like: 63, humidity: 40 },
      wind: { speed: 3 },
    },
    '/data/2.5/air_pollution': { list: [{ components: { pm2_5: 4 } }] },
    '/data/3.0/onecall': { current: { uvi: 3 }, hourly: [{ pop: 0 }] },
  };
  const emulator = await emulate(({ pathname }) => ({ body: answers[pathname] }));
  await api.restartApi({
    OPENWEATHER_API_KEY: 'key',
    OPENWEATHER_URL: emulator.url,
    // Allows for a busy machine.
    WEATHER_TIMEOUT_MS: '30000',
  });
  try {
    const body = at(40.7128, -74.006);
    const asked = await Promise.all(
      Array.from({ length: 50 }, () => ann.call(readWeather, { body })),
    );
    expect(new Set(asked.map(({ weather }) => weather.id)).size).toBe(1);
    expect(asked[0]?.weather).toMatchObject({ temperature_f: 64, visibility_miles: null });
    expect(emulator.asked.map(({ url }) => url.pathname).toSorted()).toEqual(
      Object.keys(answers).toSorted(),
    );
    expect((await api.call(health)).sandbox_providers).not.toContain('weather');
  } finally {
    emulator.close();
    await api.restartApi();
  }
  expect((await api.call(health)).sandbox_providers).toContain('weather');
});

test('limits the cells that a user can request, except for those cached for others', async () => {
  const neighbor = await api.as('cell-neighbor@example.com');
  const ask = (person: TestPerson, longitude: number) =>
    person.call(readWeather, { body: at(-5, longitude) });
  await api.withLimits(0.1, async () => {
    for (const longitude of [1, 2, 3]) await ask(ann, longitude);
    await expectRefused(ask(ann, 4), 429, { code: 'rate_limited' });
    await ask(neighbor, 4);
    await ask(ann, 4);
  });
});

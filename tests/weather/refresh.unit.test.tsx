// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import type { EmergencyAlert } from '#shared/alerts/contract.ts';
import type { Weather } from '#shared/weather/contract.ts';
import { useAlerts } from '../../client/features/alerts/use-alerts.ts';
import { WeatherCard } from '../../client/features/weather/weather-card.tsx';
import { WeatherNotice } from '../../client/features/weather/weather-notice.tsx';
import { LeadingTabProvider } from '../../client/platform/events/leading-tab-provider.tsx';
import { writeCache } from '../../client/platform/local-cache.ts';
import { renderScreen } from '../render-screen.tsx';

const CALL = 'POST /api/weather';
const weather: Weather = {
  id: 'cell',
  user_id: 'ann',
  latitude: 40,
  longitude: -75,
  temperature_f: 60,
  temperature_c: 15.6,
  feels_like_f: 60,
  feels_like_c: 15.6,
  weather_icon: '01d',
  weather_condition: 'Clear',
  weather_description: 'clear sky',
  humidity: 40,
  wind_speed_mph: 3,
  wind_direction: 90,
  visibility_miles: 10,
  precipitation_chance: 0,
  uv_index: 2,
  air_quality_index: 20,
  is_dog_walking_safe: true,
  safety_warnings: [],
  retrieved_at: '2026-11-21T00:00:00.000Z',
};

/** Lets the device be at a place whose weather the owner wants. No one is signed in, which is the same for the parts. */
function allowWeatherHere(): void {
  writeCache('', 'weather-here', true);
  const coords = { latitude: 40, longitude: -75, accuracy: 10 };
  const getCurrentPosition = (found: (position: object) => void) => found({ coords });
  vi.stubGlobal('navigator', { onLine: true, geolocation: { getCurrentPosition } });
}

test.each([
  ['the weather card', 15, <WeatherCard key="card" />],
  ['the dashboard', 10, <WeatherNotice key="notice" />],
])('%s refreshes the weather every %i minutes', async (_name, minutes, part) => {
  allowWeatherHere();
  const answer = { weather, server_time: '2026-11-21T00:00:00.000Z' };
  const { requests, pass } = await renderScreen(part, { answers: { [CALL]: answer } });
  const asked = () => requests.filter((name) => name === CALL).length;
  expect(asked()).toBe(1);
  await pass(minutes * 60_000 - 1);
  expect(asked()).toBe(1);
  await pass(1);
  expect(asked()).toBe(2);
  await pass(minutes * 60_000);
  expect(asked()).toBe(3);
});

const alert = (severity: EmergencyAlert['severity']): EmergencyAlert => ({
  id: 'flood',
  user_id: 'ann',
  alert_id: 'ALERT-1',
  alert_type: 'weather',
  severity,
  title: 'Flood',
  description: 'Water.',
  instructions: null,
  affected_latitude: 40,
  affected_longitude: -75,
  radius_miles: 10,
  starts_at: '2026-11-20T00:00:00.000Z',
  expires_at: null,
  is_active: true,
  is_acknowledged: false,
  acknowledged_at: null,
});

function Alerts() {
  const { alerts } = useAlerts();
  return alerts.map(({ title }) => title).join();
}

test.each([
  ['moderate', 300],
  ['severe', 120],
  ['extreme', 120],
] as const)('with a %s alert, alerts are refreshed every %i s', async (severity, seconds) => {
  allowWeatherHere();
  const name = 'GET /api/emergency-alerts';
  const answer = { alerts: [alert(severity)], server_time: new Date().toISOString() };
  const { requests, pass, text } = await renderScreen(
    <LeadingTabProvider>
      <Alerts />
    </LeadingTabProvider>,
    { answers: { [name]: answer } },
  );
  expect(text()).toContain('Flood');
  const asked = () => requests.filter((each) => each === name).length;
  expect(asked()).toBe(1);
  await pass(seconds * 1_000 - 1);
  expect(asked()).toBe(1);
  await pass(1);
  expect(asked()).toBe(2);
});

test('weather that was just fetched is recent, however much its time is rounded down', async () => {
  allowWeatherHere();
  const at = Date.now();
  const retrieved_at = new Date(at - 360_000).toISOString();
  const answer = { weather: { ...weather, retrieved_at }, server_time: new Date(at).toISOString() };
  const screen = await renderScreen(<WeatherCard />, { answers: { [CALL]: answer } });
  expect(screen.text()).toContain('Updated recently');
});

import { expect, test } from 'vitest';
import { ALERT_RADIUS } from '#shared/proximity/rules.ts';
import { alertRadiusIn } from '#shared/settings/rules.ts';
import { METRIC, US, unitsOf } from '#shared/units.ts';
import { shownRadius, typedMiles } from '../../client/features/locations/search/search-params.ts';
import { distanceText, shortDistance } from '../../client/features/proximity/alerts/alert-text.ts';
import { announce } from '../../client/features/proximity/alerts/announcement.ts';
import { readings } from '../../client/features/weather/labels.ts';

test.each([
  ['en-US', 'us'],
  ['en', 'us'],
  ['es-PR', 'us'],
  ['en-GB', 'metric'],
  ['de', 'metric'],
  ['de-CH', 'metric'],
  ['sr-Latn-RS', 'metric'],
  ['EN-us', 'us'],
  [undefined, 'us'],
  ['', 'us'],
  ['not a language', 'us'],
])('automatic units on a device in %j are %s', (language, system) => {
  expect(unitsOf('automatic', language).system).toBe(system);
});

test('a choice of units is independent of the device’s language', () => {
  expect(unitsOf('metric', 'en-US')).toBe(METRIC);
  expect(unitsOf('us', 'de-DE')).toBe(US);
});

test('distances near and far, temperatures and wind are shown in either system', () => {
  const shown = (units: typeof US) => [
    units.near(30),
    units.nearShort(90),
    units.around(500),
    units.far(0.4),
    units.farWhole(1),
    units.farWhole(10),
    units.walked(98),
    units.walked(2300),
    units.temperature(68),
    units.wind(12),
    units.visibility(6),
  ];
  expect(shown(US)).toEqual([
    '30 feet',
    '90 ft',
    '500 feet',
    '0.4 miles',
    '1 mile',
    '10 miles',
    '322 feet',
    '1.4 miles',
    '68°F',
    '12 mph',
    '6 mi',
  ]);
  expect(shown(METRIC)).toEqual([
    '9 meters',
    '27 m',
    '150 meters',
    '0.6 km',
    '2 km',
    '16 km',
    '98 meters',
    '2.3 km',
    '20°C',
    '19 km/h',
    '10 km',
  ]);
});

test('large numbers have commas', () => {
  expect(US.around(2500)).toBe('2,500 feet');
  expect(US.farWhole(1_234_567)).toBe('1,234,567 miles');
  expect(US.temperature(-1000)).toBe('-1,000°F');
  expect(US.wind(999)).toBe('999 mph');
});

test('temperatures around zero have no negative zero', () => {
  expect(METRIC.temperature(31.9)).toBe('0°C');
  expect(METRIC.temperature(14)).toBe('-10°C');
});

test('a band in meters is rounded up, so that it is never narrower than the one in feet', () => {
  expect(shortDistance(250, METRIC)).toBe('within 80 m');
  expect(distanceText(500, METRIC)).toBe('within 160 meters');
  expect(distanceText(100, METRIC)).toBe('30 meters');
});

test('an alert is spoken in meters to an owner who uses metric units', () => {
  const rex = {
    isUrgent: true,
    names: 'Rex',
    brief: 'Rex',
    verdict: 'needs space',
    advice: 'Give Rex room.',
    notes: '',
  };
  expect(announce({ display_name: 'Sam', distance_feet: 80 }, rex, METRIC).speech).toBe(
    'Rex needs space. Sam is 24 meters away. Give Rex room.',
  );
});

test('the weather is shown in metric units', () => {
  const reading = { wind_speed_mph: 12, visibility_miles: 6.2 } as Parameters<typeof readings>[0];
  const values = Object.fromEntries(readings(reading, METRIC));
  expect(values).toMatchObject({ Wind: '19 km/h', Visibility: '10 km' });
});

test('an alert radius entered in meters is stored in feet, within the same bounds', () => {
  const { min, max, usual, shown, feetOf } = alertRadiusIn(METRIC);
  expect([min, usual, max]).toEqual([3, 30, 152]);
  for (let meters = min; meters <= max; meters++) {
    const feet = feetOf(String(meters));
    expect(Number.isInteger(feet)).toBe(true);
    expect(shown(feet ?? NaN)).toBe(meters);
  }
  expect(['1', '5000', '', 'far'].map(feetOf)).toEqual([
    null,
    null,
    ALERT_RADIUS.usual,
    ALERT_RADIUS.usual,
  ]);
  expect(alertRadiusIn(US).feetOf('250')).toBe(250);
});

test('a search radius entered in kilometers is sent in whole miles', () => {
  expect(shownRadius(10, US)).toBe('10');
  expect(shownRadius(10, METRIC)).toBe('16');
  expect(typedMiles('16', METRIC)).toBe(10);
  expect(typedMiles('500', METRIC)).toBeNull();
  expect(typedMiles('0', US)).toBeNull();
  expect(typedMiles('101', US)).toBeNull();
  expect(typedMiles('40.9', US)).toBe(40);
  expect(typedMiles('', METRIC)).toBe(10);
  expect(typedMiles('25', US)).toBe(25);
});

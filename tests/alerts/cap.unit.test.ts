import { expect, test } from 'vitest';
import { readCap } from '../../api/features/alerts/cap.ts';
import { cap, refersTo } from './cap-messages.ts';

test('converts a CAP message to an alert', () => {
  const message = readCap(cap('urn:1', { ...refersTo('urn:0') }));
  expect(message).toMatchObject({
    alert_id: 'urn:1',
    kind: 'alert',
    references: ['urn:0'],
    alert_type: 'weather',
    severity: 'severe',
    title: 'Severe Thunderstorm Warning',
    description: 'At 2 PM a severe thunderstorm was near.\n\nHAZARD...60 mph wind gusts.',
    instructions: 'Move to an interior room.',
    circle: null,
  });
});

test('a CAP alert ends with its event, or else when the message expires', () => {
  const ends = readCap(cap('a', { minutes: { expires: 10, ends: 50 } }))?.expires_at;
  const expires = readCap(cap('a', { minutes: { expires: 10, ends: null } }))?.expires_at;
  expect(Math.round((Number(ends) - Number(expires)) / 60_000)).toBe(40);
  expect(readCap(cap('a', { ends: null, expires: null }))?.expires_at).toBeNull();
});

test.each([
  ['Extreme', 'extreme'],
  ['Severe', 'severe'],
  ['Moderate', 'moderate'],
  ['Minor', 'minor'],
  ['Unknown', 'minor'],
  [undefined, 'minor'],
])('maps the CAP severity %s to %s', (severity, expected) =>
  expect(readCap(cap('a', { severity }))?.severity).toBe(expected),
);

test.each([
  ['Air Quality Alert', 'Met', 'air_quality'],
  ['Dense Smoke Advisory', 'Met', 'air_quality'],
  ['Tsunami Warning', 'Met', 'natural_disaster'],
  ['Fire Warning', 'Fire', 'natural_disaster'],
  ['Winter Storm Watch', 'Met', 'weather'],
  ['Law Enforcement Warning', 'Safety', 'public_safety'],
  ['Administrative Message', 'Other', 'other'],
])('maps %s of the category %s to the type %s', (event, category, expected) =>
  expect(readCap(cap('a', { event, category }))?.alert_type).toBe(expected),
);

test('converts nested areas to an enclosing circle', () => {
  const ring = [
    [-74, 40],
    [-74, 41],
    [-73, 41],
    [-73, 40],
    [-74, 40],
  ];
  for (const [type, coordinates] of [
    ['Polygon', [ring]],
    ['MultiPolygon', [[ring], [ring]]],
  ]) {
    const circle = readCap(cap('a', { geometry: { type, coordinates } }))?.circle;
    expect(circle).toMatchObject({ affected_latitude: 40.5, affected_longitude: -73.5 });
    // Half of the diagonal of 69 by 52 miles, measured at the wider southern edge.
    expect(circle?.radius_miles).toBeGreaterThan(43);
    expect(circle?.radius_miles).toBeLessThan(44.5);
  }
});

test.each([
  [
    'the date line',
    [
      [179, 51],
      [-179, 51],
      [-179, 53],
      [179, 53],
    ],
    180,
    82,
  ],
  [
    'the date line, in longitudes beyond 180',
    [
      [179, 51],
      [181, 51],
      [181, 53],
      [179, 53],
    ],
    180,
    82,
  ],
  [
    'the prime meridian',
    [
      [-1, 51],
      [1, 53],
    ],
    0,
    82,
  ],
])('an area across %s has a circle of its size', (_where, ring, longitude, miles) => {
  const geometry = { type: 'Polygon', coordinates: [ring] };
  const circle = readCap(cap('a', { geometry }))?.circle;
  expect(circle?.affected_latitude).toBeCloseTo(52);
  expect(Math.abs(circle?.affected_longitude ?? 1)).toBeCloseTo(longitude);
  expect(circle?.radius_miles).toBeCloseTo(miles, -1);
});

test('an invalid or missing optional value doesn’t hide a message', () => {
  const required = ['id', 'status', 'messageType', 'event', 'sent'];
  const { properties } = cap('a') as { properties: Record<string, unknown> };
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  for (const name of [...optional, 'geocode', 'parameters'])
    for (const value of [undefined, null, 7, 'nonsense', [], [null], {}])
      expect(readCap(cap('a', { [name]: value }))).toMatchObject({
        alert_id: 'a',
        title: 'Severe Thunderstorm Warning',
      });
  for (const geometry of [{}, { coordinates: 'x' }, { coordinates: [[[999, 1e9]]] }])
    expect(readCap(cap('a', { geometry }))).toMatchObject({ circle: null });
  let nested: unknown[] = [1, 2];
  for (let depth = 0; depth < 5_000; depth += 1) nested = [nested];
  expect(readCap(cap('a', { geometry: { coordinates: nested } }))).toMatchObject({ circle: null });
});

test('reads the zones and the number of an event', () => {
  const read = (...VTEC: unknown[]) =>
    readCap(
      cap('a', {
        geocode: { UGC: ['NYZ072', 'NYC061', 7] },
        parameters: { VTEC },
      }),
    );
  expect(read()).toMatchObject({ zones: ['NYZ072', 'NYC061'], vtec: null });
  const upgraded = '/O.UPG.KBUF.WS.A.0003.000000T0000Z-261129T0000Z/';
  const warning = '/O.NEW.KBUF.BZ.W.0001.261128T0000Z-261129T0000Z/';
  expect(read('nonsense', upgraded, warning)?.vtec).toBe('KBUF.BZ.W.0001');
  expect(read(upgraded)?.vtec).toBe('KBUF.WS.A.0003');
});

test('ignores tests, exercises, and unreadable messages', () => {
  for (const status of ['Test', 'Exercise', 'Draft', 'System'])
    expect(readCap(cap('a', { status }))).toBeNull();
  expect(readCap(cap('a', { messageType: 'Ack' }))).toBeNull();
  expect(readCap(cap('a', { sent: 'yesterday' }))).toBeNull();
  for (const odd of [null, 'text', {}, { properties: null }]) expect(readCap(odd)).toBeNull();
});

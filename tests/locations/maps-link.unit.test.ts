import { expect, test } from 'vitest';
import { mapsLink } from '../../client/features/locations/place/maps-link.ts';

const park = { name: 'Oak & Elm Park', latitude: 51.5, longitude: -0.12 };

test.each([
  ['ios', 'https://maps.apple.com/?ll=51.5,-0.12&q=Oak%20%26%20Elm%20Park'],
  ['android', 'geo:51.5,-0.12?q=51.5,-0.12(Oak%20%26%20Elm%20Park)'],
  ['desktop', 'https://www.openstreetmap.org/?mlat=51.5&mlon=-0.12#map=17/51.5/-0.12'],
] as const)('opens a place in the map app of %s', (platform, address) => {
  expect(mapsLink(park, platform)).toBe(address);
});

test('escapes parentheses, which end the label of a geo address', () => {
  const address = mapsLink({ ...park, name: 'Park (north)' }, 'android');
  expect(address).toBe('geo:51.5,-0.12?q=51.5,-0.12(Park%20%28north%29)');
});

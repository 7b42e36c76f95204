import { afterEach, expect, test, vi } from 'vitest';
import { createLocation, createTip, searchLocations } from '#shared/locations/contract.ts';
import { findPosition, PLACES_MESSAGES } from '../../client/platform/position/find-position.ts';

afterEach(() => vi.unstubAllGlobals());

class Trouble {
  readonly code: number;
  readonly PERMISSION_DENIED = 1;
  constructor(code: number) {
    this.code = code;
  }
}

/** A device whose geolocation fails with a code. */
function failing(code: number): void {
  vi.stubGlobal('GeolocationPositionError', Trouble);
  vi.stubGlobal('navigator', {
    geolocation: {
      getCurrentPosition: (_: unknown, fail: (error: Trouble) => void) => fail(new Trouble(code)),
    },
  });
}

test.each([
  ['denied', 1, 'Unable to access your location. Please enable location services.'],
  ['unavailable', 2, 'Unable to get current location'],
  ['too slow', 3, 'Unable to get current location'],
])('findPosition rejects with the text for a position that is %s', async (_, code, words) => {
  failing(code);
  await expect(findPosition({ messages: PLACES_MESSAGES })).rejects.toThrow(words);
});

test('findPosition rejects when the browser has no geolocation', async () => {
  vi.stubGlobal('navigator', {});
  await expect(findPosition({ messages: PLACES_MESSAGES })).rejects.toThrow(
    'Location not available. Please enable location services.',
  );
});

test('findPosition resolves with the coordinates', async () => {
  const coords = { latitude: 1, longitude: 2, accuracy: 5 };
  vi.stubGlobal('navigator', {
    geolocation: { getCurrentPosition: (done: (found: object) => void) => done({ coords }) },
  });
  expect(await findPosition({ messages: PLACES_MESSAGES })).toEqual(coords);
});

test('the failure texts of the endpoints are those of the specification', () => {
  expect(searchLocations.failure).toBe('Failed to search locations');
  expect(createLocation.failure).toBe('Failed to create location');
  expect(createTip.failure).toBe('Failed to create tip');
});

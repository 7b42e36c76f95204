import { afterEach, expect, test, vi } from 'vitest';
import { formatTime } from '#shared/dates.ts';
import { deviceTimeZone } from '#shared/push/quiet-hours.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('times follow the reader to another time zone', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(formatTime('2026-11-21T12:00:00Z')).toMatch(/^7:00/);
  vi.stubEnv('TZ', 'Asia/Tokyo');
  expect(formatTime('2026-11-21T12:00:00Z')).toMatch(/^9:00/);
});

test.each(['Etc/Unknown', '', undefined])(
  'a device in the zone %s is taken to be in UTC',
  (zone) => {
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
      timeZone: zone,
    } as Intl.ResolvedDateTimeFormatOptions);
    expect(deviceTimeZone()).toBe('UTC');
  },
);

import { describe, expect, test } from 'vitest';
import { initialAccount } from '#shared/account/document.ts';
import { readPushSettings, pushChanges, USUAL_PUSH_SETTINGS } from '#shared/push/document.ts';
import { endOfQuietHours } from '#shared/push/quiet-hours.ts';

const night = {
  push_quiet: true,
  push_quiet_from: 22 * 60,
  push_quiet_to: 7 * 60,
  push_time_zone: 'America/New_York',
};

describe('quiet hours', () => {
  // New York is five hours behind UTC in winter, four in summer.
  test.each([
    ['before they begin', '2026-11-26T02:59:59Z', null],
    ['from their first minute', '2026-11-26T03:00:00Z', '2026-11-26T12:00:00.000Z'],
    ['after midnight', '2026-11-26T06:30:45Z', '2026-11-26T12:00:00.000Z'],
    ['until their last minute', '2026-11-26T11:59:59Z', '2026-11-26T12:00:00.000Z'],
    ['at their end', '2026-11-26T12:00:00Z', null],
    ['in summer, by the clock of the place', '2026-07-01T10:30:00Z', '2026-07-01T11:00:00.000Z'],
  ])('that pass midnight are known %s', (_when, at, end) => {
    expect(endOfQuietHours(new Date(at), night)?.toISOString() ?? null).toBe(end);
  });

  test('within a day end the same day', () => {
    const noon = { ...night, push_quiet_from: 12 * 60, push_quiet_to: 13 * 60 };
    const at = (time: string) => endOfQuietHours(new Date(`2026-11-25T${time}Z`), noon);
    expect(at('16:59:00')).toBeNull();
    expect(at('17:15:00')).toEqual(new Date('2026-11-25T18:00:00Z'));
    expect(at('18:00:00')).toBeNull();
  });

  test('are none when they are off or have no length', () => {
    const at = new Date('2026-11-26T04:00:00Z');
    expect(endOfQuietHours(at, { ...night, push_quiet: false })).toBeNull();
    expect(endOfQuietHours(at, { ...night, push_quiet_to: night.push_quiet_from })).toBeNull();
  });
});

describe('push settings in an account', () => {
  test('are read back as they were saved', () => {
    const account = initialAccount('ann');
    const saved = { push_messages: false, push_preview: 'text', push_time_zone: 'Europe/Zurich' };
    const input = pushChanges['push.save'].input.parse(saved);
    pushChanges['push.save'].apply(account, input);
    expect(readPushSettings(account)).toEqual({ ...USUAL_PUSH_SETTINGS, ...saved });
  });

  test('are the usual ones where they are missing or invalid', () => {
    expect(readPushSettings(undefined)).toEqual(USUAL_PUSH_SETTINGS);
    const settings = {
      push_messages: 'no',
      push_preview: 'everything',
      push_quiet_from: 2_000,
      push_time_zone: 'Mars/Olympus',
    };
    expect(readPushSettings({ settings })).toEqual(USUAL_PUSH_SETTINGS);
  });
});

import { describe, expect, test } from 'vitest';
import { HttpError } from '#shared/http/http-error.ts';
import { mobileNumber } from '../../api/features/referrals/mobile-number.ts';
import { readEnv } from '../../api/platform/env.ts';

/** The error for a number, or undefined if it is accepted. */
function refusalOf(phone: string, countries = ['US', 'CA']): string | undefined {
  try {
    mobileNumber(phone, countries);
  } catch (error) {
    if (error instanceof HttpError && error.status === 400)
      return error.fields?.['recipient_phone'];
    throw error;
  }
  return undefined;
}

describe('mobileNumber', () => {
  test.each([
    ['(415) 555-2671', '+14155552671'],
    ['+1 416 555 0123', '+14165550123'],
  ])('accepts the number %s', (phone, number) => {
    expect(mobileNumber(phone, ['US', 'CA'])).toBe(number);
  });

  test.each([
    ['premium', '+19005551234'],
    ['toll-free', '+18005551234'],
    ['personal', '+15005550006'],
  ])('rejects a %s number', (_kind, phone) => {
    expect(refusalOf(phone)).toBe('Please enter a mobile phone number');
  });

  test('rejects a number that does not exist', () => {
    expect(refusalOf('+15555550123')).toBe('This phone number doesn’t exist. Check it.');
  });

  test.each(['+18765550123', '+17875550123', '+33612345678', '+37120000000'])(
    'rejects the foreign number %s',
    (phone) => {
      expect(refusalOf(phone)).toMatch(/^We can’t text numbers in this country/);
    },
  );

  test('accepts mobile numbers of the configured countries, and no landlines', () => {
    expect(mobileNumber('+33612345678', ['FR'])).toBe('+33612345678');
    expect(refusalOf('+33123456789', ['FR'])).toBe('Please enter a mobile phone number');
    expect(refusalOf('(415) 555-2671', ['FR'])).toMatch(/country/);
  });
});

test('SMS_COUNTRIES accepts existing countries only', () => {
  const env = {
    MONGODB_URI: 'mongodb://127.0.0.1',
    PUBLIC_ORIGIN: 'http://localhost:3000',
    SYNC_SECRET: 'a secret of the tests',
    SYNC_INTERNAL_URL: 'http://127.0.0.1:9',
    API_PORT: '0',
  };
  expect(readEnv(env).SMS_COUNTRIES).toEqual(['US', 'CA']);
  expect(readEnv({ ...env, SMS_COUNTRIES: 'us, fr' }).SMS_COUNTRIES).toEqual(['US', 'FR']);
  expect(() => readEnv({ ...env, SMS_COUNTRIES: 'US,XX' })).toThrow(/SMS_COUNTRIES/);
});

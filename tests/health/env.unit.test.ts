import { describe, expect, test } from 'vitest';
import { sandboxWarning } from '#shared/server/server-env.ts';
import { readEnv } from '../../api/env.ts';
import { readEnv as readSyncEnv } from '../../sync-server/env.ts';

const enough = {
  MONGODB_URI: 'mongodb://127.0.0.1',
  PUBLIC_ORIGIN: 'http://localhost:3000/',
  SYNC_SECRET: 'sixteen characters',
  SYNC_INTERNAL_URL: 'http://127.0.0.1:3002/',
  API_PORT: '3001',
};
const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };

describe('the environment', () => {
  test('is enough with what has no default', () => {
    expect(readEnv(enough)).toMatchObject({
      PUBLIC_ORIGIN: 'http://localhost:3000',
      SYNC_INTERNAL_URL: 'http://127.0.0.1:3002',
      MONGODB_DB: 'leashwise',
      API_PORT: 3001,
      google: null,
      adminEmails: ['admin@example.com'],
      PRODUCT_NAME: 'Leashwise',
    });
  });

  test('reviews ads after they went live, unless they wait for approval; any other mode is refused', () => {
    expect(readEnv(enough).AD_REVIEW).toBe('after');
    expect(readEnv({ ...enough, AD_REVIEW: '' }).AD_REVIEW).toBe('after');
    expect(readEnv({ ...enough, AD_REVIEW: 'before' }).AD_REVIEW).toBe('before');
    expect(() => readEnv({ ...enough, AD_REVIEW: 'never' })).toThrow(/AD_REVIEW/);
  });

  test('names everything that is missing', () => {
    expect(() => readEnv({})).toThrow(
      /MONGODB_URI.*PUBLIC_ORIGIN.*SYNC_SECRET.*SYNC_INTERNAL_URL.*API_PORT/,
    );
  });

  describe('without a sandbox', () => {
    const strangers = { ...enough, PUBLIC_ORIGIN: 'https://leashwise.example' };

    test.each([
      ['behind a public origin', strangers],
      ['behind a public origin, in development', { ...strangers, NODE_ENV: 'development' }],
      ['behind an address of the LAN', { ...enough, PUBLIC_ORIGIN: 'http://192.168.1.5:3000' }],
      [
        'behind a name that only looks like one of this machine',
        { ...enough, PUBLIC_ORIGIN: 'http://localhost.evil.example' },
      ],
      ['where it is turned off', { ...enough, ALLOW_SANDBOX: 'false' }],
    ])('sign-in must be configured: %s', (_, env) => {
      expect(() => readEnv(env)).toThrow(/GOOGLE_CLIENT_ID.*ALLOW_SANDBOX.*GOOGLE_CLIENT_SECRET/);
      expect(() => readEnv({ ...env, GOOGLE_CLIENT_ID: 'id' })).toThrow(/GOOGLE_CLIENT_SECRET/);
      expect(readEnv({ ...env, ...google })).toMatchObject({
        hasSandbox: false,
        google: { clientId: 'id', clientSecret: 'secret' },
        payments: null,
        adminEmails: [],
      });
    });
  });

  test.each([
    'http://localhost:3000',
    'http://walks.localhost:3000',
    'http://127.0.0.1:3000',
    'http://127.8.8.8',
    'http://[::1]:3000',
    'https://localhost',
  ])('has a sandbox at %s, in production too', (PUBLIC_ORIGIN) => {
    const env = readEnv({ ...enough, PUBLIC_ORIGIN, NODE_ENV: 'production' });
    expect(env).toMatchObject({
      hasSandbox: true,
      google: null,
      payments: 'sandbox',
      adminEmails: ['admin@example.com'],
    });
  });

  test('has a sandbox at a public origin only if ALLOW_SANDBOX says so, and warns', () => {
    const strangers = { ...enough, PUBLIC_ORIGIN: 'https://leashwise.example' };
    const env = readEnv({ ...strangers, ALLOW_SANDBOX: 'true' });
    expect(env).toMatchObject({ hasSandbox: true, google: null, payments: 'sandbox' });
    expect(sandboxWarning(env)).toMatch(/https:\/\/leashwise.example.*\n.*anyone can sign in/);
    expect(sandboxWarning(readEnv({ ...strangers, ...google }))).toBeNull();
    expect(sandboxWarning(readEnv(enough))).toBeNull();
    expect(() => readEnv({ ...strangers, ALLOW_SANDBOX: 'yes, please' })).toThrow(
      'ALLOW_SANDBOX: true or false',
    );
  });

  test('opens a sandbox to other machines only if told to', () => {
    const open = { ...enough, HOST: '0.0.0.0' };
    expect(() => readEnv(open)).toThrow(/HOST=0.0.0.0.*PUBLIC_ORIGIN.*ALLOW_SANDBOX/);
    expect(readEnv({ ...open, ALLOW_SANDBOX: 'true' }).hasSandbox).toBe(true);
    expect(readEnv({ ...open, ALLOW_SANDBOX: 'false', ...google }).hasSandbox).toBe(false);
    expect(readEnv({ ...enough, HOST: '::1' }).hasSandbox).toBe(true);
  });

  test.each([readEnv, readSyncEnv])('knows three values of NODE_ENV', (read) => {
    const env = { ...enough, SYNC_PORT: '0', SYNC_INTERNAL_PORT: '0' };
    expect(() => read({ ...env, NODE_ENV: 'prod' })).toThrow(
      'NODE_ENV: One of production, development and test',
    );
    expect(read({ ...env, NODE_ENV: 'test' }).NODE_ENV).toBe('test');
    expect(read({ ...env, NODE_ENV: '' }).NODE_ENV).toBe('development');
  });

  test('makes nobody admin by default where the accounts are real', () => {
    expect(readEnv({ ...enough, ...google }).adminEmails).toEqual([]);
    const named = { ...enough, ...google, ADMIN_EMAILS: 'Boss@Example.com; two@example.com ' };
    expect(readEnv(named).adminEmails).toEqual(['boss@example.com', 'two@example.com']);
  });

  test('names what is missing of a half-configured provider of messages', () => {
    expect(() => readEnv({ ...enough, SMTP_URL: 'smtp://mail.example' })).toThrow(/MAIL_FROM/);
    expect(() => readEnv({ ...enough, SMTP_URL: 'https://mail.example' })).toThrow(/SMTP_URL/);
    expect(() => readEnv({ ...enough, TWILIO_FROM: '+15005550006' })).toThrow(
      /TWILIO_ACCOUNT_SID.*TWILIO_AUTH_TOKEN/,
    );
    expect(readEnv(enough).outbox).toEqual({ smtp: null, twilio: null, footer: '' });
    const configured = {
      ...enough,
      SMTP_URL: 'smtps://user:pass@mail.example:465',
      MAIL_FROM: 'Leashwise <walks@mail.example>',
      MAIL_FOOTER: 'Leashwise, 1 Park Lane',
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_FROM: '+15005550006',
      TWILIO_BASE_URL: 'http://127.0.0.1:9/',
    };
    expect(readEnv(configured).outbox).toEqual({
      smtp: { url: configured.SMTP_URL, from: configured.MAIL_FROM },
      twilio: {
        accountSid: 'AC1',
        authToken: 'token',
        from: '+15005550006',
        baseUrl: 'http://127.0.0.1:9',
      },
      footer: 'Leashwise, 1 Park Lane',
    });
  });
});

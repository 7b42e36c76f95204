import { describe, expect, test } from 'vitest';
import { sandboxWarning } from '#shared/server/server-env.ts';
import { readEnv } from '../../api/platform/env.ts';
import { readEnv as readSyncEnv } from '../../sync-server/env.ts';

const minimal = {
  MONGODB_URI: 'mongodb://127.0.0.1',
  PUBLIC_ORIGIN: 'http://localhost:3000/',
  SYNC_SECRET: 'sixteen characters',
  SYNC_INTERNAL_URL: 'http://127.0.0.1:3002/',
  API_PORT: '3001',
};
const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };

describe('the environment of the API', () => {
  test('accepts the variables that have no default and fills in the others', () => {
    expect(readEnv(minimal)).toMatchObject({
      PUBLIC_ORIGIN: 'http://localhost:3000',
      SYNC_INTERNAL_URL: 'http://127.0.0.1:3002',
      MONGODB_DB: 'leashwise',
      API_PORT: 3001,
      google: null,
      adminEmails: ['admin@example.com'],
      PRODUCT_NAME: 'Leashwise',
    });
  });

  test('reviews ads after or before they go live, and refuses other modes', () => {
    expect(readEnv(minimal).AD_REVIEW).toBe('after');
    expect(readEnv({ ...minimal, AD_REVIEW: '' }).AD_REVIEW).toBe('after');
    expect(readEnv({ ...minimal, AD_REVIEW: 'before' }).AD_REVIEW).toBe('before');
    expect(() => readEnv({ ...minimal, AD_REVIEW: 'never' })).toThrow(/AD_REVIEW/);
  });

  test('names all missing variables', () => {
    expect(() => readEnv({})).toThrow(
      /MONGODB_URI.*PUBLIC_ORIGIN.*SYNC_SECRET.*SYNC_INTERNAL_URL.*API_PORT/,
    );
  });

  describe('an environment without a sandbox', () => {
    const publicOrigin = { ...minimal, PUBLIC_ORIGIN: 'https://leashwise.example' };

    test.each([
      ['with a public origin', publicOrigin],
      ['with a public origin, in development', { ...publicOrigin, NODE_ENV: 'development' }],
      ['with a LAN address', { ...minimal, PUBLIC_ORIGIN: 'http://192.168.1.5:3000' }],
      [
        'with a host that only looks local',
        { ...minimal, PUBLIC_ORIGIN: 'http://localhost.evil.example' },
      ],
      ['with the sandbox turned off', { ...minimal, ALLOW_SANDBOX: 'false' }],
    ])('requires a sign-in provider %s', (_, env) => {
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
  ])('enables the sandbox at %s, even in production', (PUBLIC_ORIGIN) => {
    const env = readEnv({ ...minimal, PUBLIC_ORIGIN, NODE_ENV: 'production' });
    expect(env).toMatchObject({
      hasSandbox: true,
      google: null,
      payments: 'sandbox',
      adminEmails: ['admin@example.com'],
    });
  });

  test('enables the sandbox at a public origin only with ALLOW_SANDBOX, and warns', () => {
    const publicOrigin = { ...minimal, PUBLIC_ORIGIN: 'https://leashwise.example' };
    const env = readEnv({ ...publicOrigin, ALLOW_SANDBOX: 'true' });
    expect(env).toMatchObject({ hasSandbox: true, google: null, payments: 'sandbox' });
    expect(sandboxWarning(env)).toMatch(/https:\/\/leashwise.example.*\n.*anyone can sign in/);
    expect(sandboxWarning(readEnv({ ...publicOrigin, ...google }))).toBeNull();
    expect(sandboxWarning(readEnv(minimal))).toBeNull();
    expect(() => readEnv({ ...publicOrigin, ALLOW_SANDBOX: 'yes, please' })).toThrow(
      'ALLOW_SANDBOX: true or false',
    );
  });

  test('opens a sandbox to other machines only with ALLOW_SANDBOX', () => {
    const open = { ...minimal, HOST: '0.0.0.0' };
    expect(() => readEnv(open)).toThrow(/HOST=0.0.0.0.*PUBLIC_ORIGIN.*ALLOW_SANDBOX/);
    expect(readEnv({ ...open, ALLOW_SANDBOX: 'true' }).hasSandbox).toBe(true);
    expect(readEnv({ ...open, ALLOW_SANDBOX: 'false', ...google }).hasSandbox).toBe(false);
    expect(readEnv({ ...minimal, HOST: '::1' }).hasSandbox).toBe(true);
  });

  test.each([readEnv, readSyncEnv])('accepts three values of NODE_ENV', (read) => {
    const env = { ...minimal, SYNC_PORT: '0', SYNC_INTERNAL_PORT: '0' };
    expect(() => read({ ...env, NODE_ENV: 'prod' })).toThrow(
      'NODE_ENV: One of production, development and test',
    );
    expect(read({ ...env, NODE_ENV: 'test' }).NODE_ENV).toBe('test');
    expect(read({ ...env, NODE_ENV: '' }).NODE_ENV).toBe('development');
  });

  test('has no default admin when accounts are real', () => {
    expect(readEnv({ ...minimal, ...google }).adminEmails).toEqual([]);
    const named = { ...minimal, ...google, ADMIN_EMAILS: 'Boss@Example.com; two@example.com ' };
    expect(readEnv(named).adminEmails).toEqual(['boss@example.com', 'two@example.com']);
  });

  test('names the missing variables of a half-configured messaging provider', () => {
    expect(() => readEnv({ ...minimal, SMTP_URL: 'smtp://mail.example' })).toThrow(/MAIL_FROM/);
    expect(() => readEnv({ ...minimal, SMTP_URL: 'https://mail.example' })).toThrow(/SMTP_URL/);
    expect(() => readEnv({ ...minimal, TWILIO_FROM: '+15005550006' })).toThrow(
      /TWILIO_ACCOUNT_SID.*TWILIO_AUTH_TOKEN/,
    );
    expect(readEnv(minimal).mail).toEqual({ smtp: null, twilio: null, footer: '' });
    const configured = {
      ...minimal,
      SMTP_URL: 'smtps://user:pass@mail.example:465',
      MAIL_FROM: 'Leashwise <walks@mail.example>',
      MAIL_FOOTER: 'Leashwise, 1 Park Lane',
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_FROM: '+15005550006',
      TWILIO_BASE_URL: 'http://127.0.0.1:9/',
    };
    expect(readEnv(configured).mail).toEqual({
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

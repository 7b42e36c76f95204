import { describe, expect, test } from 'vitest';
import { readEnv } from '../../api/env.ts';

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

  test('refuses the stand-in in production', () => {
    const production = { ...enough, NODE_ENV: 'production' };
    expect(() => readEnv(production)).toThrow(/GOOGLE_CLIENT_ID.*GOOGLE_CLIENT_SECRET/);
    expect(() => readEnv({ ...production, GOOGLE_CLIENT_ID: 'id' })).toThrow(
      /GOOGLE_CLIENT_SECRET/,
    );
    expect(readEnv({ ...production, ...google }).google).toEqual({
      clientId: 'id',
      clientSecret: 'secret',
    });
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

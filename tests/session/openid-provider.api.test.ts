import { OAuth2Server } from 'oauth2-mock-server';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createSession, me, redirectUrl } from '#shared/session/contract.ts';
import { readEnv } from '../../api/platform/env.ts';
import { CallError } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi } from '../api.ts';

/** Another provider than Google. */
const server = new OAuth2Server();
let api: TestApi;
beforeAll(async () => {
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  server.service.on('beforeTokenSigning', ({ payload }: { payload: object }) => {
    Object.assign(payload, { sub: '7', email: 'boss@example.com', email_verified: true });
  });
  api = await startTestApi(inject('mongodbUri'), settings(server.issuer.url!));
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const settings = (issuer: string) => ({
  GOOGLE_CLIENT_ID: 'client',
  GOOGLE_CLIENT_SECRET: 'secret',
  OIDC_ISSUER: issuer,
  ADMIN_EMAILS: 'boss@example.com',
});

test('another OpenID provider than Google signs people in, and admins by ADMIN_EMAILS', async () => {
  const { call } = api.visitor();
  const started = await call(redirectUrl, { query: { again: 'true' } });
  expect(started.is_sandbox).toBe(false);
  expect(new URL(started.redirectUrl).searchParams.get('prompt')).toBe('login');
  const answer = await fetch(started.redirectUrl, { redirect: 'manual' });
  const back = new URL(answer.headers.get('location')!);
  const [code, state] = [back.searchParams.get('code')!, back.searchParams.get('state')!];
  await call(createSession, { body: { code, state } });
  expect(await call(me)).toMatchObject({ email: 'boss@example.com', is_admin: true });
  const again = call(createSession, { body: { code, state } });
  await expect(again).rejects.toBeInstanceOf(CallError);
});

test('people and their sessions stay the same if OIDC_ISSUER ends with a slash that the provider’s own doesn’t have', async () => {
  const { call } = api.visitor();
  const signIn = async () => {
    const started = await call(redirectUrl, { query: {} });
    const answer = await fetch(started.redirectUrl, { redirect: 'manual' });
    const { searchParams } = new URL(answer.headers.get('location')!);
    const [code, state] = [searchParams.get('code')!, searchParams.get('state')!];
    return (await call(createSession, { body: { code, state } })).user.id;
  };
  const id = await signIn();
  await api.restartApi({ OIDC_ISSUER: `${server.issuer.url}/` });
  expect((await call(me)).id).toBe(id);
  expect(await signIn()).toBe(id);
  await api.restartApi();
  expect((await call(me)).id).toBe(id);
});

test('an issuer without https is refused, except on this machine', () => {
  const issuerOf = (issuer: string) => readEnv({ ...api.env, ...settings(issuer) }).google?.issuer;
  expect(() => issuerOf('http://login.example')).toThrow(/OIDC_ISSUER: It must begin with https/);
  expect(() => issuerOf('login')).toThrow(/OIDC_ISSUER/);
  expect(issuerOf('https://login.example')).toBe('https://login.example');
  expect(issuerOf('')).toBe('https://accounts.google.com');
});

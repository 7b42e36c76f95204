import type { Context } from 'koa';
import { OAuth2Server } from 'oauth2-mock-server';
import { allowInsecureRequests, discovery } from 'openid-client';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { HttpError } from '#shared/http/http-error.ts';
import { createOidcProvider } from '../../api/platform/session/oidc.ts';

/** Tests the Google client against another OpenID provider. */
const server = new OAuth2Server();
const ctx = {} as Context;
const secrets = { state: 'a state', nonce: 'a nonce', verifier: 'v'.repeat(43) };
let claims: Record<string, unknown>;
let provider: ReturnType<typeof createOidcProvider>;

beforeAll(async () => {
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  const issuer = server.issuer.url ?? '';
  server.service.on('beforeTokenSigning', (token: { payload: object }) => {
    Object.assign(token.payload, claims);
  });
  const configuration = await discovery(new URL(issuer), 'client', 'secret', undefined, {
    execute: [allowInsecureRequests],
  });
  provider = createOidcProvider({
    isSandbox: false,
    issuer,
    promptAgain: 'select_account',
    origin: () => 'https://walks.example',
    configuration: async () => configuration,
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  claims = {
    sub: '117',
    email: 'Alex@Example.com',
    email_verified: true,
    name: 'Alex Rivera',
    given_name: 'Alex',
    picture: 'https://pictures.example/alex.jpg',
  };
});

async function authorize(): Promise<string> {
  const url = await provider.authorizationUrl(ctx, secrets, { loginHint: 'alex@example.com' });
  const response = await fetch(url, { redirect: 'manual' });
  const location = new URL(response.headers.get('location') ?? '');
  expect(location.origin + location.pathname).toBe('https://walks.example/auth/callback');
  expect(location.searchParams.get('state')).toBe(secrets.state);
  return location.searchParams.get('code') ?? '';
}
const exchange = (code: string, own = secrets, state = own.state) =>
  provider.exchange(ctx, own, code, state);

async function expectStatus(attempt: Promise<unknown>, status: number): Promise<void> {
  const refusal = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(HttpError);
  expect((refusal as HttpError).status).toBe(status);
}

test('requests an authorization code with PKCE, state, nonce and the login hint', async () => {
  const url = new URL(
    await provider.authorizationUrl(ctx, secrets, { loginHint: 'alex@example.com' }),
  );
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: 'https://walks.example/auth/callback',
    code_challenge_method: 'S256',
    state: 'a state',
    nonce: 'a nonce',
    login_hint: 'alex@example.com',
  });
  expect(url.href).not.toContain(secrets.verifier);
});

test('returns the user that the provider vouches for', async () => {
  expect(await exchange(await authorize())).toEqual({
    issuer: server.issuer.url,
    subject: '117',
    email: 'alex@example.com',
    email_verified: true,
    given_name: 'Alex',
    name: 'Alex Rivera',
    picture: 'https://pictures.example/alex.jpg',
  });
});

test('treats a missing verification as unverified and drops a picture without https', async () => {
  claims = { sub: '118', email: 'boss@example.com', picture: 'javascript:alert(1)' };
  expect(await exchange(await authorize())).toMatchObject({
    email_verified: false,
    picture: null,
    name: 'boss',
  });
});

describe('invalid exchanges', () => {
  test('rejects another state', async () => {
    await expectStatus(exchange(await authorize(), secrets, 'another'), 400);
  });

  test('rejects another nonce', async () => {
    await expectStatus(exchange(await authorize(), { ...secrets, nonce: 'another' }), 400);
  });

  test('rejects another verifier', async () => {
    const own = { ...secrets, verifier: 'w'.repeat(43) };
    await expectStatus(exchange(await authorize(), own), 400);
  });

  test('rejects a code that was already used', async () => {
    const code = await authorize();
    await exchange(code);
    await expectStatus(exchange(code), 400);
  });

  test('rejects a token for another client or from another issuer', async () => {
    claims['aud'] = 'another';
    await expectStatus(exchange(await authorize()), 400);
    claims = { ...claims, aud: 'client', iss: 'https://evil.example' };
    await expectStatus(exchange(await authorize()), 400);
  });

  test('rejects a token that was changed after it was signed', async () => {
    const code = await authorize();
    server.service.once('beforeResponse', ({ body }: { body: { id_token: string } }) => {
      const [head, payload = '', signature] = body.id_token.split('.');
      const other = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'victim' };
      const changed = Buffer.from(JSON.stringify(other)).toString('base64url');
      body.id_token = [head, changed, signature].join('.');
    });
    await expectStatus(exchange(code), 400);
  });

  test('rejects a token of an unknown key, until the key set is fetched again', async () => {
    await exchange(await authorize());
    await server.issuer.keys.generate('RS256');
    // The server signs with its keys in turn.
    const answers = async () => {
      const seen = new Set<string>();
      for (let turn = 0; turn < 4; turn++) {
        const attempt = exchange(await authorize());
        seen.add(
          await attempt.then(
            ({ subject }) => subject,
            () => 'refused',
          ),
        );
      }
      return [...seen];
    };
    expect(await answers()).toContain('refused');
    vi.setSystemTime(Date.now() + 61_000);
    onTestFinished(() => void vi.useRealTimers());
    expect(await answers()).toEqual(['117']);
  });

  test('answers 503 when the provider is unavailable', async () => {
    const code = await authorize();
    server.service.once('beforeResponse', (answer: { statusCode: number }) => {
      answer.statusCode = 503;
    });
    await expectStatus(exchange(code), 503);
  });
});

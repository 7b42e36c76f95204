import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { createCode } from '#shared/access-gate/admin-contract.ts';
import { validateCode } from '#shared/access-gate/contract.ts';
import { createAdvertiser } from '#shared/advertisers/contract.ts';
import { createDonation } from '#shared/payments/contract.ts';
import { createSession, logout, me } from '#shared/session/contract.ts';
import { caller } from '../../client/platform/http/api-client.ts';
import { ADMIN_EMAIL, signInCode } from '../../scripts/session/api-session.ts';
import { CookieJar } from '../../scripts/session/cookie-jar.ts';
import { company, freshEmail } from '../advertisers/sign-up.ts';
import { startTestApi, type TestApi } from '../api.ts';

const ORIGIN = 'https://walks.example';
/** What a caller may claim so that the server believes itself to be on localhost. */
const FORGED = {
  'x-forwarded-host': 'localhost:3000',
  'x-forwarded-proto': 'http',
  'x-forwarded-for': '127.0.0.1',
  forwarded: 'for=127.0.0.1;host=localhost;proto=http',
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'), { PUBLIC_ORIGIN: ORIGIN, ALLOW_SANDBOX: 'true' });
});
afterAll(() => api.close());

/** A proxy before the API that replaces `Host`, which `fetch` doesn't let one choose. */
async function withHost(host: string): Promise<string> {
  const proxy = createServer((incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const { hostname, port } = new URL(api.origin);
    const options = { hostname, port, method, path, headers: { ...headers, ...FORGED, host } };
    const onward = request(options, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** A browser that notes the lines of all cookies that it gets. */
function browserAt(proxy: string) {
  const jar = new CookieJar();
  const lines: string[] = [];
  const call = caller({
    origin: proxy,
    fetch: async (input, init) => {
      const response = await jar.fetch(input, init);
      lines.push(...response.headers.getSetCookie());
      return response;
    },
  });
  const signIn = async (email: string) => {
    const body = await signInCode(ORIGIN, call, email, (url) =>
      jar.locationOf(new URL(url.pathname + url.search, proxy)),
    );
    await call(createSession, { body });
  };
  return { lines, call, signIn };
}

test('every cookie of a public origin is Secure and __Host-, also with forged headers', async () => {
  const proxy = await withHost(new URL(ORIGIN).host);
  const admin = browserAt(proxy);
  await admin.signIn(ADMIN_EMAIL);
  await admin.call(createCode, { body: { code: 'COOKIES' } });
  const { call, lines, signIn } = browserAt(proxy);
  await call(validateCode, { body: { code: 'COOKIES' } });
  await call(createDonation, { body: { amount_cents: 100 } });
  await call(createAdvertiser, { body: { ...company, email: freshEmail() } });
  await signIn('public@example.com');
  expect((await call(me)).has_access).toBe(true);
  await call(logout);
  const names = lines.map((line) =>
    line.slice(0, line.indexOf('=')).replace(/sign-in-.+/, 'sign-in'),
  );
  expect(new Set(names)).toEqual(
    new Set(
      ['access', 'donor', 'advertiser', 'sign-in', 'session', 'signed-in'].map(
        (name) => `__Host-${name}`,
      ),
    ),
  );
  for (const line of [...lines, ...admin.lines])
    expect(line).toMatch(
      line.startsWith('__Host-signed-in=')
        ? /; Secure; SameSite=Lax$/
        : /; HttpOnly; Secure; SameSite=Lax$/,
    );
});

test('a request that names localhost as its host is refused without a cookie', async () => {
  for (const host of ['localhost:3000', '127.0.0.1', 'localhost.evil.com']) {
    const response = await fetch(`${await withHost(host)}/api/oauth/google/redirect_url`);
    expect(response.status).toBe(421);
    expect(response.headers.getSetCookie()).toEqual([]);
  }
});

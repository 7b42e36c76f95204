import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cookieName } from '#shared/server/cookie-names.ts';
import {
  clearCookie,
  readCookie,
  setCookie,
  setCookieOrigin,
} from '../../api/platform/http/cookies.ts';

const FORGED: Record<string, string>[] = [
  {},
  { host: 'localhost:3000' },
  { host: '127.0.0.1' },
  { origin: 'http://localhost:3000', referer: 'http://localhost:3000/' },
  { 'x-forwarded-host': 'localhost', 'x-forwarded-proto': 'http', 'x-forwarded-port': '3000' },
  { forwarded: 'for=127.0.0.1;host=localhost;proto=http', 'x-forwarded-for': '127.0.0.1' },
  { 'x-real-ip': '127.0.0.1', 'x-forwarded-server': 'localhost' },
];

/** Requests a page that sets and clears a cookie. @returns its Set-Cookie lines, and the cookie that the server read */
async function linesOf(publicOrigin: string, headers: Record<string, string>) {
  const app = new Koa();
  setCookieOrigin(app, publicOrigin);
  app.use((ctx) => {
    setCookie(ctx, 'session', 'secret', 60);
    clearCookie(ctx, 'access');
    ctx.body = readCookie(ctx, 'session') ?? 'none';
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return new Promise<{ lines: string[]; read: string }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, headers }, (response) => {
      let read = '';
      response.on('data', (chunk: Buffer) => (read += chunk.toString()));
      response.on('end', () => resolve({ lines: response.headers['set-cookie'] ?? [], read }));
    })
      .on('error', reject)
      .end();
  });
}

describe('a loopback http origin', () => {
  test.each([
    'http://localhost:3000',
    'http://localhost',
    'http://127.0.0.1:8080',
    'http://127.1.2.3',
    'http://[::1]:3000',
    'http://dogs.localhost:3000',
  ])('%s gets cookies without Secure, whatever the headers say', async (origin) => {
    for (const headers of [...FORGED, { host: 'walks.example', 'x-forwarded-proto': 'https' }]) {
      const { lines } = await linesOf(origin, headers);
      expect(lines).toEqual([
        'leashwise-session=secret; Path=/; Max-Age=60; HttpOnly; SameSite=Lax',
        'leashwise-signed-in=1; Path=/; Max-Age=60; SameSite=Lax',
        'leashwise-access=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
      ]);
    }
  });
});

describe('any other origin', () => {
  test.each([
    'https://walks.example',
    'https://localhost:3000',
    'https://127.0.0.1',
    'http://walks.example',
    'http://192.168.1.5:3000',
    'http://10.0.0.1',
    'http://0.0.0.0:3000',
    'http://127.0.0.1.evil.com',
    'http://127.evil.com',
    'http://localhost.evil.com',
    'http://localhost.:3000',
    'http://evillocalhost',
    'http://evil.com:3000',
    'http://[::ffff:1.2.3.4]',
    'http://[::2]',
  ])('%s gets __Host- cookies with Secure, whatever the headers say', async (origin) => {
    for (const headers of FORGED) {
      const { lines } = await linesOf(origin, headers);
      expect(lines).toEqual([
        '__Host-session=secret; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=Lax',
        '__Host-signed-in=1; Path=/; Max-Age=60; Secure; SameSite=Lax',
        '__Host-access=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
      ]);
    }
  });

  test('does not read a cookie with a plain name', async () => {
    const planted = { cookie: 'session=planted; leashwise-session=planted' };
    expect((await linesOf('https://walks.example', planted)).read).toBe('none');
    const own = { cookie: 'leashwise-session=planted; __Host-session=own' };
    expect((await linesOf('https://walks.example', own)).read).toBe('own');
  });
});

test('Caddy reads the session cookie of an https origin', () => {
  const caddyfile = readFileSync('Caddyfile', 'utf8');
  const names = caddyfile.match(/__Host-[\w-]+|leashwise-session/g);
  expect(new Set(names)).toEqual(new Set([cookieName('https://walks.example', 'session')]));
});

test('only one file of the servers sets cookies and one names them', () => {
  const files = ['api', 'gateway', 'sync-server', 'shared'].flatMap((tree) =>
    readdirSync(tree, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${tree}/${name}`),
  );
  const withText = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(file, 'utf8'))).toSorted();
  expect(withText(/['"]set-cookie['"]|\bcookies\.(set|get)\(/i)).toEqual([
    'api/platform/http/cookies.ts',
  ]);
  expect(withText(/__Host-|__Secure-/)).toEqual(['shared/server/cookie-names.ts']);
});

import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { getCode } from '#shared/access-gate/admin-contract.ts';
import { SERVER_IDLE_MS } from '#shared/server/connections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';

let api: TestApi;
let member: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  member = await api.as('member@example.com');
});
afterAll(() => api.close());

async function send(path: string, init: RequestInit = {}) {
  const response = await member.jar.fetch(`${api.origin}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
}
const post = (body: string, headers: Record<string, string> = {}) =>
  send('/api/profile', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
const valid = JSON.stringify({ display_name: 'Alex', is_location_sharing_enabled: true });

describe('error responses', () => {
  test('answers an unknown path with 404', async () => {
    const { status, body } = await send('/api/nothing');
    expect({ status, body }).toEqual({
      status: 404,
      body: { error: 'Not found', code: 'not_found' },
    });
  });

  test('answers an unsupported method with 405 and the allowed ones', async () => {
    const { status, body, headers } = await send('/api/profile', { method: 'DELETE' });
    expect({ status, body }).toEqual({
      status: 405,
      body: { error: 'Method not allowed', code: 'method_not_allowed' },
    });
    expect(headers.get('allow')).toContain('POST');
  });

  test('refuses a body that is not JSON', async () => {
    const { status, body } = await post('{');
    expect(status).toBe(400);
    expect(body).toEqual({ error: 'The request isn’t valid JSON', code: 'invalid_input' });
  });

  test('refuses a body of another content type', async () => {
    const { status, body } = await post(valid, { 'content-type': 'text/plain' });
    expect({ status, code: body.code }).toEqual({ status: 415, code: 'unsupported_media' });
  });

  test('refuses a missing body', async () => {
    const { status, body } = await send('/api/profile', { method: 'POST' });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_input' });
  });

  test('refuses a body over the limit, with or without a declared length', async () => {
    const large = JSON.stringify({ display_name: 'x'.repeat(200_000) });
    expect((await post(large)).status).toBe(413);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const call = request(`${api.origin}/api/profile`, {
        method: 'POST',
        headers: {
          cookie: member.jar.header,
          'content-type': 'application/json',
          'transfer-encoding': 'chunked',
        },
      });
      call.once('response', (response) => resolve(response.statusCode)).once('error', reject);
      call.end(large);
    });
    expect(status).toBe(413);
  });

  test('answers an unexpected error with the failure text of the call', async () => {
    const admin = await api.asAdmin();
    await api.db.collection<{ _id: string }>('access_codes').insertOne({ _id: 'broken' });
    await expect(admin.call(getCode, { params: { id: 'broken' } })).rejects.toMatchObject({
      message: 'Failed to fetch access codes',
      status: 500,
    });
    const response = await admin.jar.fetch(`${api.origin}/api/admin/access-codes/broken`);
    expect(await response.json()).toEqual({ error: getCode.failure, code: 'internal' });
  });

  test('answers a path that can’t be decoded with 404', async () => {
    expect((await send('/api/files/%E0%A4%A')).status).toBe(404);
  });
});

describe('every response', () => {
  test('answers HEAD like GET, without a body', async () => {
    const { status, body } = await send('/api/users/me', { method: 'HEAD' });
    expect({ status, body }).toEqual({ status: 200, body: '' });
  });

  test('responses forbid caching, sniffing, and framing, and have a request id', async () => {
    const { headers } = await send('/api/users/me');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-/);
  });
});

test('idle connections stay open for longer than proxies reuse them', async () => {
  const { headers } = await send('/api/users/me');
  expect(headers.get('keep-alive')).toBe(`timeout=${SERVER_IDLE_MS / 1000}`);
  const internal = await fetch(`${api.env['SYNC_INTERNAL_URL']}/nothing`);
  expect(internal.headers.get('keep-alive')).toBe(`timeout=${SERVER_IDLE_MS / 1000}`);
});

describe('a request for another host', () => {
  async function ask(path: string, host: string) {
    const { port } = new URL(api.origin);
    const sent = request({ host: '127.0.0.1', port, path, headers: { host } }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, body: await json(answer) };
  }

  test('refuses requests for another host and names the right one', async () => {
    expect(await ask('/api/users/me', 'evil.example')).toEqual({
      status: 421,
      body: { error: expect.stringContaining('http://localhost:3000'), code: 'wrong_host' },
    });
  });

  test('answers health checks for any host', async () => {
    expect((await ask('/api/health', '10.1.2.3:3001')).status).toBe(200);
  });
});

describe('writes from other sites', () => {
  test.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' }],
  ])('refuses a write from another site: %o', async (headers) => {
    const { status, body } = await post(valid, headers);
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'cross_site' });
  });

  test('accepts writes from the public origin, the same origin, or without an origin', async () => {
    const own = [
      { origin: 'http://localhost:3000' },
      { origin: api.origin, 'sec-fetch-site': 'same-origin' },
      {},
    ];
    for (const headers of own)
      expect((await post(valid, headers as Record<string, string>)).status).toBe(200);
  });
});

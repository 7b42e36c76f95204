import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { contracts } from '#shared/contracts.ts';
import { health, openapi } from '#shared/health/contract.ts';
import { startTestApi, type TestApi } from '../api.ts';

const SANDBOX_PROVIDERS = ['google', 'email', 'sms', 'google-pay', 'weather'];

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

async function ask(query = '') {
  const response = await fetch(`${api.origin}/api/health${query}`);
  return { status: response.status, body: health.answer.parse(await response.json()) };
}

test('is healthy when all services respond, and lists the sandbox providers', async () => {
  expect(await ask()).toEqual({
    status: 200,
    body: { ready: true, missing: [], sandbox_providers: SANDBOX_PROVIDERS },
  });
});

test('serves security.txt only with a configured contact', async () => {
  const read = async () => {
    const response = await fetch(`${api.origin}/api/security.txt`);
    return { status: response.status, type: response.headers.get('content-type') };
  };
  expect((await read()).status).toBe(404);
  await api.restartApi({ SECURITY_CONTACT: 'security@example.com' });
  expect(await read()).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
  await api.restartApi();
});

test('names services that do not respond, and recovers', async () => {
  await api.stopSync();
  expect(await ask()).toEqual({
    status: 503,
    body: { ready: false, missing: ['sync-server'], sandbox_providers: SANDBOX_PROVIDERS },
  });
  // All nodes share it: a balancer that asks would use none, also for calls that don't need it.
  expect((await ask('?node=true')).status).toBe(200);
  await api.startSync();
  expect((await ask()).body.ready).toBe(true);
});

test('the OpenAPI description has every call with its parameters', async () => {
  const description = (await api.call(openapi)) as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string; parameters?: { name: string }[] }>>;
  };
  expect(description.openapi).toBe('3.1.0');
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
    [...contracts.keys()].toSorted(),
  );
  for (const path of Object.values(description.paths))
    for (const { operationId, parameters = [] } of Object.values(path)) {
      const { query, params } = contracts.get(operationId)!;
      expect([operationId, parameters.length > 0]).toEqual([operationId, Boolean(query ?? params)]);
    }
  const update = description.paths['/api/dogs/{id}']?.['put'];
  expect(update?.parameters).toMatchObject([{ name: 'id', in: 'path', required: true }]);
});

test('serves every call of the contracts', async () => {
  for (const [name, { method, path }] of contracts) {
    const response = await fetch(`${api.origin}/api${path.replace(/:\w+/g, 'x')}`, { method });
    // A 404 of a call names its subject. A 404 of the router says 'Not found'.
    const answer = response.status === 404 ? await response.text() : '';
    if (response.status !== 404) await response.body?.cancel();
    expect([name, response.status]).not.toEqual([name, 405]);
    expect([name, answer.includes('"Not found"')]).toEqual([name, false]);
  }
});

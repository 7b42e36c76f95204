import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { contracts } from '#shared/contracts.ts';
import { listConversations } from '#shared/chat/contract.ts';
import { listFriends } from '#shared/friends/contract.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'), { RATE_LIMIT_SCALE: '1' });
});
afterAll(() => api.close());

test('limits expensive reads by account more than ordinary ones', async () => {
  const [eager, other] = [await api.as('eager@example.com'), await api.as('other@example.com')];
  for (let count = 0; count < 60; count++) await eager.call(listConversations);
  await expectRefused(eager.call(listConversations), 429, { code: 'rate_limited' });
  await eager.call(listFriends);
  await other.call(listConversations);
});

test('limits ordinary reads of visitors by network', async () => {
  const flood = async (path: string) => {
    const headers = { 'x-forwarded-for': '203.0.113.77' };
    const answers = Array.from({ length: 301 }, () =>
      fetch(`${api.origin}/api${path}`, { headers }),
    );
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect((await flood('/openapi.json')).filter((status) => status === 429)).toHaveLength(1);
});

test('admin exports have their own limit', () => {
  const exports = [...contracts.values()].filter(({ path }) => /^\/admin\/.*\/export$/.test(path));
  expect(exports.length).toBeGreaterThan(5);
  for (const { path, limit } of exports)
    expect({ path, limit }).toMatchObject({ limit: { points: 30 } });
});

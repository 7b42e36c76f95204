import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { reportClientError } from '#shared/client-errors/contract.ts';
import { freePort } from '../../scripts/stack/ports.ts';
import { startTestApi, type TestApi } from '../api.ts';

let api: TestApi;
let metricsPort: number;
beforeAll(async () => {
  metricsPort = await freePort();
  api = await startTestApi(inject('mongodbUri'), {
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'info',
  });
});
afterAll(() => api.close());

const BODY = { error_class: 'TypeError', frames: ['dogs-page-Bx3_k.js:2:1045'] };
const count = async () => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/client_errors_total\{process="api"\} (\d+)/u.exec(text)?.[1]);
};

test('counts and logs an error of the app, and drops everything else that is sent with it', async () => {
  const { call } = await api.as('ann@example.com');
  const written: string[] = [];
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const before = await count();
  const more = { message: 'Rex is at 51.5007', url: '/chat/user-42?text=secret' };
  await call(reportClientError, { body: { ...BODY, ...more } });
  const line = () =>
    written
      .join('')
      .split('\n')
      .find((each) => each.includes('the app failed'));
  await vi.waitFor(() => expect(line()).toBeTruthy());
  stdout.mockRestore();
  expect(JSON.parse(line()!)).toMatchObject({ client_error: BODY, browser: expect.any(String) });
  expect(written.join('')).not.toMatch(/Rex|51\.5|user-42|secret/u);
  expect(await count()).toBe(before + 1);
});

test.each([
  { ...BODY, error_class: 'Ann Smith' },
  { ...BODY, error_class: 'Rex is lost Error' },
  { ...BODY, frames: ['https://leashwise.example/assets/a.js:1:2'] },
  { ...BODY, frames: ['a.js?user=ann:1:2'] },
  { ...BODY, frames: ['a text'] },
  { ...BODY, frames: Array.from({ length: 9 }, () => 'a.js:1:2') },
])('rejects %o', async (body) => {
  const { call } = await api.as('bob@example.com');
  await expect(call(reportClientError, { body })).rejects.toMatchObject({ status: 400 });
});

test('a visitor can report nothing', async () => {
  await expect(api.call(reportClientError, { body: BODY })).rejects.toMatchObject({ status: 401 });
});

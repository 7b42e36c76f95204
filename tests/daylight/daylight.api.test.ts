import { expect, inject, onTestFinished, test } from 'vitest';
import { readDaylight } from '#shared/daylight/contract.ts';
import { startTestApi } from '../api.ts';

test('tells whether it is day', async () => {
  const api = await startTestApi(inject('mongodbUri'));
  onTestFinished(() => api.close());
  const { call } = await api.as('ann@example.com');
  const hour = new Date().getUTCHours();
  expect(await call(readDaylight)).toEqual({ is_day: hour >= 6 && hour < 20 });
});

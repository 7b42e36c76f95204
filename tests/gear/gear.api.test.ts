import { expect, inject, onTestFinished, test } from 'vitest';
import { readGear, saveGear } from '#shared/gear/contract.ts';
import { startTestApi } from '../api.ts';

test('an owner saves and reads a list for walks', async () => {
  const api = await startTestApi(inject('mongodbUri'));
  onTestFinished(() => api.close());
  const owner = await api.as('gear@example.com');
  await owner.call(saveGear, { body: { text: 'Water, treats' } });
  expect(await owner.call(readGear)).toEqual({ text: 'Water, treats' });
});

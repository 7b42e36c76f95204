import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createDog, listDogs } from '#shared/dogs/contract.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { makeDog } from '../factories.ts';
import { expectRefused } from '../refusals.ts';
import { fill, rawDeviceOf } from './raw-device.ts';

vi.setConfig({ testTimeout: 90_000 });

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

test('what no longer fits into a document is refused in words', async () => {
  const person = await api.as('full@example.com');
  const dog = await makeDog(person);
  const device = await rawDeviceOf(api, person);
  await fill(device, person.user.documents.card.replace('automerge:', ''), 1);
  await expectRefused(
    person.call(createDog, { body: { name: 'Rex', sound_type: 'leash_on' } }),
    413,
    { error: 'There is no room left to save this', code: 'too_large' },
  );
  expect((await person.call(listDogs)).dogs.map(({ id }) => id)).toEqual([dog.id]);
});

import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createDog, listDogs } from '#shared/dogs/contract.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { makeDog } from '../factories.ts';
import { expectRefused } from '../refusals.ts';
import { fill, RawDevice } from './raw-device.ts';

vi.setConfig({ testTimeout: 90_000 });

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

test('what no longer fits into a document is refused in words', async () => {
  const person = await api.as('full@example.com');
  const dog = await makeDog(person);
  const socket = new WebSocket(`ws://127.0.0.1:${api.syncPort}/sync`, {
    headers: { cookie: person.jar.header },
  });
  const device = await new RawDevice(socket).join();
  await fill(device, person.user.documents.card.replace('automerge:', ''), 1);
  await expectRefused(
    person.call(createDog, { body: { name: 'Rex', sound_type: 'leash_on' } }),
    413,
    { error: 'There is no room left to save this', code: 'too_large' },
  );
  expect((await person.call(listDogs)).dogs.map(({ id }) => id)).toEqual([dog.id]);
});

import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createDog, listDogs } from '#shared/dogs/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import type { CallError } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { makeDog, makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';
import { fill, rawDeviceOf } from './raw-device.ts';

vi.setConfig({ testTimeout: 90_000 });

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

test('rejects a change that no longer fits into a document', async () => {
  const person = await api.as('full@example.com');
  const dog = await makeDog(person);
  const device = await rawDeviceOf(api, person);
  await fill(device, person.user.documents.card.replace('automerge:', ''), 1);
  await expectRefused(
    person.call(createDog, { body: { name: 'Rex', sound_type: 'leash_on' } }),
    413,
    { error: 'There’s no space left to save this', code: 'too_large' },
  );
  expect((await person.call(listDogs)).dogs.map(({ id }) => id)).toEqual([dog.id]);
});

test('throttles a user who keeps changing a full document, and no one else', async () => {
  const strict = await startTestApi(inject('mongodbUri'), { RATE_LIMIT_SCALE: '0.2' });
  const person = await strict.as('full@example.com');
  const other = await strict.as('other@example.com');
  await makeProfile(other);
  await makeProfile(person);
  const device = await rawDeviceOf(strict, person);
  await fill(device, person.user.documents.card.replace('automerge:', ''), 3_000);
  const save = (who: typeof person, display_name: string) =>
    who.call(saveProfile, { body: { display_name, is_location_sharing_enabled: false } });
  // A few at a time, as fast as the server answers: each costs more than a fifth of the budget gives back meanwhile.
  const refusals: CallError[] = [];
  const keepSaving = async (start: number) => {
    for (let i = start; refusals.length === 0 && i < 1_000; i += 5)
      await save(person, `Name ${i}`).catch((error: CallError) => {
        if (error.status !== 503) refusals.push(error);
      });
  };
  await Promise.all([0, 1, 2, 3, 4].map(keepSaving));
  expect(refusals.length).toBeGreaterThan(0);
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ status: 429, message: 'Too much at once. Wait a moment.' });
  expect((await save(other, 'Other')).display_name).toBe('Other');
  await expect
    .poll(async () => (await save(person, 'Later')).display_name, {
      timeout: 60_000,
      interval: 500,
    })
    .toBe('Later');
  await strict.close();
});

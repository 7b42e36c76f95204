import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  createDog,
  deleteDog,
  listDogs,
  updateDog,
  type DogFields,
} from '#shared/dogs/contract.ts';
import { DOGS_MAX } from '#shared/dogs/rules.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeDog } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let owner: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  owner = await api.as('owner@example.com');
});
afterAll(() => api.close());

const rex: DogFields = { name: 'Rex', sound_type: 'leash_on' };

describe('a dog', () => {
  test('adds, changes, and removes a dog on all devices', async () => {
    const phone = await api.as('devices@example.com');
    const tablet = await api.as('devices@example.com');
    const longest = 'R'.repeat(50);
    const { dog } = await phone.call(createDog, { body: { ...rex, name: ' Rex ' } });
    expect(dog).toMatchObject({ ...rex, image_key: null });
    expect(await tablet.call(listDogs)).toEqual({ dogs: [dog] });

    const changed = await tablet.call(updateDog, {
      params: { id: dog.id },
      body: { name: longest, sound_type: 'leash_off' },
    });
    expect(changed.dog).toEqual({ ...dog, name: longest, sound_type: 'leash_off' });
    expect(await phone.call(listDogs)).toEqual({ dogs: [changed.dog] });

    expect(await phone.call(deleteDog, { params: { id: dog.id } })).toEqual({});
    expect(await tablet.call(listDogs)).toEqual({ dogs: [] });
  });

  test('a device without documents chooses the id of a dog, and edits it before the answer is here', async () => {
    const body = { ...rex, id: 'chosen-here' };
    const [{ dog }, edited] = await Promise.all([
      owner.call(createDog, { body }),
      owner
        .call(createDog, { body })
        .then(() =>
          owner.call(updateDog, { params: { id: body.id }, body: { ...rex, name: 'Rexi' } }),
        ),
    ]);
    expect([dog.id, edited.dog.name]).toEqual([body.id, 'Rexi']);
    // A dog that is there stays as it is.
    expect((await owner.call(createDog, { body })).dog.name).toBe('Rexi');
    await expectRefused(owner.call(createDog, { body: { ...rex, id: 'not an id' } }), 400, {
      code: 'invalid_input',
    });
    await owner.call(deleteDog, { params: { id: body.id } });
  });

  test('keeps the details that a change does not mention, and removes those that it clears', async () => {
    const details = {
      breed: 'Border Collie',
      size: 'medium',
      coat: 'black',
      birth_year: 2022,
      notes: ['deaf', 'puppy'],
    } as const;
    const body = { ...rex, ...details, notes: [...details.notes] };
    const { dog } = await owner.call(createDog, { body });
    expect(dog).toMatchObject(details);
    const params = { id: dog.id };
    expect((await owner.call(updateDog, { params, body: rex })).dog).toEqual(dog);
    const cleared = { ...rex, breed: ' ', birth_year: null, notes: [] };
    expect((await owner.call(updateDog, { params, body: cleared })).dog).toEqual({
      ...dog,
      breed: null,
      birth_year: null,
      notes: [],
    });
    await owner.call(deleteDog, { params });
  });

  test.each([
    { birth_year: 1950 },
    { birth_year: new Date().getFullYear() + 2 },
    { birth_year: 2020.5 },
    { size: 'huge' },
    { notes: ['bites'] },
    { breed: 'x'.repeat(51) },
  ])('refuses the details %j', async (details) => {
    const body = { ...rex, ...details } as DogFields;
    await expectRefused(owner.call(createDog, { body }), 400, { code: 'invalid_input' });
  });

  test('stores a dog in the card document', async () => {
    const dog = await makeDog(owner, { name: 'Card' });
    expect(await api.document(owner.user.documents.card)).toMatchObject({
      dogs: { [dog.id]: { name: 'Card', sound_type: 'leash_on' } },
    });
  });

  test.each([
    [{ sound_type: 'leash_on' }, { name: 'Required' }],
    [{ name: '  ', sound_type: 'leash_on' }, { name: 'Required' }],
    [{ name: 'x'.repeat(51), sound_type: 'leash_on' }, { name: 'Invalid input' }],
    [{ name: 'Rex' }, { sound_type: 'Required' }],
    [{ name: 'Rex', sound_type: 'loud' }, { sound_type: 'Invalid input' }],
    [{}, { name: 'Required', sound_type: 'Required' }],
  ])('refuses a dog with %j', async (body, fields) => {
    const { id } = await makeDog(owner);
    const expected = {
      error: Object.values(fields)[0],
      code: 'invalid_input',
      fields: fields as Record<string, string>,
    };
    await expectRefused(owner.call(createDog, { body: body as DogFields }), 400, expected);
    await expectRefused(
      owner.call(updateDog, { params: { id }, body: body as DogFields }),
      400,
      expected,
    );
    await owner.call(deleteDog, { params: { id } });
  });
});

describe('dogs of another user', () => {
  test('another user’s dogs look nonexistent and can’t be seen, changed, or removed', async () => {
    const { id } = await makeDog(owner);
    const other = await api.as('other@example.com');
    for (const params of [{ id }, { id: 'nothing' }, { id: '../../x' }]) {
      const expected = { error: 'Dog not found', code: 'not_found' };
      await expectRefused(other.call(updateDog, { params, body: rex }), 404, expected);
      await expectRefused(other.call(deleteDog, { params }), 404, expected);
    }
    expect(await other.call(listDogs)).toEqual({ dogs: [] });
    expect((await owner.call(listDogs)).dogs.map((dog) => dog.id)).toContain(id);
  });
});

describe('repeating a request', () => {
  test('adds one dog per Idempotency-Key, even concurrently', async () => {
    const person = await api.as('again@example.com');
    const send = () => person.call(createDog, { body: rex, idempotencyKey: 'walk-1' });
    const [first, ...others] = await Promise.all([send(), send(), send()]);
    others.push(await send());
    for (const other of others) expect(other).toEqual(first);
    expect((await person.call(listDogs)).dogs).toEqual([first?.dog]);
  });

  test('a repeated request after a crash returns the dog that was added', async () => {
    const person = await api.as('crash@example.com');
    const send = () => person.call(createDog, { body: rex, idempotencyKey: 'walk-2' });
    const { dog } = await send();
    // Simulates a crash between the change and storing its response.
    await api.db
      .collection<{ _id: string }>('idempotency_keys')
      .updateOne(
        { _id: `${person.user.id} walk-2` },
        { $set: { done: false, answer: null, at: new Date(0) } },
      );
    expect((await send()).dog).toEqual(dog);
    expect((await person.call(listDogs)).dogs).toEqual([dog]);
  });

  test('the same Idempotency-Key of another user adds another dog', async () => {
    const one = await api.as('one@example.com');
    const two = await api.as('two@example.com');
    const call = (person: TestPerson) =>
      person.call(createDog, { body: rex, idempotencyKey: 'same-key' });
    expect((await call(one)).dog.id).not.toBe((await call(two)).dog.id);
  });

  test('refuses an Idempotency-Key that was used for another dog', async () => {
    const idempotencyKey = 'walk-3';
    await owner.call(createDog, { body: rex, idempotencyKey });
    await expectRefused(
      owner.call(createDog, { body: { ...rex, name: 'Bello' }, idempotencyKey }),
      409,
      { code: 'key_reused' },
    );
  });

  test('a refused request can be repeated with its Idempotency-Key', async () => {
    const idempotencyKey = 'walk-4';
    const body = { ...rex, name: '' };
    await expectRefused(owner.call(createDog, { body, idempotencyKey }), 400);
    expect((await owner.call(createDog, { body: rex, idempotencyKey })).dog.name).toBe('Rex');
  });

  test('refuses an overlong Idempotency-Key', async () => {
    await expectRefused(owner.call(createDog, { body: rex, idempotencyKey: 'x'.repeat(101) }), 400);
  });
});

test('refuses more than the maximum number of dogs', async () => {
  const person = await api.as('pack@example.com');
  for (let made = 0; made < DOGS_MAX; made++) await makeDog(person, { name: `Dog ${made}` });
  await expectRefused(makeDog(person), 409, { code: 'too_many' });
  const { dogs } = await person.call(listDogs);
  expect(dogs.map(({ name }) => name)).toEqual(
    Array.from({ length: DOGS_MAX }, (_, index) => `Dog ${index}`),
  );
});

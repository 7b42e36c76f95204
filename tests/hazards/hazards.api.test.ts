import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import { WAITED_HEADER } from '#shared/deferred-calls.ts';
import { changeAdminHazard } from '#shared/hazards/admin-contract.ts';
import {
  createHazard,
  deleteHazard,
  listHazards,
  reportHazard,
  uploadHazardPhoto,
  voteOnHazard,
  type HazardFields,
} from '#shared/hazards/contract.ts';
import { HAZARD_MS } from '#shared/hazards/rules.ts';
import type { Place } from '#shared/place.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { subscribeToPush } from '#shared/push/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { DAY_MS, HOUR_MS } from '#shared/time.ts';
import { hazardData } from '../../api/features/hazards/personal-data.ts';
import { createImageStore } from '../../api/platform/files/images.ts';
import { unzip } from '../account/unzip.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { picture } from '../authorization/world.ts';
import { makeProfile } from '../factories.ts';
import { north } from '../locations/made-places.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let people: TestPerson[];
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  people = await Promise.all(
    ['alex', 'sam', 'kim', 'lee'].map((name) => api.as(`${name}@example.com`)),
  );
  await Promise.all(people.map((person) => makeProfile(person)));
});
afterAll(() => api.close());

/** Coordinates that no other test uses. */
let corner = 0;
let fellow = 0;
const somewhere = (): Place => ({ latitude: -60 + (corner += 4), longitude: 33 });
const report = async (person: TestPerson, at: Place, more: Partial<HazardFields> = {}) =>
  (await person.call(createHazard, { body: { kind: 'glass', ...at, ...more } })).hazard;
const around = async (person: TestPerson, { latitude, longitude }: Place) =>
  (
    await person.call(listHazards, {
      query: { latitude: String(latitude), longitude: String(longitude) },
    })
  ).hazards;
/** Members who haven't walked anywhere: nobody could travel between the places of these tests. */
const fresh = (...names: string[]) =>
  Promise.all(
    names.map(async (name) => {
      const person = await api.as(`${name}.${(fellow += 1)}@example.com`);
      await makeProfile(person);
      return person;
    }),
  ) as Promise<[TestPerson, TestPerson, TestPerson]>;
const walk = (person: TestPerson, place: Place) => person.call(reportLocation, { body: place });
const addPhoto = async (person: TestPerson, id: string) =>
  (await person.call(uploadHazardPhoto, { params: { id }, file: await picture() })).hazard
    .image_key!;
const photosNamed = (filename: string) =>
  api.db.collection('images.files').countDocuments({ filename });
const vote = (person: TestPerson, id: string, is_there: boolean) =>
  person.call(voteOnHazard, { params: { id }, body: { is_there } });

describe('hazards', () => {
  test('lists current hazards around a point, nearest first, without who reported them', async () => {
    const [alex, sam] = people as [TestPerson, TestPerson];
    const at = somewhere();
    const far = await report(alex, north(at, 2), { kind: 'lost_dog', description: 'Rex, brown' });
    const near = await report(alex, north(at, 0.1));
    await report(alex, north(at, 8));
    const found = await around(sam, at);
    expect(found.map(({ id }) => id)).toEqual([near.id, far.id]);
    expect(found[1]).toMatchObject({
      kind: 'lost_dog',
      description: 'Rex, brown',
      is_own: false,
      own_vote: null,
    });
    const own = (await around(alex, at))[0];
    expect(own?.is_own).toBe(true);
    const lasts = Date.parse(near.expires_at) - Date.parse(near.reported_at);
    expect(lasts).toBe(HAZARD_MS.glass);
    const stored = await api.db.collection<{ _id: string }>('users').findOne({
      email: 'alex@example.com',
    });
    expect(JSON.stringify(found)).not.toContain(stored!._id);
  });

  test('a lost dog has a name, a photo and a way to answer; other hazards have a photo alone', async () => {
    const [alex, sam] = people as [TestPerson, TestPerson];
    const at = somewhere();
    const ofDog = { dog_name: 'Rex', contact: '+1 541 555 0100' };
    const lost = await report(alex, at, { kind: 'lost_dog', ...ofDog });
    const glass = await report(alex, north(at, 0.1), { kind: 'glass', ...ofDog });
    const upload = (person: TestPerson, id: string, file: Blob) =>
      person.call(uploadHazardPhoto, { params: { id }, file });
    const file = await picture();
    const first = await upload(alex, lost.id, file);
    const second = await upload(alex, lost.id, file);
    expect(second.hazard.image_key).not.toBe(first.hazard.image_key);
    await expectRefused(upload(sam, lost.id, file), 404, { error: 'Hazard not found' });
    expect(await around(sam, at)).toMatchObject([
      { id: lost.id, ...ofDog, image_key: second.hazard.image_key },
      { id: glass.id, dog_name: null, contact: null, image_key: null },
    ]);
    await expectRefused(
      alex.call(createHazard, { body: { kind: 'lost_dog', ...at, contact: 'x'.repeat(61) } }),
      400,
      { error: 'Invalid input', fields: { contact: 'Invalid input' } },
    );
  });

  test('its photo doesn’t tell who reported it: it stays there across a block, either way', async () => {
    const [author, suspicious, avoided] = await fresh('author', 'suspicious', 'avoided');
    const key = await addPhoto(author, (await report(author, somewhere())).id);
    const load = async ({ jar }: TestPerson) =>
      (await jar.fetch(`${api.origin}/api/files/${key}`)).status;
    await suspicious.call(createBlock, { body: { blocked_user_id: author.user.id } });
    await author.call(createBlock, { body: { blocked_user_id: avoided.user.id } });
    expect(await Promise.all([suspicious, avoided, author].map(load))).toEqual([200, 200, 200]);
  });

  test('its photo is exported to its author, and goes with it', async () => {
    const [author, other] = await fresh('author', 'other');
    const [removed, expired, left] = [
      await report(author, somewhere()),
      await report(author, somewhere()),
      await report(author, somewhere()),
    ];
    const keys = {
      removed: await addPhoto(author, removed.id),
      expired: await addPhoto(author, expired.id),
      left: await addPhoto(author, left.id),
    };
    const exported = async ({ jar }: TestPerson) => {
      const response = await jar.fetch(`${api.origin}/api/account/export`);
      const files = unzip(Buffer.from(await response.arrayBuffer()));
      return [...files.keys()].filter((path) => path.startsWith('images/')).toSorted();
    };
    const paths = Object.values(keys).map((key) => `images/${key}.webp`);
    expect(await exported(author)).toEqual(paths.toSorted());
    expect(await exported(other)).toEqual([]);

    await author.call(deleteHazard, { params: { id: removed.id } });
    expect(await photosNamed(keys.removed)).toBe(0);

    await api.db
      .collection<{ _id: string }>('hazards')
      .updateOne({ _id: expired.id }, { $set: { expires_at: new Date(Date.now() - 8 * DAY_MS) } });
    await api.runJobs();
    expect(await photosNamed(keys.expired)).toBe(0);

    expect(await photosNamed(keys.left)).toBe(1);
    const row = await api.db.collection<UserRow>('users').findOne({ _id: author.user.id });
    await hazardData({ db: api.db, images: createImageStore(api.db) }).remove(row!);
    expect(await photosNamed(keys.left)).toBe(0);
  });

  test('of poison, reports hide the photo with the text', async () => {
    const [alex, ...others] = people as [TestPerson, ...TestPerson[]];
    const at = somewhere();
    const { id } = await report(alex, at, { kind: 'poison', description: 'An insult' });
    const image_key = await addPhoto(alex, id);
    const shown = async () => (await around(others[0]!, at))[0];
    for (const { call } of others) {
      expect(await shown()).toMatchObject({ description: 'An insult', image_key });
      await call(reportHazard, { params: { id } });
    }
    expect(await shown()).toMatchObject({ id, description: '', image_key: null });
  });

  test('takes no photo of a hazard that is hidden, or that an admin restored', async () => {
    const [author, one, two] = await fresh('author', 'one', 'two');
    const admin = await api.asAdmin();
    const at = somewhere();
    const { id } = await report(author, at, { kind: 'lost_dog', description: 'Rex' });
    for (const { call } of [one, two, people[0]!]) await call(reportHazard, { params: { id } });
    expect(await around(one, at)).toEqual([]);
    await expectRefused(addPhoto(author, id), 404, { error: 'Hazard not found' });
    const change = (is_removed: boolean) =>
      admin.call(changeAdminHazard, { params: { id }, body: { is_removed } });
    await change(false);
    await expectRefused(addPhoto(author, id), 409, {
      error: 'We’ve checked this report, so its photo can’t change anymore',
    });
    await change(true);
    await expectRefused(addPhoto(author, id), 404, { error: 'Hazard not found' });
    await change(false);
    expect(await around(one, at)).toMatchObject([{ id, image_key: null }]);
  });

  test('stops showing a hazard that has expired', async () => {
    const [alex, sam] = people as [TestPerson, TestPerson];
    const at = somewhere();
    const { id } = await report(alex, at);
    await api.db
      .collection<{ _id: string }>('hazards')
      .updateOne({ _id: id }, { $set: { expires_at: new Date(Date.now() - 1) } });
    expect(await around(sam, at)).toEqual([]);
    await expectRefused(vote(sam, id, true), 404, { error: 'Hazard not found' });
  });

  test('counts one vote a person, and hides a hazard that two more deny than confirm', async () => {
    const [alex] = people as [TestPerson];
    const [sam, kim, lee] = await fresh('sam', 'kim', 'lee');
    const at = somewhere();
    const { id } = await report(alex, at);
    for (const person of [sam, kim, lee]) await walk(person, north(at, 0.1));
    await expectRefused(vote(alex, id, true), 400);
    await vote(sam, id, true);
    await vote(sam, id, true);
    expect((await around(sam, at))[0]).toMatchObject({ confirmed_count: 1, own_vote: 'confirmed' });
    await vote(sam, id, false);
    expect((await around(sam, at))[0]).toMatchObject({
      confirmed_count: 0,
      denied_count: 1,
      own_vote: 'denied',
    });
    await vote(kim, id, true);
    await vote(lee, id, false);
    expect(await around(alex, at)).toHaveLength(1);
    await vote(kim, id, false);
    expect(await around(alex, at)).toEqual([]);
  });

  test('counts only votes from nearby, and needs more of them to hide poison', async () => {
    const [alex] = people as [TestPerson];
    const [sam, kim, lee] = await fresh('sam', 'kim', 'lee');
    const at = somewhere();
    const glass = await report(alex, at);
    const poison = await report(alex, at, { kind: 'poison' });
    for (const person of [sam, kim]) await vote(person, glass.id, false);
    expect((await around(sam, at)).find(({ id }) => id === glass.id)).toMatchObject({
      denied_count: 0,
      own_vote: 'denied',
    });
    for (const person of [sam, kim]) {
      await walk(person, at);
      await vote(person, glass.id, false);
      await vote(person, poison.id, false);
    }
    expect((await around(lee, at)).map(({ id }) => id)).toEqual([poison.id]);
  });

  test('limits the texts of one author a day', async () => {
    const author = await api.as('texts@example.com');
    await makeProfile(author);
    const at = somewhere();
    await api.withLimits(1, async () => {
      for (let count = 0; count < 5; count++) await report(author, at, { description: 'Glass' });
      await expectRefused(report(author, at, { description: 'Glass' }), 429);
      await report(author, at);
    });
  });

  test('hides a hazard whose text three people report', async () => {
    const [alex, ...others] = people as [TestPerson, ...TestPerson[]];
    const at = somewhere();
    const { id } = await report(alex, at, { description: 'An insult' });
    const complain = ({ call }: TestPerson) => call(reportHazard, { params: { id } });
    for (const [index, other] of others.entries()) {
      expect(await around(alex, at)).toHaveLength(1);
      await complain(other);
      if (index === 0) await complain(other);
    }
    expect(await around(alex, at)).toEqual([]);
  });

  test('lets only its author remove a hazard', async () => {
    const [alex, sam] = people as [TestPerson, TestPerson];
    const at = somewhere();
    const { id } = await report(alex, at);
    await expectRefused(sam.call(deleteHazard, { params: { id } }), 404);
    await alex.call(deleteHazard, { params: { id } });
    expect(await around(sam, at)).toEqual([]);
  });

  test('refuses invalid hazards with the field', async () => {
    const [alex] = people as [TestPerson];
    await expectRefused(report(alex, { latitude: 91, longitude: 0 }), 400);
    await expectRefused(report(alex, somewhere(), { description: 'a'.repeat(301) }), 400);
  });

  test('counts from when it was seen if the report waited on the device', async () => {
    const [alex] = people as [TestPerson];
    const at = somewhere();
    const { hazard } = await alex.call(createHazard, {
      body: { kind: 'aggressive_dog', ...at },
      headers: { [WAITED_HEADER]: String(HOUR_MS) },
      idempotencyKey: 'waited-hazard-1',
    });
    const left = Date.parse(hazard.expires_at) - Date.now();
    expect(left).toBeLessThan(5 * HOUR_MS + 1_000);
    // Rounded down to ten minutes.
    expect(left).toBeGreaterThan(5 * HOUR_MS - 11 * 60_000);
  });

  test('pushes to walkers within a kilometer, but not to others or its author', async () => {
    const [alex, sam, kim] = people as [TestPerson, TestPerson, TestPerson];
    const at = somewhere();
    const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) };
    for (const [index, person] of [alex, sam, kim].entries())
      await person.call(subscribeToPush, {
        body: { endpoint: `https://fcm.googleapis.com/fcm/send/hazard-${index}`, keys },
      });
    await walk(alex, at);
    await walk(sam, north(at, 0.5));
    await walk(kim, north(at, 0.8));
    const { id } = await report(alex, at, { kind: 'poison' });
    const queued = await api.db.collection('push_queue').find({ 'message.subject': id }).toArray();
    const users = await api.db
      .collection<{ _id: string; email: string }>('users')
      .find({ _id: { $in: queued.map(({ message }) => message.user_id as string) } })
      .toArray();
    expect(users.map(({ email }) => email)).toEqual(['sam@example.com']);
  });

  test('is exported to its author, and erased with the account’s votes', async () => {
    const [alex, sam] = people as [TestPerson, TestPerson];
    const at = somewhere();
    await report(alex, at, { description: 'Exported glass' });
    const other = await report(sam, at);
    await walk(alex, at);
    await vote(alex, other.id, true);
    const user = await api.db.collection<UserRow>('users').findOne({ email: 'alex@example.com' });
    const data = hazardData({ db: api.db, images: createImageStore(api.db) });
    const exported = JSON.stringify(await data.export!(user!));
    expect(exported).toContain('Exported glass');
    expect(exported).toContain(other.id);
    await data.remove(user!);
    expect(await around(sam, at)).toMatchObject([{ id: other.id, confirmed_count: 0 }]);
    expect(JSON.stringify(await api.db.collection('hazards').find().toArray())).not.toContain(
      user!._id,
    );
  });
});

import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import { getFile } from '#shared/files/contract.ts';
import { mergeLocations } from '#shared/locations/admin-contract.ts';
import { deleteLocation, getLocation, searchLocations } from '#shared/locations/contract.ts';
import { deleteLocationPhoto, uploadLocationPhoto } from '#shared/locations/photo-contract.ts';
import { PHOTOS_EACH_MAX } from '#shared/locations/rules.ts';
import { type WalkLocation } from '#shared/locations/schemas.ts';
import { decideReport, getReport } from '#shared/moderation/admin-contract.ts';
import { reportContent } from '#shared/moderation/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { locationData } from '../../api/features/locations/personal-data.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';
import { makePlace, north } from './made-places.ts';

let api: TestApi;
let alex: TestPerson;
let sam: TestPerson;
let kim: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  [alex, sam, kim] = await Promise.all([
    api.as('alex@example.com'),
    api.as('sam@example.com'),
    api.as('kim@example.com'),
  ]);
  await makeProfile(alex, { display_name: 'Alex' });
  await makeProfile(sam, { display_name: 'Sam' });
  await makeProfile(kim, { display_name: 'Kim' });
});
afterAll(() => api.close());

let corner = 0;
const place = (more: object = {}): Promise<WalkLocation> =>
  makePlace(alex, { name: 'Green', latitude: 10 + (corner += 1), longitude: 45, ...more });
const image = async () =>
  new Blob([
    await sharp({ create: { width: 9, height: 9, channels: 3, background: '#292' } })
      .png()
      .toBuffer(),
  ]);
const add = async (person: TestPerson, { id }: { id: string }) =>
  (await person.call(uploadLocationPhoto, { params: { id }, file: await image() })).photo;
const photosOf = async (person: TestPerson, { id }: { id: string }) =>
  (await person.call(getLocation, { params: { id } })).location.photos;
const fileStatus = async (person: TestPerson, key: string) =>
  (await person.jar.fetch(`${api.origin}${pathOf(getFile, { key })}`)).status;

test('shows photos with author and date to members, the newest first', async () => {
  const green = await place();
  const first = await add(sam, green);
  const second = await add(alex, green);
  expect(await photosOf(kim, green)).toEqual([
    { ...second, author_name: 'Alex', creator_user_id: alex.user.id },
    { ...first, author_name: 'Sam', creator_user_id: sam.user.id },
  ]);
  expect(await fileStatus(kim, first.image_key)).toBe(200);
});

test('a search has the newest photo of each place, of people whom the reader hasn’t blocked', async () => {
  const green = await place();
  const { latitude, longitude } = green;
  await makePlace(alex, { name: 'Plain', ...north(green, 1) });
  const [older, newest] = [await add(sam, green), await add(alex, green)];
  const photosFound = async (person: TestPerson) =>
    (
      await person.call(searchLocations, {
        query: { latitude: String(latitude), longitude: String(longitude), radius: '5' },
      })
    ).locations.map(({ image_key }) => image_key);
  expect(await photosFound(kim)).toEqual([newest.image_key, null]);
  const lou = await api.as('lou@example.com');
  await lou.call(createBlock, { body: { blocked_user_id: alex.user.id } });
  expect(await photosFound(lou)).toEqual([older.image_key, null]);
});

test('refuses files that are no images, more than five a person, and places that the user can’t see', async () => {
  const green = await place();
  const upload = (file: Blob, { id }: { id: string } = green) =>
    sam.call(uploadLocationPhoto, { params: { id }, file });
  await expectRefused(upload(new Blob(['not an image'])), 415, {
    error: 'Please select an image file',
  });
  const hidden = await place({ is_public: false, confirm_new: true });
  await expectRefused(upload(await image(), hidden), 404, { error: 'Location not found' });
  for (let count = 0; count < PHOTOS_EACH_MAX; count++) await add(sam, green);
  await expectRefused(upload(await image()), 409, { code: 'too_many_photos' });
  expect(await photosOf(sam, green)).toHaveLength(PHOTOS_EACH_MAX);
});

test('only its author removes a photo, and its file is gone, too', async () => {
  const green = await place();
  const photo = await add(sam, green);
  const params = { id: photo.id };
  await expectRefused(alex.call(deleteLocationPhoto, { params }), 404, {
    error: 'Photo not found',
  });
  await sam.call(deleteLocationPhoto, { params });
  expect(await photosOf(kim, green)).toEqual([]);
  expect(await fileStatus(kim, photo.image_key)).toBe(404);
});

test('photos move with a merge, and keep a place that its creator removes', async () => {
  const green = await place();
  const twin = await makePlace(alex, {
    name: 'Green Two',
    ...north(green, 0.1),
    confirm_new: true,
  });
  const photo = await add(sam, twin);
  const admin = await api.asAdmin();
  await admin.call(mergeLocations, { params: { id: twin.id }, body: { into_id: green.id } });
  expect(await photosOf(kim, green)).toMatchObject([{ id: photo.id }]);
  const { is_removed } = await alex.call(deleteLocation, { params: { id: green.id } });
  expect(is_removed).toBe(false);
});

test('a moderator sees a copy of a reported photo and removes it', async () => {
  const green = await place();
  const photo = await add(sam, green);
  const other = await add(sam, green);
  const reporting = (image_key: string, reported_user_id = sam.user.id) =>
    kim.call(reportContent, {
      body: {
        subject_type: 'picture',
        reported_user_id,
        image_key,
        report_type: 'inappropriate_content',
        description: 'This is no place to walk.',
      },
    });
  await expectRefused(reporting('unknown'), 404, { error: 'Photo not found' });
  await expectRefused(reporting(photo.image_key, alex.user.id), 404);
  const { report } = await reporting(photo.image_key);
  const admin = await api.asAdmin();
  const params = { id: report.id };
  const { evidence } = await admin.call(getReport, { params });
  expect(evidence.place_photo?.image_key).toBe(photo.image_key);
  const copy = await admin.jar.fetch(
    `${api.origin}/api/admin/pictures/${evidence.place_photo?.picture}`,
  );
  expect(copy.status).toBe(200);
  const act = (image_key: string) =>
    admin.call(decideReport, {
      params,
      body: { version: 0, status: 'resolved', acts: [{ type: 'remove_picture', image_key }] },
    });
  // Moderators can act on the evidence only.
  await expectRefused(act(other.image_key), 400);
  await act(photo.image_key);
  expect(await photosOf(kim, green)).toMatchObject([{ id: other.id }]);
  expect(await fileStatus(kim, photo.image_key)).toBe(404);
});

test('hides photos of people who blocked each other, exports them and removes them with the account', async () => {
  const green = await place();
  const lee = await api.as('lee@example.com');
  await makeProfile(lee, { display_name: 'Lee' });
  const photo = await add(lee, green);
  await lee.call(createBlock, { body: { blocked_user_id: kim.user.id } });
  expect(await photosOf(sam, green)).toMatchObject([{ id: photo.id }]);
  const user = await api.db.collection<UserRow>('users').findOne({ email: 'lee@example.com' });
  const data = locationData({ db: api.db } as Parameters<typeof locationData>[0]);
  expect(JSON.stringify(await data.export!(user!))).toContain(photo.image_key);
  expect(await photosOf(lee, green)).toHaveLength(1);
  await data.remove(user!);
  expect(await photosOf(sam, green)).toEqual([]);
});

import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readSharing } from '#shared/account/sharing.ts';
import { REFUSED_TEXTS } from '#shared/moderation/content.ts';
import {
  getFullProfile,
  getProfile,
  getUserProfile,
  saveProfile,
  uploadProfileImage,
  type ProfileFields,
} from '#shared/profile/contract.ts';
import { RESERVED_NAME } from '#shared/profile/reserved-names.ts';
import { ABOUT_MAX } from '#shared/profile/rules.ts';
import type { CardRow } from '#shared/server/collections.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { makeDog, makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

test('answers 404 before onboarding', async () => {
  const person = await api.as('new@example.com');
  await expectRefused(person.call(getProfile), 404, {
    error: 'Profile not found',
    code: 'not_found',
  });
});

test('saves a trimmed profile that each device reads back', async () => {
  const phone = await api.as('alex@example.com');
  const saved = await phone.call(saveProfile, {
    body: { display_name: '  Alex ', is_location_sharing_enabled: true },
  });
  expect(saved).toMatchObject({
    user_id: phone.user.id,
    display_name: 'Alex',
    is_location_sharing_enabled: true,
  });
  expect(Date.now() - Date.parse(saved.join_date)).toBeLessThan(600_000);
  const tablet = await api.as('alex@example.com');
  expect(await tablet.call(getProfile)).toEqual(saved);
});

test('a name of staff or of the product from the sign-in provider is shown to nobody', async () => {
  for (const [email, shown] of [
    ['moderator.mary@example.com', 'Dog owner'],
    ['leashwise@example.com', 'Dog owner'],
    ['maryjane@example.com', 'Maryjane'],
  ] as const)
    expect((await api.as(email)).user.given_name).toBe(shown);
});

test('refuses names of staff and of the product, except for admins and names from before', async () => {
  const person = await api.as('reserved@example.com');
  await makeProfile(person, { display_name: 'Robin' });
  const refusal = { fields: { display_name: RESERVED_NAME } };
  for (const display_name of ['Leashwise Admin', 'L\u0435ashwise', 'Adm1n'])
    await expectRefused(makeProfile(person, { display_name }), 400, refusal);
  const cards = api.db.collection<CardRow>('cards');
  const stored = () => cards.findOne({ _id: person.user.id });
  expect((await stored())?.display_name).toBe('Robin');

  // A device writes its document without asking.
  const { card } = person.user.documents;
  await api.change(card, 'profile.save', { display_name: 'Moderator' });
  await expect.poll(async () => (await stored())?.hidden_names).toEqual(['Moderator']);

  // Such a name from before the rule stays while other things change.
  await cards.updateOne(
    { _id: person.user.id },
    { $set: { checked_name: 'Moderator' }, $unset: { hidden_names: '' } },
  );
  await makeProfile(person, { display_name: 'Moderator', about: 'Two dogs' });
  await expect.poll(async () => (await stored())?.about).toBe('Two dogs');
  await expect.poll(async () => (await stored())?.is_checked).toBe(true);
  expect((await stored())?.hidden_names ?? []).toEqual([]);

  const admin = await api.asAdmin();
  await makeProfile(admin, { display_name: 'Leashwise Admin' });
  await expect
    .poll(async () => (await cards.findOne({ _id: admin.user.id }))?.checked_name)
    .toBe('Leashwise Admin');
  expect((await cards.findOne({ _id: admin.user.id }))?.hidden_names ?? []).toEqual([]);
});

test('stores the profile in the card and the sharing switch in the account document', async () => {
  const person = await api.as('card@example.com');
  await makeProfile(person, { display_name: 'Card' });
  const card = await api.document(person.user.documents.card);
  expect(card).toMatchObject({ display_name: 'Card' });
  expect(card).not.toHaveProperty('is_location_sharing_enabled');
  expect(readSharing(await api.document(person.user.documents.account))).toBe(true);
});

test('returns the sharing switch as a device set it', async () => {
  const person = await api.as('switch@example.com');
  await makeProfile(person);
  await api.change(person.user.documents.account, 'sharing.save', {
    is_location_sharing_enabled: false,
  });
  expect((await person.call(getProfile)).is_location_sharing_enabled).toBe(false);
  // Changing the name leaves the switch unchanged.
  await api.change(person.user.documents.card, 'profile.save', { display_name: 'Other' });
  expect(await person.call(getProfile)).toMatchObject({
    display_name: 'Other',
    is_location_sharing_enabled: false,
  });
});

test('takes a number for the sharing switch as a boolean', async () => {
  const person = await api.as('older@example.com');
  for (const [sent, meant] of [
    [1, true],
    [0, false],
    [2, true],
    [-0, false],
  ] as const) {
    const body = { display_name: 'Old', is_location_sharing_enabled: sent };
    expect((await person.call(saveProfile, { body })).is_location_sharing_enabled).toBe(meant);
  }
});

test('saving the profile leaves the dogs unchanged', async () => {
  const person = await api.as('keeps@example.com');
  const dog = await makeDog(person);
  await makeProfile(person, { display_name: 'Keeps' });
  const card = await api.document(person.user.documents.card);
  expect(card).toMatchObject({ dogs: { [dog.id]: { name: 'Rex' } } });
});

const picture = async (background: string) => {
  const image = sharp({ create: { width: 20, height: 20, channels: 3, background } });
  return new Blob([new Uint8Array(await image.png().toBuffer())], { type: 'image/png' });
};

describe('the photo and the line about the owner', () => {
  const body = { display_name: 'Ann', is_location_sharing_enabled: false };

  test('others see both, and a save without the line leaves it unchanged', async () => {
    const [ann, sam] = [await api.as('ann-photo@example.com'), await api.as('sam@example.com')];
    const saved = await ann.call(saveProfile, { body: { ...body, about: '  Early \n bird ' } });
    expect(saved.about).toBe('Early bird');
    const { image_key } = await ann.call(uploadProfileImage, { file: await picture('#336633') });
    await ann.call(saveProfile, { body });
    await expect
      .poll(() => sam.call(getUserProfile, { params: { id: ann.user.id } }))
      .toMatchObject({ about: 'Early bird', image_key });
    const second = await ann.call(uploadProfileImage, { file: await picture('#663333') });
    expect((await ann.jar.fetch(`${api.origin}/api/files/${image_key}`)).status).toBe(404);
    expect(await ann.call(getFullProfile)).toMatchObject({ image_key: second.image_key });
  });

  test('a device removes the photo', async () => {
    const ann = await api.as('kept-photo@example.com');
    await ann.call(saveProfile, { body });
    await ann.call(uploadProfileImage, { file: await picture('#123456') });
    await api.change(ann.user.documents.card, 'profile.image', { image_key: null });
    expect((await ann.call(getFullProfile)).image_key).toBeNull();
  });

  test('a line that is too long or violates a word rule is rejected', async () => {
    const ann = await api.as('line@example.com');
    const about = 'x'.repeat(ABOUT_MAX + 1);
    await expectRefused(ann.call(saveProfile, { body: { ...body, about } }), 400);
    await expectRefused(
      ann.call(saveProfile, { body: { ...body, about: 'go k!ll yourself' } }),
      400,
      { error: REFUSED_TEXTS.about, code: 'blocked_content' },
    );
    // The server hides what a device writes past its own check.
    await api.change(ann.user.documents.card, 'profile.about', { about: 'go k!ll yourself' });
    await ann.call(saveProfile, { body });
    const sam = await api.as('reader@example.com');
    await expect
      .poll(async () => (await sam.call(getUserProfile, { params: { id: ann.user.id } })).about)
      .toBeNull();
    expect((await ann.call(getFullProfile)).about).toBe('go k!ll yourself');
  });
});

describe('validation', () => {
  const required = { display_name: 'Required' };
  test.each([
    [{ display_name: '', is_location_sharing_enabled: true }, required],
    [{ display_name: '   ', is_location_sharing_enabled: true }, required],
    [{ is_location_sharing_enabled: true }, required],
    [
      { display_name: 'x'.repeat(101), is_location_sharing_enabled: true },
      { display_name: 'Invalid input' },
    ],
    [{ display_name: 7, is_location_sharing_enabled: true }, { display_name: 'Invalid input' }],
    [{ display_name: 'Alex' }, { is_location_sharing_enabled: 'Required' }],
    [
      { display_name: 'Alex', is_location_sharing_enabled: 'yes' },
      { is_location_sharing_enabled: 'Invalid input' },
    ],
  ])('rejects a profile with %j', async (body, fields) => {
    const person = await api.as('strict@example.com');
    await expectRefused(person.call(saveProfile, { body: body as ProfileFields }), 400, {
      error: Object.values(fields)[0],
      code: 'invalid_input',
      fields,
    });
  });

  test('accepts a name of 100 characters', async () => {
    const person = await api.as('long@example.com');
    const saved = await makeProfile(person, { display_name: 'x'.repeat(100) });
    expect(saved.display_name).toHaveLength(100);
  });
});

test('answers 503 without the sync server and saves once it is back', async () => {
  const person = await api.as('restart@example.com');
  await api.stopSync();
  const waiting = makeProfile(person, { display_name: 'Patient' });
  await api.startSync();
  expect((await waiting).display_name).toBe('Patient');

  await api.stopSync();
  try {
    await expectRefused(makeProfile(person, { display_name: 'Nobody there' }), 503, {
      code: 'unavailable',
    });
    // Reading doesn't need the sync server.
    expect((await person.call(getProfile)).display_name).toBe('Patient');
  } finally {
    await api.startSync();
  }
});

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createCharity } from '#shared/charities/contract.ts';
import { createDog, updateDog } from '#shared/dogs/contract.ts';
import {
  createLocation,
  createTip,
  updateLocation,
  updateTip,
} from '#shared/locations/contract.ts';
import { decideReport, getReport, listReports } from '#shared/moderation/admin-contract.ts';
import { REFUSED_TEXTS, type ContentType } from '#shared/moderation/content.ts';
import { listLog } from '#shared/moderation/rules-contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { createSound, updateSound } from '#shared/sounds/contract.ts';
import { flagAccount } from '../../api/features/moderation/flag-account.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { charityBody } from '../charities/made-charities.ts';
import { makeDog, makeProfile } from '../factories.ts';
import { makePlace } from '../locations/made-places.ts';
import { expectRefused } from '../refusals.ts';
import { addRule, logOf } from './visible-messages.ts';

let api: TestApi;
let admin: TestPerson;
let author: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  author = await api.as('author@example.com');
  await makeProfile(author);
});
afterAll(() => api.close());

const BAD = 'go k!ll yourself';
const here = { latitude: 12, longitude: 34 };

/** Expects a 400 with the text for the content type on each of the fields. */
const expectBlocked = (answer: Promise<unknown>, type: ContentType, ...fields: string[]) =>
  expectRefused(answer, 400, {
    error: REFUSED_TEXTS[type],
    code: 'blocked_content',
    fields: Object.fromEntries(fields.map((field) => [field, REFUSED_TEXTS[type]])),
  });

describe('blocked words in content', () => {
  test('rejects blocked words in any text of a location', async () => {
    const add = (texts: object) =>
      author.call(createLocation, { body: { name: 'Quiet Meadow', ...here, ...texts } });
    await expectBlocked(add({ name: BAD }), 'location', 'name');
    await expectBlocked(
      add({ description: BAD, address: BAD }),
      'location',
      'description',
      'address',
    );
    const place = await makePlace(author, { name: 'Elm Meadow', ...here });
    const body = { name: 'Elm Meadow', ...here, description: BAD };
    const params = { id: place.id };
    await expectBlocked(author.call(updateLocation, { params, body }), 'location', 'description');
  });

  test('allows blocked words in a private location until it becomes public', async () => {
    const own = { name: `My ${BAD} corner`, latitude: 13, longitude: 34 };
    const { location } = await author.call(createLocation, { body: { ...own, is_public: false } });
    const params = { id: location.id };
    await expectBlocked(author.call(updateLocation, { params, body: own }), 'location', 'name');
  });

  test('rejects blocked words in a tip', async () => {
    const { id: location_id } = await makePlace(author, {
      name: 'Ash Hill',
      latitude: 14,
      longitude: 34,
    });
    const texts = { title: 'Shade', content: 'At noon, too.' };
    const add = (words: object) =>
      author.call(createTip, { body: { location_id, ...texts, ...words } });
    await expectBlocked(add({ title: BAD }), 'location_tip', 'title');
    const { tip } = await add({});
    const body = { ...texts, content: BAD };
    const params = { id: tip.id };
    await expectBlocked(author.call(updateTip, { params, body }), 'location_tip', 'content');
  });

  test('rejects blocked words in a display name, a dog’s name or breed, or the name of a sound', async () => {
    const profile = { display_name: BAD, is_location_sharing_enabled: true };
    await expectBlocked(
      author.call(saveProfile, { body: profile }),
      'display_name',
      'display_name',
    );
    const body = { name: BAD, sound_type: 'leash_on' as const };
    await expectBlocked(author.call(createDog, { body }), 'dog_name', 'name');
    const { id } = await makeDog(author);
    await expectBlocked(author.call(updateDog, { params: { id }, body }), 'dog_name', 'name');
    const mixed = { ...body, name: 'Rex', breed: BAD };
    await expectBlocked(author.call(createDog, { body: mixed }), 'dog_name', 'breed');
    await expectBlocked(author.call(createSound, { body }), 'sound_name', 'name');
    const { sound } = await author.call(createSound, { body: { ...body, name: 'Woof' } });
    const params = { id: sound.id };
    await expectBlocked(author.call(updateSound, { params, body }), 'sound_name', 'name');
  });

  test('rejects blocked words in a charity, suggested by a member or applying itself', async () => {
    const body = charityBody({ description: BAD });
    await expectBlocked(author.call(createCharity, { body }), 'charity', 'description');
    const applying = api.call(createCharity, { body, file: null });
    await expectBlocked(applying, 'charity', 'description');
    const { entries } = await admin.call(listLog, { query: { action_taken: 'blocked' } });
    expect(entries.filter(({ content_type }) => content_type === 'charity')).toMatchObject([
      { user: { user_id: '', name: null }, flagged_content: BAD },
      { user: { user_id: author.user.id } },
    ]);
  });

  test('logs blocked content with its kind, id and author', async () => {
    const writer = await api.as('writer@example.com');
    await makeProfile(writer, { display_name: 'Writer' });
    const { id } = await makeDog(writer);
    const body = { name: BAD, sound_type: 'leash_on' as const };
    await expectBlocked(writer.call(updateDog, { params: { id }, body }), 'dog_name', 'name');
    expect(await logOf(admin, writer)).toMatchObject([
      {
        message_id: null,
        content_type: 'dog_name',
        content_id: id,
        user: { user_id: writer.user.id, name: 'Writer' },
        moderation_type: 'rule',
        flagged_content: BAD,
        severity: 'critical',
        action_taken: 'blocked',
        review: null,
      },
    ]);
  });
});

test('accepts flagged words and logs them once', async () => {
  await addRule(admin, 'persimmon', 'flag');
  const writer = await api.as('flagged@example.com');
  await makeProfile(writer);
  const fields = { name: 'Persimmon Park', latitude: 15, longitude: 34 };
  const place = await makePlace(writer, fields);
  const params = { id: place.id };
  await writer.call(updateLocation, { params, body: { ...fields, water_available: true } });
  expect(await logOf(admin, writer)).toMatchObject([
    {
      content_type: 'location',
      content_id: place.id,
      flagged_content: 'Persimmon Park',
      action_taken: 'flagged',
    },
  ]);
});

test('a display name from before a rule does not prevent its owner from changing other settings', async () => {
  const writer = await api.as('earlier@example.com');
  await makeProfile(writer, { display_name: 'Medlar' });
  await addRule(admin, 'medlar', 'block');
  const saved = await makeProfile(writer, {
    display_name: 'Medlar',
    is_location_sharing_enabled: false,
  });
  expect(saved.is_location_sharing_enabled).toBe(false);
});

describe('an account that the servers flag', () => {
  const REASON = 'Possible location scraping';
  const flag = (details: string) => flagAccount({ db: api.db }, author.user.id, REASON, details);
  const entries = async () =>
    (await admin.call(listReports, { query: { subject_type: 'account' } })).reports;

  test('creates one open queue entry per reason, and another one after a decision', async () => {
    await Promise.all([flag('61 strangers'), flag('62 strangers')]);
    await flag('90 strangers');
    const [entry, ...others] = await entries();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      subject_type: 'account',
      description: REASON,
      status: 'pending',
      message_id: null,
      reporter: { user_id: '', name: null },
      reported: { user_id: author.user.id },
    });
    const params = { id: entry?.id ?? '' };
    const { flags, evidence } = await admin.call(getReport, { params });
    expect(flags.map(({ details }) => details)).toHaveLength(3);
    expect(flags.at(-1)?.details).toBe('90 strangers');
    expect(evidence.messages).toEqual([]);

    const seen = { version: 0, status: 'reviewed' as const };
    await admin.call(decideReport, { params, body: seen });
    await flag('91 strangers');
    expect(await entries()).toHaveLength(1);
    const dismissed = { version: 1, status: 'dismissed' as const };
    await admin.call(decideReport, { params, body: dismissed });
    await flag('92 strangers');
    expect((await entries()).map(({ status }) => status)).toEqual(['pending', 'dismissed']);
  });
});

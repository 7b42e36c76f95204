import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import { getDogFriendlyIndex, getUserFriendlyIndex } from '#shared/friendly-index/contract.ts';
import { DAYS_A_PERSON } from '#shared/friendly-index/scores.ts';
import { createFriendRequest, respondToFriendRequest } from '#shared/friends/contract.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeDog, makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';
import { daysAgo, joinedDaysAgo, recordEncounters, wholeDay } from './backdate.ts';

let api: TestApi;
beforeAll(async () => {
  await wholeDay();
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

let count = 0;
/** Creates a user with a profile who joined this many days ago. */
async function person(name: string, days = 100): Promise<TestPerson> {
  const someone = await api.as(`${name}.${++count}@example.com`);
  await makeProfile(someone, { display_name: name });
  await joinedDaysAgo(api.db, someone, days);
  return someone;
}

async function befriend(one: TestPerson, other: TestPerson): Promise<void> {
  const body = { receiver_user_id: other.user.id };
  const { friend_request } = await one.call(createFriendRequest, { body });
  await other.call(respondToFriendRequest, {
    body: { request_id: friend_request.id, action: 'accept' },
  });
}

/** Adds a dog that a device created this many days ago. */
async function oldDog(
  owner: TestPerson,
  id: string,
  days: number,
  fields: { name?: string; sound_type?: 'leash_on' | 'leash_off' } = {},
): Promise<void> {
  const created_at = daysAgo(days).toISOString();
  const dog = { name: 'Rex', sound_type: 'leash_off', id, created_at, ...fields };
  await api.change(owner.user.documents.card, 'dog.add', dog);
  await expect
    .poll(() => api.db.collection('cards').countDocuments({ 'dogs.id': id }))
    .toBeGreaterThan(0);
}

const dogIndex = (who: TestPerson, id: string, owner?: TestPerson) =>
  who.call(getDogFriendlyIndex, { params: { id }, query: { owner_user_id: owner?.user.id } });
const ownerIndex = (who: TestPerson, whose: TestPerson) =>
  who.call(getUserFriendlyIndex, { params: { id: whose.user.id } });

describe('the friendly index', () => {
  test('the index of a new owner has starting values in every field', async () => {
    const alex = await person('Alex', 0);
    const dog = await makeDog(alex, { name: 'Bella', sound_type: 'leash_off' });
    expect(await dogIndex(alex, dog.id)).toEqual({
      dog_name: 'Bella',
      tier: 'bronze',
      overall_score: 10,
      is_friendly_type: true,
      days_since_added: 0,
      proximity_encounters: 0,
      unique_dogs_encountered: 0,
      incoming_encounters: 0,
      unique_visitors: 0,
      dog_sociability_score: 0,
      owner_community_score: 0,
      safety_score: 50,
      owner_name: 'Alex',
      owner_friends: 0,
      owner_days_active: 0,
      reports_received: 0,
      blocks_received: 0,
    });
    const none = await person('Nobody', 0);
    expect(await ownerIndex(none, none)).toMatchObject({
      tier: 'bronze',
      overall_score: 10,
      total_dogs: 0,
      average_dog_score: 0,
      best_dog_score: 0,
      dog_scores: [],
      total_encounters: 0,
      positive_interactions: 0,
      total_interactions: 0,
    });
  });

  test('computes the index from days, encounters, friends, reports, and blocks', async () => {
    const [alex, sam, kim, lee] = await Promise.all([
      person('Alex'),
      person('Sam'),
      person('Kim', 15),
      person('Lee'),
    ]);
    await oldDog(alex, 'alex-old', 100, { name: 'Bella' });
    await oldDog(alex, 'alex-new', 3, { name: 'Rex', sound_type: 'leash_on' });
    await makeDog(sam);
    await makeDog(sam);
    await makeDog(kim);
    await recordEncounters(api.db, [
      // Alex approaches Sam on three days, on one of them a hundred times. Sam approaches Alex on one day.
      ...[40, 30, 2].map((days) => [alex, sam, days] as const),
      ...Array.from({ length: 100 }, () => [alex, sam, 30] as const),
      [sam, alex, 2],
      [kim, alex, 20],
      // One is too old, and one is of the current day.
      [lee, alex, 400],
      [lee, alex, 0],
    ]);
    await befriend(alex, sam);
    await befriend(alex, lee);
    await lee.call(createBlock, { body: { blocked_user_id: kim.user.id } });
    const report = (reporter_user_id: string, status: string) => ({
      reporter_user_id,
      reported_user_id: alex.user.id,
      status,
    });
    await api.db
      .collection('message_reports')
      .insertMany([
        report(sam.user.id, 'resolved'),
        report(sam.user.id, 'resolved'),
        report(kim.user.id, 'pending'),
        report(kim.user.id, 'reviewed'),
        report(lee.user.id, 'dismissed'),
      ]);

    const bella = await dogIndex(alex, 'alex-old');
    expect(bella).toEqual({
      dog_name: 'Bella',
      tier: 'bronze',
      overall_score: 23,
      is_friendly_type: true,
      days_since_added: 100,
      proximity_encounters: 4,
      unique_dogs_encountered: 3,
      incoming_encounters: 2,
      unique_visitors: 2,
      // Sam counts in full on three days, and Kim half on one: 4 * (2 / log2(9) + 0.5 / log2(9)).
      dog_sociability_score: 3,
      // Sam, whom Alex met, and half for Lee: 5 + 2.5 + 15, rounded.
      owner_community_score: 23,
      safety_score: 75,
      owner_name: 'Alex',
      owner_friends: 2,
      owner_days_active: 100,
      reports_received: 1,
      blocks_received: 0,
    });
    expect(await dogIndex(alex, 'alex-new')).toMatchObject({
      dog_name: 'Rex',
      is_friendly_type: false,
      days_since_added: 3,
      proximity_encounters: 1,
      unique_dogs_encountered: 2,
      incoming_encounters: 1,
      unique_visitors: 1,
      dog_sociability_score: 1,
      owner_community_score: 23,
      // 50 + 50 * 3 / 60 - 25, rounded.
      safety_score: 28,
      overall_score: 13,
    });
    expect(await ownerIndex(alex, alex)).toEqual({
      tier: 'bronze',
      overall_score: 23,
      total_dogs: 2,
      friendly_dogs: 1,
      cautious_dogs: 1,
      average_dog_score: 18,
      best_dog_score: 23,
      dog_scores: [
        {
          dog_id: 'alex-old',
          dog_name: 'Bella',
          tier: 'bronze',
          sound_type: 'leash_off',
          overall_score: 23,
        },
        {
          dog_id: 'alex-new',
          dog_name: 'Rex',
          tier: 'bronze',
          sound_type: 'leash_on',
          overall_score: 13,
        },
      ],
      total_encounters: 4,
      // The friends are Sam and Lee. Kim was met on one day only.
      positive_interactions: 2,
      total_interactions: 3,
      sociability_score: 3,
      community_score: 23,
      safety_score: 75,
      owner_friends: 2,
      owner_days_active: 100,
      reports_received: 1,
      blocks_received: 0,
    });
  });

  test('a dog that needs space gets the same index as a friendly one', async () => {
    const alex = await person('Alex');
    await oldDog(alex, 'needs-space', 50, { sound_type: 'leash_on' });
    await oldDog(alex, 'friendly', 50, { sound_type: 'leash_off' });
    await recordEncounters(api.db, [[await person('Sam'), alex, 10]]);
    const { is_friendly_type, ...rest } = await dogIndex(alex, 'needs-space');
    expect(is_friendly_type).toBe(false);
    expect(await dogIndex(alex, 'friendly')).toEqual({ ...rest, is_friendly_type: true });
  });

  test('two people who keep meeting each other gain little over someone who stays at home', async () => {
    const [alex, accomplice, alone] = await Promise.all([
      person('Alex', 30),
      person('Eve', 30),
      person('Alone', 30),
    ]);
    const month = Array.from({ length: 30 }, (_, day) => day + 1);
    const rounds = month.flatMap((day) => Array.from({ length: 50 }, () => day));
    await recordEncounters(
      api.db,
      rounds.map((day, i) => (i % 2 ? [alex, accomplice, day] : [accomplice, alex, day])),
    );
    await befriend(alex, accomplice);
    const [theirs, single] = await Promise.all([ownerIndex(alex, alex), ownerIndex(alone, alone)]);
    expect(theirs.total_encounters).toBe(DAYS_A_PERSON);
    expect(theirs.overall_score - single.overall_score).toBeLessThanOrEqual(4);
    expect(theirs.tier).toBe(single.tier);
  });

  test('counts blocks from the next day on, once per person met', async () => {
    const alex = await person('Alex');
    const others = await Promise.all(Array.from({ length: 5 }, () => person('Other')));
    await recordEncounters(
      api.db,
      others.map((other) => [other, alex, 5]),
    );
    const stranger = await person('Stranger');
    for (const other of [...others, stranger])
      await other.call(createBlock, { body: { blocked_user_id: alex.user.id } });
    const pairs = api.db.collection('pairs');
    const theirs = { users: alex.user.id };
    await pairs.updateMany(
      { ...theirs, users: { $all: [alex.user.id], $ne: others[0]!.user.id } },
      { $set: { 'blocks.0.created_at': daysAgo(1) } },
    );
    // Five users block: four that were met, of whom two don't count, and a stranger. One block is new.
    expect(await ownerIndex(alex, alex)).toMatchObject({ blocks_received: 5, safety_score: 90 });
  });
});

describe('access to the friendly index', () => {
  test('every member can read an index, but not the private counts of another owner', async () => {
    const [alex, sam] = await Promise.all([person('Alex'), person('Sam')]);
    await oldDog(alex, 'read-by-others', 10);
    await befriend(alex, sam);
    const ownerOnly = { reports_received: null, blocks_received: null, owner_friends: null };
    expect(await ownerIndex(sam, alex)).toMatchObject({ ...ownerOnly, total_dogs: 1 });
    expect(await dogIndex(sam, 'read-by-others')).toMatchObject({
      ...ownerOnly,
      owner_name: 'Alex',
    });
    expect(await ownerIndex(alex, alex)).toMatchObject({
      reports_received: 0,
      blocks_received: 0,
      owner_friends: 1,
    });
  });

  test('the index of a blocker looks nonexistent to the blocked user', async () => {
    const [alex, sam] = await Promise.all([person('Alex'), person('Sam')]);
    await oldDog(alex, 'hidden-dog', 10);
    expect((await dogIndex(sam, 'hidden-dog')).dog_name).toBe('Rex');
    await alex.call(createBlock, { body: { blocked_user_id: sam.user.id } });
    const noUser = { error: 'User not found', code: 'not_found' };
    const noDog = { error: 'Dog not found', code: 'not_found' };
    await expectRefused(ownerIndex(sam, alex), 404, noUser);
    await expectRefused(dogIndex(sam, 'hidden-dog'), 404, noDog);
    await expectRefused(dogIndex(sam, 'hidden-dog', alex), 404, noDog);
    // The blocker can still see it.
    expect((await ownerIndex(alex, sam)).total_dogs).toBe(0);
    const made = { params: { id: 'made-up' } };
    await expectRefused(sam.call(getUserFriendlyIndex, made), 404, noUser);
    await expectRefused(sam.call(getDogFriendlyIndex, made), 404, noDog);
  });

  test('refuses overlong ids', async () => {
    const alex = await person('Alex');
    const params = { id: 'x'.repeat(65) };
    const refused = { error: 'Invalid input', code: 'invalid_input' };
    await expectRefused(alex.call(getUserFriendlyIndex, { params }), 400, refused);
    await expectRefused(alex.call(getDogFriendlyIndex, { params }), 400, refused);
  });

  test('the owner id distinguishes dogs with copied ids', async () => {
    const [alex, eve, sam] = await Promise.all([person('Alex'), person('Eve'), person('Sam')]);
    await oldDog(alex, 'copied', 10, { name: 'Bella' });
    await oldDog(eve, 'copied', 10, { name: 'Wolf' });
    await expect
      .poll(() => api.db.collection('cards').countDocuments({ 'dogs.id': 'copied' }))
      .toBe(2);
    expect((await dogIndex(alex, 'copied')).dog_name).toBe('Bella');
    expect((await dogIndex(sam, 'copied', alex)).dog_name).toBe('Bella');
    await expectRefused(dogIndex(sam, 'copied'), 404, { error: 'Dog not found' });
  });

  test('a dog is never older than its owner’s account or from the future', async () => {
    const alex = await person('Alex', 7);
    await oldDog(alex, 'backdated', 5_000);
    await oldDog(alex, 'postdated', -5_000);
    expect((await dogIndex(alex, 'backdated')).days_since_added).toBe(7);
    expect((await dogIndex(alex, 'postdated')).days_since_added).toBe(0);
  });
});

test('deleting the account deletes the index and its effect on others', async () => {
  const [alex, sam] = await Promise.all([person('Alex'), person('Sam')]);
  await recordEncounters(api.db, [[alex, sam, 5]]);
  const rows = api.db.collection('acquaintances');
  expect(await rows.countDocuments({ users: alex.user.id })).toBe(1);
  await alex.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  expect(await rows.countDocuments({ users: alex.user.id })).toBe(0);
  await expectRefused(ownerIndex(sam, alex), 404, { error: 'User not found' });
});

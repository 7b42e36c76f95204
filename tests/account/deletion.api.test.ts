import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import { createBlock, listBlocks } from '#shared/blocks/contract.ts';
import { createDog, uploadDogImage } from '#shared/dogs/contract.ts';
import { createFriendRequest, listFriends } from '#shared/friends/contract.ts';
import { readContacts } from '#shared/friends/document.ts';
import { createInvitation, searchUsers } from '#shared/invitations/contract.ts';
import { createTip, createVisit, reportProblem, voteForTip } from '#shared/locations/contract.ts';
import { getProfile } from '#shared/profile/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { createReferral } from '#shared/referrals/contract.ts';
import { me } from '#shared/session/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { readWeather } from '#shared/weather/contract.ts';
import type { AdvertiserRow } from '../../api/features/advertisers/collections.ts';
import { plannedWalks, type PlannedWalkRow } from '../../api/features/planned-walks/collections.ts';
import { signUp } from '../advertisers/sign-up.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { say, createMember } from '../chat/talk.ts';
import { makeDog, makeProfile } from '../factories.ts';
import { befriend } from '../friends/befriend.ts';
import { makePlace } from '../locations/made-places.ts';
import { expectRefused } from '../refusals.ts';
import { findTracesIn } from './find-personal-data.ts';

// Both servers restart in some tests.
vi.setConfig({ testTimeout: 60_000 });

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const confirm = { confirmation: 'delete my account' };
/** Backdates the deletion by a minute and runs the job that then removes the row. */
async function finishDeletion(userId: string, ago = 61_000): Promise<void> {
  await api.db
    .collection<{ _id: string }>('users')
    .updateOne({ _id: userId }, { $set: { deleted_at: new Date(Date.now() - ago) } });
  await api.runJobs();
  await expect.poll(() => rowOf(userId)).toBeNull();
}
const rowOf = (userId: string) =>
  api.db.collection<{ _id: string }>('users').findOne({ _id: userId });

/** Ignores signals: they are a small capped collection that only holds the last few thousand changes. */
const findTraces = async (texts: string[]) =>
  (await findTracesIn(api.db, texts)).filter((trace) => !trace.startsWith('signals: '));

/** Creates a user with data in every collection. */
async function createUserWithData(email: string, neighbor: TestPerson): Promise<TestPerson> {
  const person = await api.as(email);
  await makeProfile(person);
  const { id } = await makeDog(person);
  const pixel = { width: 8, height: 8, channels: 3 as const, background: '#a05' };
  const file = new Blob([await sharp({ create: pixel }).png().toBuffer()]);
  await person.call(uploadDogImage, { params: { id }, file });
  await person.call(createDog, {
    body: { name: 'Twice', sound_type: 'leash_off' },
    idempotencyKey: 'a-key',
  });
  const here = { latitude: 47.1234, longitude: 8.5432 };
  await neighbor.call(reportLocation, { body: here });
  await person.call(reportLocation, { body: here });
  await expect
    .poll(() =>
      api.db.collection('proximity_events').countDocuments({ sender_user_id: person.user.id }),
    )
    .toBe(1);
  const invite = (from: TestPerson, recipient_email: string) =>
    from.call(createReferral, { body: { referral_method: 'email', recipient_email } });
  await invite(person, 'friend@example.com');
  await invite(neighbor, email);
  const code = async (from: TestPerson, invited_email: string) =>
    (await from.call(createInvitation, { body: { invited_email } })).invitation.invitation_code;
  await code(person, 'friend@example.com');
  const invitation_code = await code(neighbor, email);
  await person.call(searchUsers, { body: { query: 'nobody', invitation_code } });
  // Only friends can plan walks together.
  const planWalk = (organizer: TestPerson, participant: TestPerson): PlannedWalkRow => ({
    _id: randomUUID(),
    organizer_user_id: organizer.user.id,
    starts_at: new Date(Date.now() + DAY_MS),
    place_name: 'Green',
    location_id: null,
    place: here,
    note: '',
    participants: [{ user_id: participant.user.id, answer: 'yes', answered_at: new Date() }],
    canceled_at: null,
    created_at: new Date(),
    changed_at: new Date(),
  });
  await plannedWalks(api.db).insertMany([planWalk(person, neighbor), planWalk(neighbor, person)]);
  await person.call(createBlock, { body: { blocked_user_id: neighbor.user.id } });
  await person.call(readWeather, { body: here });
  const green = await makePlace(neighbor, { name: 'Green', ...here });
  const about = { location_id: green.id };
  const note = { ...about, title: 'Shade', content: 'Oaks.' };
  const { tip } = await neighbor.call(createTip, { body: note });
  await person.call(voteForTip, { params: { id: tip.id }, body: { is_helpful: true } });
  await person.call(createTip, { body: note });
  await person.call(createVisit, { body: { ...about, rating: 4 } });
  await person.call(reportProblem, { body: { ...about, report_type: 'other' } });
  await makePlace(person, { name: 'Own Corner', ...here });
  const shared = await makePlace(person, { name: 'Shared Field', ...here });
  await neighbor.call(createVisit, { body: { location_id: shared.id } });
  return person;
}

test('a deleted account leaves no trace in any collection', async () => {
  const neighbor = await api.as('neighbor@example.com');
  await makeProfile(neighbor);
  const person = await createUserWithData('gone@example.com', neighbor);
  const otherDevice = await api.as('gone@example.com');
  const marks = [person.user.id, 'gone@example.com', person.user.documents.card.slice(10)];
  expect((await findTraces(marks)).length).toBeGreaterThan(8);

  expect(await person.call(deleteAccount, { body: confirm })).toEqual({});

  await expectRefused(person.call(me), 401, { code: 'signed_out' });
  await expectRefused(otherDevice.call(me), 401, {
    code: 'account_deleted',
    error: 'This account has been deleted',
  });
  expect(await findTraces(marks)).toEqual([`users: "${person.user.id}"`]);
  expect(await api.db.collection('images.chunks').countDocuments()).toBe(0);

  await finishDeletion(person.user.id);
  expect(await findTraces(marks)).toEqual([]);
  await expectRefused(otherDevice.call(me), 401, { code: 'account_deleted' });
});

test('removes a deleted user from the lists of friends, invited users, and blockers', async () => {
  const [leaver, friend, asked, blocker] = await Promise.all(
    ['leaver', 'friend', 'asked', 'blocker'].map(async (name) => {
      const person = await api.as(`${name}@example.com`);
      await makeProfile(person);
      return person;
    }),
  );
  if (!leaver || !friend || !asked || !blocker) throw new Error('a user is missing');
  const ask = (whom: TestPerson) =>
    leaver.call(createFriendRequest, { body: { receiver_user_id: whom.user.id } });
  await ask(asked);
  await ask(friend);
  // A request in return accepts the first one.
  await friend.call(createFriendRequest, { body: { receiver_user_id: leaver.user.id } });
  await blocker.call(createBlock, { body: { blocked_user_id: leaver.user.id } });
  const others = [friend, asked, blocker];
  const documents = () =>
    Promise.all(
      others.map(async ({ user }) => JSON.stringify(await api.document(user.documents.contacts))),
    );
  for (const document of await documents()) expect(document).toContain(leaver.user.id);

  await leaver.call(deleteAccount, { body: confirm });
  for (const document of await documents()) expect(document).not.toContain(leaver.user.id);
  expect((await friend.call(listFriends)).friends).toEqual([]);
  expect(await blocker.call(listBlocks)).toEqual({ blocks: [] });
  await finishDeletion(leaver.user.id);
  expect(await api.db.collection('pairs').countDocuments({ users: leaver.user.id })).toBe(0);
});

test('signing in again after deletion starts a new account, even before the deletion finishes', async () => {
  const before = await api.as('again@example.com');
  await makeProfile(before);
  await before.call(deleteAccount, { body: confirm });
  const after = await api.as('again@example.com');
  expect(after.user.id).not.toBe(before.user.id);
  await expectRefused(after.call(getProfile), 404, { error: 'Profile not found' });
  await makeProfile(after);
  await finishDeletion(before.user.id);
  expect(await after.call(getProfile)).toMatchObject({ user_id: after.user.id });
});

test('data created later with the same email survives a repeated deletion', async () => {
  const email = 'anew@example.com';
  const before = await api.as(email);
  const old = await signUp(api, { email });
  await before.call(deleteAccount, { body: confirm });
  const secondAccount = await signUp(api, { email });
  const neighbor = await createMember(api, 'Neighbor');
  await neighbor.call(createInvitation, { body: { invited_email: email } });
  await finishDeletion(before.user.id, 10 * 60_000);
  const emailOf = async (id: string) =>
    (await api.db.collection<AdvertiserRow>('advertisers').findOne({ _id: id }))?.email;
  expect([await emailOf(old.id), await emailOf(secondAccount.id)]).toEqual([null, email]);
  expect(
    await api.db.collection('search_invitations').countDocuments({ invited_email: email }),
  ).toBe(1);
});

test('resumes a deletion when the unavailable sync server is back', async () => {
  const person = await api.as('interrupted@example.com');
  await makeProfile(person);
  const friend = await createMember(api, 'Kim');
  await befriend(person, friend);
  await say(person, friend, 'what went before');
  const friends = async () =>
    readContacts(await api.document(friend.user.documents.contacts)).friends;
  expect(await friends()).toHaveLength(1);
  await api.stopSync();
  await person.call(deleteAccount, { body: confirm });
  await expectRefused(person.call(me), 401, { code: 'signed_out' });
  await api.db
    .collection<{ _id: string }>('users')
    .updateOne({ _id: person.user.id }, { $set: { deleted_at: new Date(Date.now() - 61_000) } });
  await api.restartApi();
  await expect.poll(() => findTraces([person.user.id])).toContain(`users: "${person.user.id}"`);
  await api.startSync();
  await finishDeletion(person.user.id);
  expect(await friends()).toEqual([]);
  // A document retains its history, like the contacts document of a friend.
  const own = Object.values(person.user.documents).map((url) => url.replace('automerge:', ''));
  const remainingLogs = api.db
    .collection('document_log')
    .find({ 'entries.document': { $in: own } });
  expect(await remainingLogs.toArray()).toEqual([]);
  const left = await findTraces([person.user.id, 'interrupted@example.com']);
  expect(left.filter((trace) => !trace.startsWith('document_log: '))).toEqual([]);
});

test('deletes an account only with the confirmation text', async () => {
  const person = await api.as('careful@example.com');
  for (const confirmation of ['', 'yes', 'delete'])
    await expectRefused(person.call(deleteAccount, { body: { confirmation } }), 400, {
      error: 'Type "delete my account" to confirm',
    });
  await expectRefused(person.call(deleteAccount, { body: {} as typeof confirm }), 400, {
    error: 'Required',
  });
  expect(await person.call(me)).toMatchObject({ id: person.user.id });
  await person.call(deleteAccount, { body: { confirmation: '  Delete my ACCOUNT ' } });
  await expectRefused(person.call(me), 401, { code: 'signed_out' });
});

test('users without access can delete their accounts, too', async () => {
  const outside = await api.as('outside@example.com', { access: false });
  await outside.call(deleteAccount, { body: confirm });
  await expectRefused(outside.call(me), 401, { code: 'signed_out' });
});

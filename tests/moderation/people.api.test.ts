import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { deleteAccount, DELETION_WORDS } from '#shared/account/contract.ts';
import { auditLog } from '#shared/admin/contract.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import { listMessages } from '#shared/chat/contract.ts';
import { listDogs, uploadDogImage } from '#shared/dogs/contract.ts';
import {
  createFriendRequest,
  deleteFriend,
  listFriendRequests,
  respondToFriendRequest,
} from '#shared/friends/contract.ts';
import { readContacts } from '#shared/friends/document.ts';
import { createTip } from '#shared/locations/contract.ts';
import {
  decideReport,
  getReport,
  issueWarning,
  listReports,
  type ContentAct,
} from '#shared/moderation/admin-contract.ts';
import { listWarnings, reportContent } from '#shared/moderation/contract.ts';
import { actOnPerson, findPeople, getPerson } from '#shared/moderation/people-contract.ts';
import {
  createPlannedWalk,
  listPlannedWalks,
  updatePlannedWalk,
} from '#shared/planned-walks/contract.ts';
import { getProfile, getUserProfile } from '#shared/profile/contract.ts';
import { readCard } from '#shared/profile/document.ts';
import { DAY_MS } from '#shared/time.ts';
import { flagAccount } from '../../api/features/moderation/flag-account.ts';
import { pairs } from '../../api/features/relationships/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeDog, makeProfile } from '../factories.ts';
import { befriend } from '../friends/befriend.ts';
import { makePlace } from '../locations/made-places.ts';
import { expectRefused } from '../refusals.ts';
import { addRule, logOf } from './visible-messages.ts';

let api: TestApi;
let admin: TestPerson;
let second: TestPerson;
let count = 0;
/** The person who is reported. */
let wolf: TestPerson;
let ann: TestPerson;

beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'), {
    ADMIN_EMAILS: 'admin@example.com, second@example.com',
  });
  admin = await api.asAdmin();
  second = await api.as('second@example.com');
});
afterAll(() => api.close());
beforeEach(async () => {
  const number = ++count;
  wolf = await api.as(`wolf${number}@example.com`);
  ann = await api.as(`ann${number}@example.com`);
  await makeProfile(wolf, { display_name: `Wolf ${number}` });
  await makeProfile(ann, { display_name: 'Ann' });
});

const WORDS = { report_type: 'harassment' as const, description: 'He shouts at everybody.' };
const ofPerson = (overrides: object = {}) => ({
  subject_type: 'person' as const,
  reported_user_id: wolf.user.id,
  ...WORDS,
  ...overrides,
});

async function picture(shade: number): Promise<Blob> {
  const create = {
    width: 8,
    height: 8,
    channels: 3 as const,
    background: { r: shade, g: 9, b: 9 },
  };
  return new Blob([new Uint8Array(await sharp({ create }).png().toBuffer())], {
    type: 'image/png',
  });
}

/** Creates a dog with a picture for `wolf`. */
async function pictured(name = 'Fang') {
  const { id } = await makeDog(wolf, { name });
  const file = await picture(200);
  const { dog } = await wolf.call(uploadDogImage, { params: { id }, file });
  return { id, image_key: dog.image_key ?? '' };
}

async function requested(message = 'Walk with me') {
  const body = { receiver_user_id: ann.user.id, message };
  return (await wolf.call(createFriendRequest, { body })).friend_request.id;
}

const fetchPicture = (person: TestPerson, key: string) =>
  person.jar.fetch(`${api.origin}/api/admin/pictures/${key}`);
const nameFor = async (viewer: TestPerson) =>
  (await viewer.call(getUserProfile, { params: { id: wolf.user.id } })).display_name;

describe('a report of a person', () => {
  test('stores copies of the name, the dogs and their pictures as evidence', async () => {
    const { image_key } = await pictured();
    const { report } = await ann.call(reportContent, { body: ofPerson() });
    expect(report).toMatchObject({
      subject_type: 'person',
      reporter_user_id: ann.user.id,
      reported_user_id: wolf.user.id,
      status: 'pending',
      ...WORDS,
    });
    await makeProfile(wolf, { display_name: 'Lamb' });
    const params = { id: report.id };
    const act = { type: 'remove_picture' as const, image_key };
    await admin.call(actOnPerson, { params: { id: wolf.user.id }, body: { act } });
    const { evidence } = await admin.call(getReport, { params });
    expect(evidence.person).toMatchObject({
      display_name: `Wolf ${count}`,
      dogs: [{ name: 'Fang', image_key }],
    });
    const copy = evidence.person?.dogs[0]?.picture ?? '';
    expect(copy).not.toBe(image_key);
    const answer = await fetchPicture(admin, copy);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(20);
    expect((await fetchPicture(ann, copy)).status).toBe(403);
    const files = `${api.origin}/api/files`;
    expect((await ann.jar.fetch(`${files}/${copy}`)).status).toBe(404);
    const { reports } = await admin.call(listReports, {
      query: { subject_type: 'person', reported_user_id: wolf.user.id },
    });
    expect(reports.map(({ id }) => id)).toEqual([report.id]);
  });

  test('adds further reports to the pending one, and creates a new one after a decision', async () => {
    const first = (await ann.call(reportContent, { body: ofPerson() })).report;
    const more = ofPerson({ report_type: 'spam', description: 'And he sells things.' });
    const again = (await ann.call(reportContent, { body: more })).report;
    expect(again).toMatchObject({
      id: first.id,
      description: 'He shouts at everybody.\n\n(spam) And he sells things.',
    });
    const body = { version: 1, status: 'dismissed' as const };
    await admin.call(decideReport, { params: { id: first.id }, body });
    const next = (await ann.call(reportContent, { body: more })).report;
    expect(next.id).not.toBe(first.id);
    expect(next.status).toBe('pending');
  });

  test('allows reports only about people whom the reporter may see', async () => {
    const missing = { error: 'User not found', code: 'not_found' };
    const report = (person: TestPerson, reported_user_id: string) =>
      person.call(reportContent, { body: ofPerson({ reported_user_id }) });
    await expectRefused(report(ann, ann.user.id), 404, missing);
    await expectRefused(report(ann, 'nobody'), 404, missing);
    await wolf.call(createBlock, { body: { blocked_user_id: ann.user.id } });
    await expectRefused(report(ann, wolf.user.id), 404, missing);
  });

  test('rejects a report of a person without a valid type and a description of 10 to 500 characters', async () => {
    const wrong = (overrides: object) => ann.call(reportContent, { body: ofPerson(overrides) });
    await expectRefused(wrong({ description: 'too short' }), 400);
    await expectRefused(wrong({ description: 'x'.repeat(501) }), 400);
    await expectRefused(wrong({ report_type: 'boring' }), 400);
    await expectRefused(wrong({ subject_type: 'account' }), 400);
  });
});

describe('a report of a picture', () => {
  const ofPicture = (image_key: string) =>
    ann.call(reportContent, {
      body: {
        subject_type: 'picture',
        reported_user_id: wolf.user.id,
        image_key,
        ...WORDS,
      },
    });

  test('a moderator sees the reported picture as evidence and removes it', async () => {
    const { id: dogId, image_key } = await pictured();
    await pictured('Rex');
    const { report } = await ofPicture(image_key);
    const params = { id: report.id };
    const { evidence } = await admin.call(getReport, { params });
    expect(evidence.image_key).toBe(image_key);
    // Only the reported one is copied.
    expect(evidence.person?.dogs.map(({ picture: copy }) => copy !== null)).toEqual([true, false]);

    const acts: ContentAct[] = [{ type: 'remove_picture', image_key }];
    const body = { version: 0, status: 'resolved' as const, acts };
    const decided = await admin.call(decideReport, { params, body });
    expect(decided.report.status).toBe('resolved');
    expect((await admin.call(decideReport, { params, body })).report).toEqual(decided.report);
    const { dogs } = await wolf.call(listDogs);
    expect(dogs.find(({ id }) => id === dogId)?.image_key).toBeNull();
    expect((await fetchPicture(admin, image_key)).status).toBe(404);
    const { warnings } = await wolf.call(listWarnings);
    expect(warnings.map(({ reason }) => reason)).toEqual([
      'We removed one of your photos. It contains content that violates our community guidelines.',
    ]);
    expect(await logOf(admin, wolf)).toMatchObject([
      { content_type: 'picture', moderation_type: 'report', action_taken: 'deleted' },
    ]);
  });

  test('allows reports only about pictures on the profile of the reported person', async () => {
    const missing = { error: 'Photo not found' };
    await expectRefused(ofPicture('no-such-key'), 404, missing);
    const { id } = await makeDog(ann);
    const { dog } = await ann.call(uploadDogImage, { params: { id }, file: await picture(3) });
    await expectRefused(ofPicture(dog.image_key ?? ''), 404, missing);
  });

  test('rejects actions on content that is not in the report', async () => {
    const { image_key } = await pictured();
    const { report } = await ofPicture(image_key);
    const params = { id: report.id };
    const acts: ContentAct[] = [{ type: 'remove_picture', image_key: 'another' }];
    const body = { version: 0, status: 'resolved' as const, acts };
    await expectRefused(admin.call(decideReport, { params, body }), 400, {
      error: 'This isn’t part of the report',
    });
    const dismissed = { version: 0, status: 'dismissed' as const, acts };
    await expectRefused(admin.call(decideReport, { params, body: dismissed }), 400);
  });
});

describe('a report of a friend request', () => {
  const ofRequest = (person: TestPerson, request_id: string) =>
    person.call(reportContent, {
      body: {
        subject_type: 'friend_request',
        reported_user_id: wolf.user.id,
        request_id,
        ...WORDS,
      },
    });

  test('keeps the text of a friend request as evidence after the request was answered and its text deleted', async () => {
    const request_id = await requested();
    const respond = { body: { request_id, action: 'deny' as const } };
    await ann.call(respondToFriendRequest, respond);
    const { report } = await ofRequest(ann, request_id);
    const params = { id: report.id };
    const { evidence } = await admin.call(getReport, { params });
    expect(evidence.friend_request).toMatchObject({ id: request_id, message: 'Walk with me' });
    const acts: ContentAct[] = [{ type: 'delete_request_text', request_id }];
    const body = { version: 0, status: 'resolved' as const, acts };
    await admin.call(decideReport, { params, body });
    expect((await admin.call(getReport, { params })).evidence.friend_request?.message).toBe(
      'Walk with me',
    );
  });

  test('deleting the text of a friend request removes it from both lists and the contacts documents', async () => {
    const request_id = await requested();
    const act = { type: 'delete_request_text' as const, request_id };
    await admin.call(actOnPerson, { params: { id: wolf.user.id }, body: { act } });
    expect((await ann.call(listFriendRequests)).received[0]?.message).toBeNull();
    expect((await wolf.call(listFriendRequests)).sent[0]?.message).toBeNull();
    await expect
      .poll(async () => {
        const contacts = readContacts(await api.document(ann.user.documents.contacts));
        return contacts.received.map(({ message }) => message);
      })
      .toEqual([null]);
  });

  test.each([
    ['', false],
    [', after a failure halfway', true],
  ])('deleting the text of an accepted request removes it from the thread%s', async (_, isHalf) => {
    const request_id = await requested();
    await ann.call(respondToFriendRequest, { body: { request_id, action: 'accept' } });
    const texts = async () =>
      (
        await ann.call(listMessages, { params: { friendUserId: wolf.user.id }, query: {} })
      ).messages.map(({ message_text }) => message_text);
    expect(await texts()).toEqual(['Walk with me']);
    if (isHalf)
      await pairs(api.db).updateOne(
        { 'request.id': request_id },
        { $set: { 'request.message': null } },
      );
    const act = { type: 'delete_request_text' as const, request_id };
    await admin.call(actOnPerson, { params: { id: wolf.user.id }, body: { act } });
    expect(await texts()).toEqual([]);
    const pair = await pairs(api.db).findOne({ 'request.id': request_id });
    expect(pair?.request?.message).toBeNull();
  });

  test('allows only the receiver to report a friend request', async () => {
    const request_id = await requested();
    const stranger = await api.as(`stranger${count}@example.com`);
    await makeProfile(stranger);
    const missing = { error: 'Friend request not found' };
    await expectRefused(ofRequest(stranger, request_id), 404, missing);
    await expectRefused(ofRequest(ann, 'no-such-request'), 404, missing);
  });
});

describe('a report of a planned walk', () => {
  const ofWalk = (person: TestPerson, planned_walk_id: string, organizer = wolf) =>
    person.call(reportContent, {
      body: {
        subject_type: 'planned_walk',
        reported_user_id: organizer.user.id,
        planned_walk_id,
        ...WORDS,
      },
    });
  const fields = () => ({
    starts_at: new Date(Date.now() + DAY_MS).toISOString(),
    place_name: 'Dark Alley',
    note: 'Come alone',
    participant_ids: [ann.user.id],
  });

  /** Plans a walk of `wolf` to which `ann` is invited. */
  async function planned(): Promise<string> {
    await befriend(wolf, ann);
    const id = randomUUID();
    await wolf.call(createPlannedWalk, { body: { id, ...fields() } });
    return id;
  }

  test('shows moderators the walk as it was, and lets them remove it for everyone', async () => {
    const id = await planned();
    const { report } = await ofWalk(ann, id);
    expect(report).toMatchObject({ subject_type: 'planned_walk', status: 'pending' });
    const body = { ...fields(), place_name: 'Rose Garden', note: '' };
    await wolf.call(updatePlannedWalk, { params: { id }, body });
    const { reports } = await admin.call(listReports, {
      query: { subject_type: 'planned_walk', reported_user_id: wolf.user.id },
    });
    expect(reports.map((each) => each.id)).toEqual([report.id]);
    const params = { id: report.id };
    const { evidence } = await admin.call(getReport, { params });
    expect(evidence.planned_walk).toMatchObject({
      id,
      place_name: 'Dark Alley',
      note: 'Come alone',
    });

    const decide = (planned_walk_id: string) =>
      admin.call(decideReport, {
        params,
        body: {
          version: 0,
          status: 'resolved',
          acts: [{ type: 'remove_planned_walk', planned_walk_id }],
        },
      });
    await expectRefused(decide(randomUUID()), 400, { error: 'This isn’t part of the report' });
    await decide(id);
    for (const person of [wolf, ann])
      expect((await person.call(listPlannedWalks)).planned_walks).toEqual([]);
    const { warnings } = await wolf.call(listWarnings);
    expect(warnings.map(({ reason }) => reason)).toEqual([
      'We removed one of your planned walks. It contains content that violates our community guidelines.',
    ]);
    expect(await logOf(admin, wolf)).toMatchObject([
      { content_type: 'planned_walk', moderation_type: 'report', action_taken: 'deleted' },
    ]);
  });

  test('allows only invited friends to report a planned walk, and only to report its organizer', async () => {
    const id = await planned();
    const missing = { error: 'Planned walk not found' };
    const stranger = await api.as(`stranger${count}@example.com`);
    await makeProfile(stranger);
    await expectRefused(ofWalk(stranger, id), 404, missing);
    await expectRefused(ofWalk(ann, id, stranger), 404, missing);
    await expectRefused(ofWalk(ann, randomUUID()), 404, missing);
    await expectRefused(ofWalk(wolf, id), 404);
    await ann.call(deleteFriend, { params: { friendUserId: wolf.user.id } });
    await expectRefused(ofWalk(ann, id), 404, missing);
  });
});

describe('a hidden name', () => {
  const act = (each: ContentAct) =>
    admin.call(actOnPerson, { params: { id: wolf.user.id }, body: { act: each } });

  test('replaces a hidden name for others, but not for its owner and moderators, until it changes', async () => {
    const name = `Wolf ${count}`;
    await requested();
    await makeDog(wolf, { name: 'Fang' });
    await act({ type: 'hide_name', name });
    await act({ type: 'hide_name', name: 'Fang' });
    const { display_name, dogs } = await ann.call(getUserProfile, {
      params: { id: wolf.user.id },
    });
    expect([display_name, ...dogs.map((dog) => dog.name)]).toEqual(['Dog owner', 'Dog']);
    expect((await ann.call(listFriendRequests)).received[0]?.sender_name).toBe('Dog owner');
    await expect
      .poll(async () => {
        const contacts = readContacts(await api.document(ann.user.documents.contacts));
        return contacts.received.map((person) => person.name);
      })
      .toEqual(['Dog owner']);
    expect((await wolf.call(getProfile)).display_name).toBe(name);
    expect((await wolf.call(listDogs)).dogs[0]?.name).toBe('Fang');
    const opened = await admin.call(getPerson, { params: { id: wolf.user.id } });
    expect(opened.account.name).toBe(name);
    expect(opened).toMatchObject({ is_name_hidden: true, dogs: [{ is_hidden: true }] });
    const { warnings } = await wolf.call(listWarnings);
    expect(warnings[0]?.reason).toContain('“Fang”');

    await makeProfile(wolf, { display_name: 'Lamb' });
    expect(await nameFor(ann)).toBe('Lamb');
    await makeProfile(wolf, { display_name: name });
    expect(await nameFor(ann)).toBe('Dog owner');
  });

  test('replaces a hidden name on friends’ devices', async () => {
    await befriend(wolf, ann);
    await makeDog(wolf, { name: 'Fang' });
    const names = async () => {
      const [friend] = readContacts(await api.document(ann.user.documents.contacts)).friends;
      const { display_name, dogs } = readCard(await api.document(friend?.card ?? ''));
      return [friend?.name, display_name, dogs.map((dog) => dog.name).join()];
    };
    const name = `Wolf ${count}`;
    await expect.poll(names).toEqual([name, name, 'Fang']);
    await act({ type: 'hide_name', name });
    await act({ type: 'hide_name', name: 'Fang' });
    await expect.poll(names).toEqual(['Dog owner', 'Dog owner', 'Dog']);
    await act({ type: 'show_name', name });
    await expect.poll(names).toEqual([name, name, 'Dog']);
  });

  test('a moderator can show a hidden name again', async () => {
    const name = `Wolf ${count}`;
    await act({ type: 'hide_name', name });
    await act({ type: 'show_name', name });
    expect(await nameFor(ann)).toBe(name);
  });

  test('hides blocked names that come from a device, warns their owner and logs them', async () => {
    await addRule(admin, 'kumquat', 'block');
    const name = 'Kumquat';
    await makeDog(wolf, { name: 'Fang' });
    const [dog] = (await wolf.call(listDogs)).dogs;
    const { card } = wolf.user.documents;
    await api.change(card, 'profile.save', { display_name: name });
    await api.change(card, 'dog.edit', { id: dog?.id, name: `${name} II` });
    await expect.poll(() => nameFor(ann)).toBe('Dog owner');
    await expect
      .poll(async () => (await ann.call(getUserProfile, { params: { id: wolf.user.id } })).dogs)
      .toMatchObject([{ name: 'Dog' }]);
    await expect
      .poll(async () => (await logOf(admin, wolf)).map((entry) => entry.flagged_content))
      .toEqual(expect.arrayContaining([name, `${name} II`]));
    expect(await logOf(admin, wolf)).toMatchObject(
      Array.from({ length: 2 }, () => ({ action_taken: 'hidden', message_id: null })),
    );
    await expect.poll(async () => (await wolf.call(listWarnings)).warnings.length).toBe(2);

    // The rules don't override the decision of a moderator.
    await act({ type: 'show_name', name });
    await api.change(card, 'dog.edit', { id: dog?.id, name: 'Rex' });
    await expect
      .poll(async () => (await ann.call(getUserProfile, { params: { id: wolf.user.id } })).dogs)
      .toMatchObject([{ name: 'Rex' }]);
    await expect
      .poll(() => api.db.collection('cards').countDocuments({ is_checked: false }))
      .toBe(0);
    expect(await nameFor(ann)).toBe(name);
  });
});

describe('person details for moderators', () => {
  const open = (id = wolf.user.id, by = admin) => by.call(getPerson, { params: { id } });

  test('finds people by name, email address or id', async () => {
    const found = async (search: string) =>
      (await admin.call(findPeople, { query: { search } })).people.map(({ user_id }) => user_id);
    expect(await found(`wolf ${count}`)).toContain(wolf.user.id);
    expect(await found(`WOLF${count}@example.com`)).toEqual([wolf.user.id]);
    expect(await found(wolf.user.id)).toEqual([wolf.user.id]);
    expect(await found('nobody at all')).toEqual([]);
  });

  test('lists people page by page with their status, last day and sanctions', async () => {
    const sanction = { warning_type: 'suspension', severity: 'moderate', reason: 'Rude.' } as const;
    await admin.call(issueWarning, { body: { user_id: wolf.user.id, ...sanction } });
    const first = await admin.call(findPeople, { query: { limit: 1, sort: 'newest' } });
    expect(first.people).toMatchObject([{ user_id: ann.user.id, sanctions: 0 }]);
    const cursor = first.next_cursor ?? '';
    const second_page = await admin.call(findPeople, { query: { limit: 1, cursor } });
    expect(second_page.people).toMatchObject([
      {
        user_id: wolf.user.id,
        sanctions: 1,
        is_admin: false,
        last_seen_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      },
    ]);
    const ids = async (query: object) =>
      (await admin.call(findPeople, { query })).people.map(({ user_id }) => user_id);
    expect(await ids({ status: 'suspended' })).toContain(wolf.user.id);
    expect(await ids({ status: 'suspended' })).not.toContain(ann.user.id);
    expect(await ids({ status: 'suspended', search: 'ann' })).toEqual([]);
    expect(await ids({ status: 'restricted' })).not.toContain(wolf.user.id);
    expect((await ids({ status: 'admin' })).toSorted()).toEqual(
      [admin.user.id, second.user.id].toSorted(),
    );
  });

  test('records once in the audit log that an admin opened a person', async () => {
    const opened = async () =>
      (await admin.call(auditLog, { query: { subject_id: wolf.user.id } })).entries;
    await open();
    await open();
    expect(await opened()).toMatchObject([{ act: 'person.open', admin_user_id: admin.user.id }]);
    await open(wolf.user.id, second);
    expect(await opened()).toHaveLength(2);
    // A later visit is another one.
    await api.db
      .collection('audit_log')
      .updateMany({ subject_id: wolf.user.id }, { $set: { at: new Date(Date.now() - 3_600_000) } });
    await open();
    expect(await opened()).toHaveLength(3);
  });

  test('returns the account, sanctions, reports and public content of a person', async () => {
    const { image_key } = await pictured();
    const here = { latitude: 20 + count, longitude: 50 };
    const place = await makePlace(wolf, { name: `Den ${count}`, ...here });
    await makePlace(wolf, {
      name: 'Hidden den',
      is_public: false,
      latitude: 20 + count,
      longitude: 51,
    });
    const tip = { location_id: place.id, title: 'Quiet', content: 'At night.' };
    await wolf.call(createTip, { body: tip });
    const { report } = await ann.call(reportContent, { body: ofPerson() });
    const sanction = {
      user_id: wolf.user.id,
      warning_type: 'restriction' as const,
      severity: 'moderate' as const,
      reason: 'Shouting.',
    };
    await admin.call(issueWarning, { body: sanction });
    const person = await open();
    expect(person.account).toMatchObject({
      user_id: wolf.user.id,
      name: `Wolf ${count}`,
      email: `wolf${count}@example.com`,
      is_admin: false,
      last_seen_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      suspended_until: null,
    });
    expect(person.account.restricted_until).not.toBeNull();
    expect(person).toMatchObject({
      warnings: [{ warning_type: 'restriction', reason: 'Shouting.' }],
      reports_about: [{ id: report.id, subject_type: 'person' }],
      reports_by: [],
      is_name_hidden: false,
      dogs: [{ name: 'Fang', is_hidden: false, image_key }],
      locations: [{ id: place.id, is_active: true, version: 0 }],
      tips: [{ title: 'Quiet', version: 0 }],
      flagged: [],
    });
    expect((await fetchPicture(admin, image_key)).status).toBe(200);
    expect((await open(ann.user.id)).reports_by).toMatchObject([{ id: report.id }]);
  });

  test('records each action on a person in the audit log', async () => {
    const act = { type: 'hide_name' as const, name: `Wolf ${count}` };
    const params = { id: wolf.user.id };
    await admin.call(actOnPerson, { params, body: { act, reason: 'Not a name' } });
    const { entries } = await admin.call(auditLog, { query: { subject_id: wolf.user.id } });
    expect(entries).toMatchObject([
      {
        act: 'person.hide-name',
        admin_user_id: admin.user.id,
        after: { name: act.name },
        reason: 'Not a name',
      },
    ]);
  });

  test('rejects members and unknown ids, and hides from admins the reports about themselves', async () => {
    await expectRefused(open(ann.user.id, wolf), 403);
    await expectRefused(wolf.call(findPeople, { query: { search: 'ann' } }), 403);
    const act = { type: 'hide_name' as const, name: 'Ann' };
    const params = { id: ann.user.id };
    await expectRefused(wolf.call(actOnPerson, { params, body: { act } }), 403);
    await expectRefused(open('nobody'), 404, { error: 'User not found' });
    await makeProfile(second, { display_name: 'Second' });
    const body = ofPerson({ reported_user_id: second.user.id });
    await ann.call(reportContent, { body });
    expect((await open(second.user.id, second)).reports_about).toEqual([]);
    expect((await open(second.user.id, admin)).reports_about).toHaveLength(1);
  });
});

test('reports stay without the ids of both people after their accounts are deleted', async () => {
  const { report } = await ann.call(reportContent, { body: ofPerson() });
  await addRule(admin, 'mirabelle', 'flag');
  await makeProfile(wolf, { display_name: 'Mirabelle' });
  await flagAccount({ db: api.db }, wolf.user.id, 'Scraping', 'Much of it.');
  await ann.call(deleteAccount, { body: { confirmation: DELETION_WORDS } });
  await wolf.call(deleteAccount, { body: { confirmation: DELETION_WORDS } });
  await expect
    .poll(async () => {
      const { report: left } = await admin.call(getReport, { params: { id: report.id } });
      return [left.reporter.name, left.reported.name];
    })
    .toEqual([null, null]);
  const text = JSON.stringify([
    await api.db.collection('moderation_log').find().toArray(),
    await api.db.collection('message_reports').find().toArray(),
    await api.db.collection('report_evidence').find().toArray(),
  ]);
  expect(text).not.toContain(wolf.user.id);
  expect(text).not.toContain(ann.user.id);
  expect(
    await api.db.collection('message_reports').countDocuments({
      $or: [{ reporter_user_id: ann.user.id }, { reported_user_id: wolf.user.id }],
    }),
  ).toBe(0);
});

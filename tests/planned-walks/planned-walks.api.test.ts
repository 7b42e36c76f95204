import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import { WAITED_HEADER } from '#shared/deferred-calls.ts';
import { deleteFriend } from '#shared/friends/contract.ts';
import {
  answerPlannedWalk,
  cancelPlannedWalk,
  createPlannedWalk,
  listPlannedWalks,
  updatePlannedWalk,
  type PlannedWalkFields,
  type WalkAnswer,
} from '#shared/planned-walks/contract.ts';
import { subscribeToPush } from '#shared/push/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { plannedWalks } from '../../api/features/planned-walks/collections.ts';
import { sendReminders } from '../../api/features/planned-walks/notify.ts';
import { plannedWalkData } from '../../api/features/planned-walks/personal-data.ts';
import type { EventStreams } from '../../api/platform/events/event-streams.ts';
import { pushQueue } from '../../api/platform/push/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { createMember } from '../chat/talk.ts';
import { listen } from '../events/listen.ts';
import { befriend } from '../friends/befriend.ts';
import { makePlace } from '../locations/made-places.ts';
import { addRule } from '../moderation/visible-messages.ts';
import { startPushService, type PushService } from '../push/push-service.ts';
import { expectRefused } from '../refusals.ts';
import { spareServices } from '../services.ts';

let api: TestApi;
let service: PushService;
/** Friends of each other are Ann and Bob, and Ann and Cleo. Tests that change this create their own people. */
let ann: TestPerson;
let bob: TestPerson;
let cleo: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  service = await startPushService();
  // A block takes effect as in production, which the test of the delay needs.
  api = await startTestApi(inject('mongodbUri'), { BLOCK_DELAY_SCALE: '1' });
  [ann, bob, cleo] = await annAndFriends();
  stranger = await createMember(api, 'Stranger');
});
afterAll(async () => {
  await api.close();
  await service.close();
});

async function annAndFriends() {
  const people = [
    await createMember(api, 'Ann'),
    await createMember(api, 'Bob'),
    await createMember(api, 'Cleo'),
  ] as const;
  await befriend(people[0], people[1]);
  await befriend(people[0], people[2]);
  return people;
}

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const fields = (
  people: readonly TestPerson[],
  more: Partial<PlannedWalkFields> = {},
): PlannedWalkFields => ({
  starts_at: inHours(24),
  place_name: 'Oak Park',
  note: 'Bring water',
  participant_ids: people.map(({ user }) => user.id),
  ...more,
});
async function plan(
  organizer: TestPerson,
  people: readonly TestPerson[],
  more: Partial<PlannedWalkFields> = {},
): Promise<string> {
  const id = randomUUID();
  await organizer.call(createPlannedWalk, { body: { id, ...fields(people, more) } });
  return id;
}
const listed = async (person: TestPerson) => (await person.call(listPlannedWalks)).planned_walks;
const seen = async (person: TestPerson, id: string) =>
  (await listed(person)).find((walk) => walk.id === id);
const edit = (person: TestPerson, id: string, body: PlannedWalkFields) =>
  person.call(updatePlannedWalk, { params: { id }, body });
async function answer(
  person: TestPerson,
  id: string,
  given: WalkAnswer,
  { waitedMs = 0 }: { waitedMs?: number } = {},
): Promise<void> {
  const row = await plannedWalks(api.db).findOne({ _id: id });
  await person.call(answerPlannedWalk, {
    params: { id },
    body: { answer: given, starts_at: row?.starts_at.toISOString() ?? inHours(1) },
    headers: { [WAITED_HEADER]: String(waitedMs) },
  });
}
const announcement = (id: string, notice: string, { user }: TestPerson, name: string) => ({
  type: 'planned_walk',
  announced: {
    id,
    notice,
    user_id: user.id,
    name,
    starts_at: expect.any(String) as string,
    push_key: expect.stringContaining(id) as string,
  },
});
const UNKNOWN = { error: 'Planned walk not found' };

describe('a planned walk', () => {
  test('is shown to its organizer and to invited friends, who answer it', async () => {
    const place = await makePlace(ann, { latitude: 12.5, longitude: 33.5, name: 'Oak Park' });
    const id = await plan(ann, [bob, cleo], {
      location_id: place.id,
      latitude: 12.5,
      longitude: 33.5,
    });
    expect(await seen(bob, id)).toMatchObject({
      place_name: 'Oak Park',
      location_id: place.id,
      latitude: 12.5,
      note: 'Bring water',
      organizer: { user_id: ann.user.id, name: 'Ann' },
      is_own: false,
      own_answer: null,
      is_canceled: false,
    });
    await answer(bob, id, 'yes');
    expect(await seen(bob, id)).toMatchObject({ own_answer: 'yes' });
    expect(await seen(ann, id)).toMatchObject({
      is_own: true,
      participants: [
        { user_id: bob.user.id, name: 'Bob', answer: 'yes' },
        { user_id: cleo.user.id, name: 'Cleo', answer: null },
      ],
      others: { count: 0, coming: 0 },
    });
  });

  test('names only the reader’s own friends, and counts the other participants', async () => {
    const [ann, bob, cleo] = await annAndFriends();
    const id = await plan(ann, [bob, cleo]);
    await answer(cleo, id, 'yes');
    const walk = await seen(bob, id);
    expect(walk).toMatchObject({ participants: [], others: { count: 1, coming: 1 } });
    expect(JSON.stringify(walk)).not.toContain(cleo.user.id);
    await befriend(bob, cleo);
    expect(await seen(bob, id)).toMatchObject({
      participants: [{ name: 'Cleo', answer: 'yes' }],
      others: { count: 0, coming: 0 },
    });
  });

  test('looks to a stranger, and to a participant who edits it, as if it did not exist', async () => {
    const id = await plan(ann, [bob]);
    expect(await listed(stranger)).toEqual([]);
    for (const person of [stranger, bob, cleo]) {
      await expectRefused(edit(person, id, fields([ann])), 404, UNKNOWN);
      await expectRefused(person.call(cancelPlannedWalk, { params: { id } }), 404, UNKNOWN);
    }
    for (const person of [stranger, cleo, ann])
      await expectRefused(answer(person, id, 'yes'), 404, UNKNOWN);
    await expectRefused(answer(bob, randomUUID(), 'yes'), 404, UNKNOWN);
    expect(await seen(ann, id)).toMatchObject({ place_name: 'Oak Park', is_canceled: false });
  });

  test('invites friends only, and belongs to its caller', async () => {
    await expectRefused(plan(ann, [stranger]), 400, { error: 'You can invite friends only' });
    await expectRefused(plan(ann, [ann]), 400);
    // One who is no friend any more may be on the list of a call that waited.
    const id = await plan(ann, [bob, stranger]);
    expect((await seen(ann, id))?.participants.map(({ name }) => name)).toEqual(['Bob']);
    expect(await seen(stranger, id)).toBeUndefined();
    const body = { ...fields([ann]), id, organizer_user_id: ann.user.id };
    await expectRefused(bob.call(createPlannedWalk, { body }), 409);
    const other = randomUUID();
    await bob.call(createPlannedWalk, { body: { ...body, id: other } });
    expect((await seen(ann, other))?.organizer.name).toBe('Bob');
  });

  test('is created once when the call is repeated', async () => {
    const id = randomUUID();
    const body = { id, ...fields([bob]) };
    for (const idempotencyKey of ['plan-1', 'plan-1', 'plan-2'])
      await ann.call(createPlannedWalk, { body, idempotencyKey });
    expect((await listed(ann)).filter((walk) => walk.id === id)).toHaveLength(1);
  });

  test('is hidden from a former friend at once, also their answer', async () => {
    const [ann, bob, cleo] = await annAndFriends();
    const id = await plan(ann, [bob, cleo]);
    await answer(bob, id, 'yes');
    expect(await seen(cleo, id)).toMatchObject({ others: { count: 1, coming: 1 } });
    await bob.call(deleteFriend, { params: { friendUserId: ann.user.id } });
    expect(await listed(bob)).toEqual([]);
    await expectRefused(answer(bob, id, 'no'), 404, UNKNOWN);
    expect((await seen(ann, id))?.participants.map(({ name }) => name)).toEqual(['Cleo']);
    expect(await seen(cleo, id)).toMatchObject({ others: { count: 0, coming: 0 } });
    // Also not for a friend of both.
    await befriend(bob, cleo);
    expect(await seen(cleo, id)).toMatchObject({ participants: [] });
    // They learn nothing of later changes, either.
    const [atBob, atCleo] = [await listen(api.origin, bob), await listen(api.origin, cleo)];
    await edit(ann, id, fields([bob, cleo], { starts_at: inHours(40) }));
    await expect.poll(() => atCleo.events).toContainEqual(announcement(id, 'changed', ann, 'Ann'));
    expect(atBob.events.filter(({ type }) => type === 'planned_walk')).toEqual([]);
    atBob.close();
    atCleo.close();
  });

  test('is hidden from a blocked friend at once', async () => {
    const [ann, bob, cleo] = await annAndFriends();
    const id = await plan(ann, [bob, cleo]);
    await ann.call(createBlock, { body: { blocked_user_id: bob.user.id } });
    expect(await listed(bob)).toEqual([]);
    await expectRefused(answer(bob, id, 'yes'), 404, UNKNOWN);
    expect((await seen(ann, id))?.participants.map(({ name }) => name)).toEqual(['Cleo']);
  });

  test('of a blocked friend is hidden from the blocker, and shows the organizer nothing new', async () => {
    const [ann, bob] = await annAndFriends();
    const id = await plan(ann, [bob]);
    await answer(bob, id, 'yes');
    await bob.call(createBlock, { body: { blocked_user_id: ann.user.id } });
    expect(await listed(bob)).toEqual([]);
    // The blocked organizer still sees a friend (decision 50), whom another invitation does not reach.
    expect(await seen(ann, id)).toMatchObject({ participants: [{ name: 'Bob', answer: 'yes' }] });
    const later = await plan(ann, [bob]);
    expect(await seen(ann, later)).toMatchObject({ participants: [{ name: 'Bob', answer: null }] });
    expect(await listed(bob)).toEqual([]);
  });

  test('refuses times, numbers and texts out of range with the field', async () => {
    const wrong: [Partial<PlannedWalkFields>, string][] = [
      [{ starts_at: inHours(-1) }, 'starts_at'],
      [{ starts_at: inHours(61 * 24) }, 'starts_at'],
      [{ starts_at: 'tomorrow' }, 'starts_at'],
      [{ place_name: ' ' }, 'place_name'],
      [{ place_name: 'a'.repeat(101) }, 'place_name'],
      [{ note: 'a'.repeat(501) }, 'note'],
      [{ latitude: 1 }, 'longitude'],
      [{ latitude: 91, longitude: 1 }, 'latitude'],
      [{ participant_ids: [] }, 'participant_ids'],
      [{ participant_ids: Array.from({ length: 21 }, () => randomUUID()) }, 'participant_ids'],
    ];
    const id = await plan(ann, [bob]);
    for (const [more, field] of wrong) {
      const named = { fields: { [field]: expect.any(String) as string } };
      await expectRefused(plan(ann, [bob], more), 400, named);
      await expectRefused(edit(ann, id, fields([bob], more)), 400, named);
    }
  });

  test('refuses texts that break a word rule', async () => {
    await addRule(await api.asAdmin(), 'zebrafish', 'block');
    await expectRefused(plan(ann, [bob], { note: 'A zebrafish' }), 400, {
      fields: { note: expect.any(String) as string },
    });
  });

  test('links a public place only', async () => {
    const hidden = await makePlace(ann, {
      latitude: 14.5,
      longitude: 33.5,
      name: 'Back Yard',
      is_public: false,
    });
    for (const location_id of [hidden.id, 'unknown']) {
      const id = await plan(ann, [bob], { location_id, place_name: '$note' });
      expect(await seen(bob, id)).toMatchObject({ location_id: null, place_name: '$note' });
    }
  });

  test('keeps answers when it is edited, and asks again after another time', async () => {
    const id = await plan(ann, [bob, cleo]);
    await answer(bob, id, 'yes');
    const { starts_at } = (await seen(ann, id))!;
    await edit(ann, id, fields([bob], { starts_at, place_name: '$note', note: '' }));
    expect(await seen(ann, id)).toMatchObject({
      place_name: '$note',
      note: '',
      participants: [{ name: 'Bob', answer: 'yes' }],
    });
    expect(await seen(cleo, id)).toBeUndefined();
    await edit(ann, id, fields([bob, cleo], { starts_at: inHours(30) }));
    expect((await seen(ann, id))?.participants.map((each) => each.answer)).toEqual([null, null]);
    // An answer that waited on the device was about the former time.
    const late = bob.call(answerPlannedWalk, {
      params: { id },
      body: { answer: 'yes', starts_at },
    });
    await expectRefused(late, 409, {
      error: 'The walk was moved to another time. Please answer again.',
    });
  });

  test('takes the latest answer, in whatever order answers arrive', async () => {
    const id = await plan(ann, [bob]);
    await answer(bob, id, 'no', { waitedMs: MINUTE_MS });
    await answer(bob, id, 'yes', { waitedMs: 5 * MINUTE_MS });
    expect(await seen(bob, id)).toMatchObject({ own_answer: 'no' });
    await answer(bob, id, 'maybe');
    expect(await seen(bob, id)).toMatchObject({ own_answer: 'maybe' });
  });

  test('stays listed when it is canceled, and takes no answers or edits then', async () => {
    const id = await plan(ann, [bob]);
    await ann.call(cancelPlannedWalk, { params: { id } });
    await ann.call(cancelPlannedWalk, { params: { id } });
    expect(await seen(bob, id)).toMatchObject({ is_canceled: true });
    const canceled = { error: 'This walk was canceled' };
    await expectRefused(answer(bob, id, 'yes'), 409, canceled);
    await expectRefused(edit(ann, id, fields([bob])), 409, canceled);
  });

  test('takes no answers, edits or cancellation after its start', async () => {
    const id = await plan(ann, [bob]);
    await plannedWalks(api.db).updateOne(
      { _id: id },
      { $set: { starts_at: new Date(Date.now() - HOUR_MS) } },
    );
    expect(await seen(bob, id)).toMatchObject({ is_canceled: false });
    const over = { error: 'This walk has already started' };
    await expectRefused(answer(bob, id, 'yes'), 409, over);
    await expectRefused(edit(ann, id, fields([bob])), 409, over);
    await expectRefused(ann.call(cancelPlannedWalk, { params: { id } }), 409, over);
  });

  test('is announced to participants, and answers to the organizer, by an event', async () => {
    const [atBob, atAnn] = [await listen(api.origin, bob), await listen(api.origin, ann)];
    const id = await plan(ann, [bob]);
    await expect.poll(() => atBob.events).toContainEqual(announcement(id, 'invited', ann, 'Ann'));
    await answer(bob, id, 'maybe');
    await expect.poll(() => atAnn.events).toContainEqual(announcement(id, 'maybe', bob, 'Bob'));
    atBob.close();
    atAnn.close();
  });

  test('is exported without other people’s walks, and erased with the account', async () => {
    const [ann, bob] = await annAndFriends();
    const own = await plan(ann, [bob], { place_name: 'Exported Park' });
    const other = await plan(bob, [ann], { place_name: 'Bob’s Park' });
    await answer(ann, other, 'yes');
    const userOf = async ({ user }: TestPerson) =>
      (await api.db.collection<UserRow>('users').findOne({ _id: user.id }))!;
    const data = plannedWalkData(api);
    const exported = JSON.stringify(await data.export!(await userOf(ann)));
    expect(exported).toContain('Exported Park');
    expect(exported).toContain(other);
    expect(exported).not.toContain('Bob’s Park');
    await data.remove(await userOf(ann));
    expect(await seen(bob, own)).toBeUndefined();
    expect(await seen(bob, other)).toMatchObject({ participants: [] });
    expect(JSON.stringify(await plannedWalks(api.db).find().toArray())).not.toContain(ann.user.id);
  });
});

describe('a push about a planned walk', () => {
  /** Subscribes a new device in place of the former one. @returns the titles and texts that it received */
  async function subscribed(person: TestPerson) {
    const device = service.device();
    await person.call(subscribeToPush, { body: device.subscription });
    return () => device.received.map(({ content }) => [content.title, content.body]);
  }

  /** The background job with a clock of its own, on the same database. */
  async function reminders() {
    const { services, close } = await spareServices(api);
    onTestFinished(close);
    const reminded: string[] = [];
    const send = (userId: string) => void reminded.push(userId);
    const events = { send } as Pick<EventStreams, 'send'> as EventStreams;
    const remind = (at: number) => sendReminders({ ...services, events }, new Date(at));
    return { remind, reminded };
  }

  test('announces an invitation, an answer, a change and the cancellation', async () => {
    const [atAnn, atBob, atStranger] = [
      await subscribed(ann),
      await subscribed(bob),
      await subscribed(stranger),
    ];
    const id = await plan(ann, [bob, stranger]);
    await expect.poll(atBob).toEqual([['Planned walk', 'Ann invited you to a walk.']]);
    await answer(bob, id, 'no');
    await expect.poll(atAnn).toEqual([['Planned walk', 'Bob can’t come to your walk.']]);
    await edit(ann, id, fields([bob]));
    await expect
      .poll(() => atBob().at(-1))
      .toEqual(['Planned walk', 'Ann changed a planned walk.']);
    await ann.call(cancelPlannedWalk, { params: { id } });
    await expect
      .poll(() => atBob().at(-1))
      .toEqual(['Planned walk', 'Ann canceled a planned walk.']);
    expect(atStranger()).toEqual([]);
  });

  test('follows the owner’s choices about the kind and the lock screen', async () => {
    const [ann, bob] = await annAndFriends();
    const atBob = await subscribed(bob);
    const choose = (settings: object) =>
      api.change(bob.user.documents.account, 'push.save', settings);
    await choose({ push_planned_walks: false });
    const id = await plan(ann, [bob]);
    await expect
      .poll(() => pushQueue(api.db).countDocuments({ 'message.subject': id, status: 'waiting' }))
      .toBe(0);
    await choose({ push_planned_walks: true, push_preview: 'nothing' });
    await edit(ann, id, fields([bob]));
    await expect.poll(atBob).toEqual([['Planned walk', '']]);
  });

  test('reminds the organizer and those who are coming once, an hour before', async () => {
    const { remind, reminded } = await reminders();
    const [atAnn, atBob, atCleo] = [
      await subscribed(ann),
      await subscribed(bob),
      await subscribed(cleo),
    ];
    const id = await plan(ann, [bob, cleo], { starts_at: inHours(2) });
    await answer(bob, id, 'yes');
    await answer(cleo, id, 'no');
    const { starts_at } = (await seen(ann, id))!;
    const due = () =>
      pushQueue(api.db).countDocuments({ _id: new RegExp(`^planned-walk-reminder ${id} `) });
    await remind(Date.parse(starts_at) - 61 * MINUTE_MS);
    expect(await due()).toBe(0);
    await remind(Date.parse(starts_at) - 59 * MINUTE_MS);
    await remind(Date.parse(starts_at) - 58 * MINUTE_MS);
    const title = 'Your walk starts in 120 minutes';
    await expect.poll(atAnn).toContainEqual([title, 'With Bob']);
    await expect.poll(atBob).toContainEqual([title, 'With Ann']);
    expect(await due()).toBe(2);
    expect(reminded.toSorted()).toEqual([ann.user.id, bob.user.id].toSorted());
    expect(atCleo().map(([each]) => each)).not.toContain(title);
  });

  test('reminds of no canceled walk', async () => {
    const { remind } = await reminders();
    await subscribed(ann);
    const id = await plan(ann, [bob], { starts_at: inHours(2) });
    await ann.call(cancelPlannedWalk, { params: { id } });
    await remind(Date.now() + 90 * MINUTE_MS);
    expect(
      await pushQueue(api.db).countDocuments({ _id: new RegExp(`^planned-walk-reminder ${id} `) }),
    ).toBe(0);
  });
});

test('deletes planned walks three days after they took place', async () => {
  const id = await plan(ann, [bob]);
  await plannedWalks(api.db).updateOne(
    { _id: id },
    { $set: { starts_at: new Date(Date.now() - 3 * DAY_MS - MINUTE_MS) } },
  );
  await api.runJobs();
  await expect.poll(() => plannedWalks(api.db).findOne({ _id: id })).toBeNull();
});

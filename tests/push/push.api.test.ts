import type { Collection, Db, FindCursor } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createAlert } from '#shared/alerts/admin-contract.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import { editMessage, markRead, unsendMessage } from '#shared/chat/contract.ts';
import { createFriendRequest, deleteFriend } from '#shared/friends/contract.ts';
import { issueWarning } from '#shared/moderation/admin-contract.ts';
import { dropLocation, reportLocation } from '#shared/proximity/contract.ts';
import {
  getPushKey,
  noticeKey,
  reportVisibility,
  subscribeToPush,
  unsubscribeFromPush,
} from '#shared/push/contract.ts';
import { USUAL_PUSH_SETTINGS, type PushSettings } from '#shared/push/document.ts';
import { logout } from '#shared/session/contract.ts';
import { endOtherSessions } from '#shared/session/devices-contract.ts';
import { composePush } from '../../api/app/compose-push.ts';
import { messages } from '../../api/features/chat/collections.ts';
import { positions } from '../../api/features/proximity/collections.ts';
import { createSilentWalks } from '../../api/features/proximity/silent-walks.ts';
import { minuteOf } from '../../api/features/proximity/storage/position-store.ts';
import { NotSent } from '../../api/platform/mail-queue/sender.ts';
import { pushQueue, pushSubscriptions } from '../../api/platform/push/collections.ts';
import { openPush } from '../../api/platform/push/push-queue.ts';
import type { PushSender } from '../../api/platform/push/push-sender.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { createMember, friends, say } from '../chat/talk.ts';
import { listen } from '../events/listen.ts';
import { expectRefused } from '../refusals.ts';
import { spareServices } from '../services.ts';
import { startPushService, type PushService, type TestDevice } from './push-service.ts';

let api: TestApi;
let service: PushService;
beforeAll(async () => {
  service = await startPushService();
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(async () => {
  await api.close();
  await service.close();
});

/** Subscribes the person's browser. */
async function subscribed(person: TestPerson): Promise<TestDevice> {
  const device = service.device();
  await person.call(subscribeToPush, { body: device.subscription });
  return device;
}

/** Signs the person in on another device. */
const secondDevice = (person: TestPerson) => api.as(person.user.email);

const choose = (person: TestPerson, settings: Partial<PushSettings>) =>
  api.change(person.user.documents.account, 'push.save', settings);

const contents = ({ received }: TestDevice) => received.map(({ content }) => content);
/** Returns why pushes to a person's devices were not sent. */
async function reasons(person: TestPerson, key: RegExp): Promise<(string | null)[]> {
  const subscriptions = await pushSubscriptions(api.db).find({ user_id: person.user.id }).toArray();
  const rows = await pushQueue(api.db)
    .find({ _id: key, status: { $ne: 'waiting' } })
    .toArray();
  return rows
    .filter(({ _id }) => subscriptions.some((each) => _id.endsWith(each._id)))
    .map((row) => row.error_code);
}
/** All day and night. */
const ALWAYS_QUIET = { push_quiet: true, push_quiet_from: 1, push_quiet_to: 0 };
/** Ends the quiet hours of a person: what was postponed is due. */
async function wake(person: TestPerson): Promise<void> {
  await choose(person, { push_quiet: false });
  await pushQueue(api.db).updateMany(
    { 'message.user_id': person.user.id },
    { $set: { due_at: new Date() } },
  );
}
/** Waits until this many pushes to a person are postponed. */
const untilPostponed = (person: TestPerson, count: number) =>
  expect
    .poll(() =>
      pushQueue(api.db).countDocuments({
        'message.user_id': person.user.id,
        error_code: 'quiet hours',
        lease: null,
      }),
    )
    .toBe(count);

/** Returns the database with a callback after each read of a collection. */
const withReads = (db: Db, collection: string, read: () => Promise<void>): Db =>
  new Proxy(db, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (key !== 'collection') return typeof value === 'function' ? value.bind(target) : value;
      return (name: string) =>
        name === collection
          ? readingCollection(target.collection(name), read)
          : target.collection(name);
    },
  });

const readingCollection = (rows: Collection, read: () => Promise<void>): Collection =>
  new Proxy(rows, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      if (key !== 'find' && key !== 'aggregate') return value.bind(target);
      return (...args: unknown[]) => {
        const cursor = Reflect.apply(value, target, args) as FindCursor;
        const toArray = cursor.toArray.bind(cursor);
        cursor.toArray = async () => {
          const found = await toArray();
          await read();
          return found;
        };
        return cursor;
      };
    },
  });

/** Waits until a push to a person is held back, because a device shows the app. */
const untilHeld = (person: TestPerson) =>
  expect
    .poll(() =>
      pushQueue(api.db).countDocuments({
        'message.user_id': person.user.id,
        error_code: 'app on the screen',
        lease: null,
      }),
    )
    .toBe(1);

let ann: TestPerson;
let bob: TestPerson;

describe('a push about a message', () => {
  beforeAll(async () => {
    [ann, bob] = await friends(api, 'Ann', 'Bob');
  });
  beforeEach(async () => {
    await pushSubscriptions(api.db).deleteMany({ user_id: bob.user.id });
    await pushQueue(api.db).deleteMany({});
    await choose(bob, USUAL_PUSH_SETTINGS);
  });

  test('reaches every device of the receiver, encrypted, with lifetime, urgency and topic', async () => {
    const [phone, tablet] = [await subscribed(bob), await subscribed(await secondDevice(bob))];
    await choose(bob, { push_preview: 'text' });
    await say(ann, bob, 'Are you at the park?');
    const expected = {
      kind: 'messages',
      title: 'Ann',
      body: 'Are you at the park?',
      tag: `message-${ann.user.id}`,
      path: `/chat/${ann.user.id}`,
      is_urgent: false,
    };
    await expect.poll(() => contents(phone)).toEqual([expected]);
    await expect.poll(() => contents(tablet)).toEqual([expected]);
    const { headers } = phone.received[0]!;
    expect(headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      urgency: 'normal',
      topic: expect.stringMatching(/^[\w-]{32}$/) as string,
    });
    expect(Number(headers['ttl'])).toBeGreaterThan(23 * 3600);
    expect(Number(headers['ttl'])).toBeLessThanOrEqual(24 * 3600);
    expect(
      await pushQueue(api.db).countDocuments({ message: { $exists: true }, status: 'sent' }),
    ).toBe(0);
  });

  test('shows the name only by default, and neither name nor text if the owner wants', async () => {
    const phone = await subscribed(bob);
    await say(ann, bob, 'First');
    await expect.poll(() => contents(phone)).toMatchObject([{ title: 'Ann', body: 'New message' }]);
    await choose(bob, { push_preview: 'nothing' });
    await say(ann, bob, 'Second');
    await expect
      .poll(() => contents(phone)[1])
      .toMatchObject({ title: 'New message', body: '', path: '/social' });
  });

  test('is not sent while the chat is muted', async () => {
    const phone = await subscribed(bob);
    const mute = (is_muted: boolean) =>
      api.change(bob.user.documents.account, 'push.mute', { user_id: ann.user.id, is_muted });
    await mute(true);
    await say(ann, bob, 'Nobody hears this');
    const mine = { 'message.user_id': bob.user.id, status: 'waiting' as const };
    await expect.poll(() => pushQueue(api.db).countDocuments(mine)).toBe(0);
    await mute(false);
    await say(ann, bob, 'But this');
    await expect.poll(() => contents(phone)).toMatchObject([{ title: 'Ann' }]);
    expect(phone.requests).toBe(1);
  });

  test('waits for the end of quiet hours, and is one for ten messages then', async () => {
    const phone = await subscribed(bob);
    const at = new Date();
    const minute = at.getUTCHours() * 60 + at.getUTCMinutes();
    const day = 24 * 60;
    await choose(bob, {
      push_preview: 'text',
      push_quiet: true,
      push_time_zone: 'UTC',
      push_quiet_from: (minute + day - 60) % day,
      push_quiet_to: (minute + 60) % day,
    });
    for (let count = 1; count <= 10; count++) await say(ann, bob, `Message ${count}`);
    await untilPostponed(bob, 10);
    const mine = { 'message.user_id': bob.user.id };
    const later = { $gt: new Date(at.getTime() + 55 * 60_000) };
    expect(await pushQueue(api.db).countDocuments({ ...mine, due_at: later })).toBe(10);
    expect(phone.requests).toBe(0);
    await wake(bob);
    await expect.poll(() => contents(phone)).toMatchObject([{ body: 'Message 10' }]);
    const waiting = { ...mine, status: 'waiting' as const };
    await expect.poll(() => pushQueue(api.db).countDocuments(waiting)).toBe(0);
    expect(phone.requests).toBe(1);
  });

  test('is not sent when the message is read or the kind is off', async () => {
    const phone = await subscribed(bob);
    await choose(bob, ALWAYS_QUIET);
    const { id } = await say(ann, bob, 'Read in the morning');
    await untilPostponed(bob, 1);
    await bob.call(markRead, { body: { message_ids: [id] } });
    await wake(bob);
    await expect.poll(() => reasons(bob, /^message /)).toEqual(['no longer true']);

    await choose(bob, { push_messages: false });
    await say(ann, bob, 'Unwanted');
    await expect.poll(() => reasons(bob, /^message /)).toContain('turned off');
    expect(phone.requests).toBe(0);
  });

  test('waits while the app is on the screen, and goes out as soon as it is not', async () => {
    const phone = await subscribed(bob);
    await bob.call(reportVisibility, { body: { is_visible: true, number: 1 } });
    await say(ann, bob, 'On the screen');
    await untilHeld(bob);
    expect(phone.requests).toBe(0);
    await bob.call(reportVisibility, { body: { is_visible: false, number: 2 } });
    await expect.poll(() => contents(phone)).toMatchObject([{ title: 'Ann' }]);
  });

  test('goes out when the app was on the screen and reports no more, or still says so', async () => {
    const phone = await subscribed(bob);
    await bob.call(reportVisibility, { body: { is_visible: true, number: 1 } });
    await say(ann, bob, 'Killed');
    await untilHeld(bob);
    const held = await pushQueue(api.db).findOne({ 'message.user_id': bob.user.id });
    expect(held!.due_at.getTime() - Date.now()).toBeLessThanOrEqual(75_000);
    await bob.call(reportVisibility, { body: { is_visible: true, number: 2 } });
    await pushQueue(api.db).updateOne({ _id: held!._id }, { $set: { due_at: new Date() } });
    await expect.poll(() => contents(phone)).toMatchObject([{ title: 'Ann' }]);
  });

  test('goes out when a device that was showing the app is gone without a word', async () => {
    const phone = await subscribed(bob);
    const stream = await listen(api.origin, bob);
    await bob.call(reportVisibility, { body: { is_visible: true, number: 1 } });
    await say(ann, bob, 'Crashed');
    await untilHeld(bob);
    stream.close();
    await expect.poll(() => contents(phone)).toMatchObject([{ title: 'Ann' }]);
  });

  test('does not wait because of a report that a later one overtook', async () => {
    const phone = await subscribed(bob);
    await bob.call(reportVisibility, { body: { is_visible: false, number: 8 } });
    await bob.call(reportVisibility, { body: { is_visible: true, number: 7 } });
    await say(ann, bob, 'Closed');
    await expect.poll(() => contents(phone)).toMatchObject([{ title: 'Ann' }]);
    await expect.poll(() => reasons(bob, /^message /)).toEqual([null]);
  });

  test('does not wait if the app is left between the decision to wait and its storage', async () => {
    const node = await spareServices(api);
    const phone = await subscribed(bob);
    const { id } = await say(ann, bob, 'Leaving');
    await expect.poll(() => phone.received.length).toBe(1);
    await bob.call(reportVisibility, { body: { is_visible: true, number: 1 } });
    let isLeft = false;
    let reads = 0;
    const db = withReads(node.services.db, 'push_subscriptions', async () => {
      // The first one is for queueing.
      if (++reads !== 2) return;
      isLeft = true;
      await bob.call(reportVisibility, { body: { is_visible: false, number: 2 } });
    });
    const push = openPush({ ...node.services, db, compose: composePush });
    await push.notify({
      topic: 'message',
      user_id: bob.user.id,
      subject: id,
      key: 'leaving',
      tag: 'leaving',
    });
    await expect.poll(() => contents(phone)[1]?.tag).toBe('leaving');
    expect(isLeft).toBe(true);
    await node.close();
  });

  test('reads what it shows with whether it is wanted', async () => {
    const node = await spareServices(api);
    const phone = await subscribed(bob);
    const { id } = await say(ann, bob, 'At the park?');
    await expect.poll(() => phone.requests).toBe(1);
    let readsAlone = 0;
    const db = withReads(node.services.db, 'messages', async () => void readsAlone++);
    const push = openPush({ ...node.services, db, compose: composePush });
    const notice = { topic: 'message', user_id: bob.user.id, subject: id } as const;
    await push.notify({ ...notice, key: 'again', tag: 'again' });
    await expect.poll(() => phone.requests).toBe(2);
    expect(readsAlone).toBe(0);
    await node.close();
  });

  test('reads together which of the devices that left were believed to show the app', async () => {
    const node = await spareServices(api);
    let reads = 0;
    const db = withReads(node.services.db, 'push_subscriptions', async () => void reads++);
    const push = openPush({ ...node.services, db, compose: composePush });
    await push.left('first');
    await Promise.all(Array.from({ length: 20 }, (_, i) => push.left(`device-${i}`)));
    expect(reads).toBe(2);
    await node.close();
  });

  test('has the text of now if the message was edited meanwhile, and is not sent if that was read or unsent', async () => {
    const phone = await subscribed(bob);
    await choose(bob, { ...ALWAYS_QUIET, push_preview: 'text' });
    const edited = async () => {
      const { id } = await say(ann, bob, 'One');
      await untilPostponed(bob, 1);
      const change = (message_text: string) =>
        ann.call(editMessage, { params: { id }, body: { message_text } });
      await change('Two');
      const { message } = await change('Three');
      const unchecked = { receiver_user_id: bob.user.id, is_checked: false };
      await expect.poll(() => messages(api.db).countDocuments(unchecked)).toBe(0);
      return message.id;
    };
    await edited();
    await wake(bob);
    await expect.poll(() => contents(phone)).toMatchObject([{ title: 'Ann', body: 'Three' }]);

    for (const part of [
      (id: string) => bob.call(markRead, { body: { message_ids: [id] } }),
      (id: string) => ann.call(unsendMessage, { params: { id } }),
    ]) {
      await pushQueue(api.db).deleteMany({});
      await choose(bob, ALWAYS_QUIET);
      await part(await edited());
      await wake(bob);
      await expect.poll(() => reasons(bob, /^message /)).toEqual(['no longer true']);
    }
    expect(phone.requests).toBe(1);
  });

  test('is about an earlier message if the latest is no news any more', async () => {
    const phone = await subscribed(bob);
    await choose(bob, { ...ALWAYS_QUIET, push_preview: 'text' });
    await say(ann, bob, 'Unread');
    const { id } = await say(ann, bob, 'Read');
    await untilPostponed(bob, 2);
    await bob.call(markRead, { body: { message_ids: [id] } });
    await wake(bob);
    await expect.poll(() => contents(phone)).toMatchObject([{ body: 'Unread' }]);
  });

  describe('replaced by a later one', () => {
    const notices = (ids: string[]) =>
      ids.map((subject) => ({
        topic: 'message' as const,
        user_id: bob.user.id,
        subject,
        key: subject,
        tag: 'replaced',
      }));

    /** Two messages about which nobody was told, and then a device. */
    async function untold() {
      const older = await say(ann, bob, 'Older');
      const newer = await say(ann, bob, 'Newer');
      const unchecked = { receiver_user_id: bob.user.id, is_checked: false };
      await expect.poll(() => messages(api.db).countDocuments(unchecked)).toBe(0);
      return { older, newer, phone: await subscribed(bob) };
    }

    test('is not sent after the later one, which was composed and sent sooner', async () => {
      const node = await spareServices(api);
      await choose(bob, { push_preview: 'text' });
      const { older, newer, phone } = await untold();
      let compose = () => {};
      const composed = new Promise<void>((resolve) => (compose = resolve));
      const push = openPush({
        ...node.services,
        compose: async (services, message, choices) => {
          // Also when the newer one looks whether it is replaced.
          if (message.subject === older.id) await composed;
          return composePush(services, message, choices);
        },
      });
      await push.notifyAll(notices([older.id, newer.id]));
      await expect.poll(() => phone.requests).toBe(1);
      const sent = { _id: new RegExp(`^${newer.id} `), status: 'sent' as const };
      await expect.poll(() => pushQueue(api.db).countDocuments(sent)).toBe(1);
      compose();
      await node.close();
      expect(contents(phone).at(-1)?.body).toBe('Newer');
      expect(phone.requests).toBe(1);
      expect(await reasons(bob, new RegExp(`^${older.id} `))).toEqual(['replaced']);
    });

    test('is not tried again once the later one was sent', async () => {
      const node = await spareServices(api);
      const { older, newer } = await untold();
      const sent: string[] = [];
      const sender: PushSender = {
        send: async (_to, { content }) => {
          sent.push(content.tag);
          if (sent.length === 1) throw new NotSent('down');
        },
      };
      const push = openPush({ ...node.services, compose: composePush }, { sender });
      const [first, second] = notices([older.id, newer.id]);
      await push.notify(first!);
      await expect.poll(() => sent).toHaveLength(1);
      await expect
        .poll(() => pushQueue(api.db).countDocuments({ 'message.tag': 'replaced', lease: null }))
        .toBe(1);
      await push.notify(second!);
      await expect.poll(() => reasons(bob, new RegExp(`^${older.id} `))).toEqual(['replaced']);
      expect(sent).toHaveLength(2);
      await node.close();
    });
  });

  test('is not sent once the two are no longer friends, or one has blocked the other', async () => {
    for (const part of [
      (person: TestPerson, id: string) =>
        person.call(deleteFriend, { params: { friendUserId: id } }),
      (person: TestPerson, id: string) =>
        person.call(createBlock, { body: { blocked_user_id: id } }),
    ]) {
      const [cat, dan] = await friends(api, 'Cat', 'Dan');
      const phone = await subscribed(dan);
      await choose(dan, ALWAYS_QUIET);
      await say(cat, dan, 'Bye');
      await untilPostponed(dan, 1);
      await part(dan, cat.user.id);
      await wake(dan);
      await expect.poll(() => reasons(dan, /^message /)).toEqual(['no longer true']);
      expect(phone.requests).toBe(0);
    }
  });
});

describe('a subscription', () => {
  beforeEach(async () => {
    await pushSubscriptions(api.db).deleteMany({ user_id: bob.user.id });
    await pushQueue(api.db).deleteMany({});
    await choose(bob, USUAL_PUSH_SETTINGS);
  });

  test('is removed when the push service says that it has expired, and others get the push', async () => {
    const [gone, phone] = [await subscribed(bob), await subscribed(await secondDevice(bob))];
    gone.answer(410);
    await say(ann, bob, 'Hello');
    await expect.poll(() => phone.received.length).toBe(1);
    const rows = () => pushSubscriptions(api.db).countDocuments({ user_id: bob.user.id });
    await expect.poll(rows).toBe(1);
    expect((await bob.call(getPushKey)).is_subscribed).toBe(false);
  });

  test('gets a push again after the push service was down', async () => {
    const phone = await subscribed(bob);
    phone.answer(503, 1, {
      'retry-after': 'Sun, 06 Nov 1994 09:49:00 GMT',
      date: 'Sun, 06 Nov 1994 08:49:00 GMT',
    });
    const at = Date.now();
    await say(ann, bob, 'Hello');
    await expect.poll(() => phone.requests).toBe(1);
    const waiting = () =>
      pushQueue(api.db).findOne({ 'message.user_id': bob.user.id, lease: null });
    await expect.poll(async () => (await waiting())?.error_code).toBe('push service 503');
    // As long as the push service asks for.
    expect((await waiting())!.due_at.getTime() - at).toBeGreaterThanOrEqual(3_600_000);
    await pushQueue(api.db).updateOne(
      { 'message.user_id': bob.user.id },
      { $set: { due_at: new Date() } },
    );
    await expect.poll(() => phone.received.length).toBe(1);
  });

  test('ends with a logout, a sign-out from another device, and by request', async () => {
    const person = await createMember(api, 'Cleo');
    const other = await secondDevice(person);
    const third = await secondDevice(person);
    for (const each of [person, other, third]) await subscribed(each);
    const count = () => pushSubscriptions(api.db).countDocuments({ user_id: person.user.id });
    expect(await count()).toBe(3);
    await third.call(logout);
    expect(await count()).toBe(2);
    await person.call(endOtherSessions);
    expect(await count()).toBe(1);
    await person.call(unsubscribeFromPush);
    expect(await count()).toBe(0);
  });

  test('moves to the user who signs in on the same browser', async () => {
    const [first, second] = [await createMember(api, 'First'), await createMember(api, 'Second')];
    const { subscription } = await subscribed(first);
    await second.call(subscribeToPush, { body: subscription });
    expect((await first.call(getPushKey)).is_subscribed).toBe(false);
    expect((await second.call(getPushKey)).is_subscribed).toBe(true);
  });

  test('is refused for addresses that are not of a known push service', async () => {
    const person = await createMember(api, 'Mallory');
    const { keys } = service.device().subscription;
    for (const endpoint of [
      'http://fcm.googleapis.com/x',
      'https://push.example.com/x',
      'https://10.0.0.1/x',
      'https://192.168.1.1/x',
      'https://169.254.169.254/latest/meta-data',
      'https://[fd00::1]/x',
      'https://mongodb/x',
      'https://fcm.googleapis.com:8443/x',
      'https://me@fcm.googleapis.com/x',
    ])
      await expectRefused(person.call(subscribeToPush, { body: { endpoint, keys } }), 400);
    const wrong = { endpoint: 'https://fcm.googleapis.com/x', keys: { ...keys, auth: 'short' } };
    await expectRefused(person.call(subscribeToPush, { body: wrong }), 400);
  });

  test('replaces the oldest one beyond twenty devices', async () => {
    const person = await createMember(api, 'Collector');
    const row = await (async () => {
      await subscribed(person);
      return pushSubscriptions(api.db).findOne({ user_id: person.user.id });
    })();
    const others = Array.from({ length: 20 }, (_, index) => ({
      ...row!,
      _id: `old ${index}`,
      endpoint: `https://push.example.com/${index}`,
      created_at: new Date(1_000 * index),
    }));
    await pushSubscriptions(api.db).insertMany(others);
    await subscribed(person);
    const ids = await pushSubscriptions(api.db).distinct('_id', { user_id: person.user.id });
    expect(ids).toHaveLength(20);
    expect(ids).toContain(row!._id);
    expect(ids).not.toContain('old 0');
  });
});

describe('pushes about people and moderation', () => {
  test('say of a name that looks like a friend’s that it is somebody else', async () => {
    const [ann, bob] = await friends(api, 'Ann', 'Bob');
    // With a Cyrillic letter.
    const other = await createMember(api, 'Bоb');
    const phone = await subscribed(ann);
    await other.call(createFriendRequest, { body: { receiver_user_id: ann.user.id } });
    await expect
      .poll(() => contents(phone))
      .toMatchObject([{ body: 'Bоb, not your friend Bob, would like to be friends.' }]);
    await ann.call(createFriendRequest, { body: { receiver_user_id: other.user.id } });
    await say(other, ann, 'hello');
    await expect
      .poll(() => contents(phone).at(-1))
      .toMatchObject({ title: 'Bоb (not your other friend Bob)', body: 'New message' });
    await ann.call(deleteFriend, { params: { friendUserId: other.user.id } });
    await say(bob, ann, 'hi');
    await expect
      .poll(() => contents(phone).at(-1))
      .toMatchObject({ title: 'Bob', body: 'New message' });
  });

  test('announce a friend request and its acceptance', async () => {
    const [ann, bob] = [await createMember(api, 'Ann'), await createMember(api, 'Bob')];
    const [phoneOfAnn, phoneOfBob] = [await subscribed(ann), await subscribed(bob)];
    await ann.call(createFriendRequest, { body: { receiver_user_id: bob.user.id } });
    await expect
      .poll(() => contents(phoneOfBob))
      .toMatchObject([
        { kind: 'friends', title: 'New friend request', body: 'Ann would like to be friends.' },
      ]);
    await bob.call(createFriendRequest, { body: { receiver_user_id: ann.user.id } });
    await expect
      .poll(() => contents(phoneOfAnn))
      .toMatchObject([
        {
          title: 'Friend request accepted',
          body: 'You and Bob are now friends.',
          path: `/chat/${bob.user.id}`,
        },
      ]);
    expect(phoneOfBob.received).toHaveLength(1);
  });

  test('drop a friend request on all devices once one of them has shown it', async () => {
    const [ann, bob] = [await createMember(api, 'Ann'), await createMember(api, 'Bob')];
    const phone = await subscribed(bob);
    const tablet = await secondDevice(bob);
    await bob.call(reportVisibility, { body: { is_visible: true, number: 1 } });
    const { friend_request } = await ann.call(createFriendRequest, {
      body: { receiver_user_id: bob.user.id },
    });
    const shown = [noticeKey.friendRequest(friend_request.id)];
    await untilHeld(bob);
    // Only the receiver's devices count.
    await ann.call(reportVisibility, {
      body: { is_visible: true, number: 1, shown },
    });
    await untilHeld(bob);
    await tablet.call(reportVisibility, {
      body: { is_visible: true, number: 1, shown },
    });
    await bob.call(reportVisibility, { body: { is_visible: false, number: 2 } });
    await expect.poll(() => reasons(bob, /^friend-request /)).toEqual(['shown in the app']);
    expect(phone.requests).toBe(0);
  });

  test('announce a moderator’s decision without details', async () => {
    const [admin, wolf] = [await api.asAdmin(), await createMember(api, 'Wolf')];
    const phone = await subscribed(wolf);
    await admin.call(issueWarning, {
      body: {
        user_id: wolf.user.id,
        warning_type: 'restriction',
        severity: 'moderate',
        reason: 'Insults',
      },
    });
    await expect
      .poll(() => contents(phone))
      .toMatchObject([{ kind: 'moderation', title: 'News about your account' }]);
    expect(JSON.stringify(contents(phone))).not.toContain('Insults');
  });

  test('announce a severe alert to people in its area only', async () => {
    const admin = await api.asAdmin();
    const [near, far] = [await createMember(api, 'Near'), await createMember(api, 'Far')];
    const [phoneNear, phoneFar] = [await subscribed(near), await subscribed(far)];
    await near.call(reportLocation, { body: { latitude: 12.5, longitude: 12.5 } });
    await far.call(reportLocation, { body: { latitude: -12.5, longitude: 12.5 } });
    const alert = {
      alert_type: 'weather' as const,
      title: 'Tornado warning',
      description: 'Take shelter now.',
      affected_latitude: 12.5,
      affected_longitude: 12.5,
      radius_miles: 5,
    };
    await admin.call(createAlert, { body: { ...alert, title: 'Light rain', severity: 'minor' } });
    await admin.call(createAlert, { body: { ...alert, severity: 'extreme' } });
    await expect
      .poll(() => contents(phoneNear))
      .toMatchObject([{ kind: 'alerts', title: 'Tornado warning', is_urgent: true }]);
    expect(phoneNear.received[0]?.headers['urgency']).toBe('high');
    expect(phoneFar.requests).toBe(0);
  });
});

describe('a walk that falls silent', () => {
  /** Makes the last report of a person this old. */
  async function age(person: TestPerson, seconds: number): Promise<void> {
    const at = new Date(Date.now() - seconds * 1000);
    await positions(api.db).updateOne(
      { _id: person.user.id },
      { $set: { at, minute: minuteOf(at) } },
    );
  }
  const isSilent = async (person: TestPerson) =>
    (await positions(api.db).findOne({ _id: person.user.id }))?.is_silent;

  test('is announced once on the owner’s devices, also at night, and again after the next silence', async () => {
    const person = await createMember(api, 'Walker');
    const phone = await subscribed(person);
    const tablet = await subscribed(await secondDevice(person));
    await choose(person, { push_quiet: true, push_quiet_from: 0, push_quiet_to: 1439 });
    await person.call(reportLocation, { body: { latitude: 33, longitude: 33 } });
    await age(person, 90);
    await expect.poll(() => isSilent(person)).toBeUndefined();
    await age(person, 101);
    const expected = {
      kind: 'walk',
      title: 'Leashwise',
      body: 'Your walk is no longer protected. Open Leashwise.',
      tag: 'proximity-stopped',
      path: '/home',
      is_urgent: true,
      silent_since: expect.any(Number) as number,
    };
    await expect.poll(() => contents(phone)).toEqual([expected]);
    await expect.poll(() => contents(tablet)).toEqual([expected]);
    expect(phone.received[0]?.headers['urgency']).toBe('high');
    expect(await isSilent(person)).toBe(true);

    await person.call(reportLocation, { body: { latitude: 33, longitude: 33 } });
    expect(await isSilent(person)).toBeUndefined();
    await age(person, 105);
    await expect.poll(() => phone.received.length).toBe(2);
  }, 60_000);

  test('is announced once when several nodes notice it at the same time', async () => {
    const person = await createMember(api, 'Walker');
    const phone = await subscribed(person);
    await person.call(reportLocation, { body: { latitude: 34, longitude: 34 } });
    await age(person, 101);
    const nodes = await Promise.all([spareServices(api), spareServices(api)]);
    await Promise.all(
      nodes.flatMap(({ services }) => {
        const notice = createSilentWalks(services, 0);
        return [notice(), notice()];
      }),
    );
    await expect.poll(() => phone.received.length).toBe(1);
    // A silence that was not recorded in time is noticed again, under the same key.
    await positions(api.db).updateOne({ _id: person.user.id }, { $unset: { is_silent: '' } });
    await expect.poll(() => isSilent(person)).toBe(true);
    expect(
      await pushQueue(api.db).countDocuments({ _id: new RegExp(`^walk ${person.user.id}`) }),
    ).toBe(1);
    expect(phone.requests).toBe(1);
    for (const node of nodes) await node.close();
  });

  test('is not announced after its end, or when the owner does not want it', async () => {
    const [ended, out, unwilling] = [
      await createMember(api, 'Ended'),
      await createMember(api, 'Out'),
      await createMember(api, 'Unwilling'),
    ];
    const phones = [];
    for (const person of [ended, out, unwilling]) {
      phones.push(await subscribed(person));
      await person.call(reportLocation, { body: { latitude: 35, longitude: 35 } });
    }
    await choose(unwilling, { push_walk: false });
    await ended.call(dropLocation, { query: {} });
    await out.call(logout);
    for (const person of [ended, out, unwilling]) await age(person, 101);
    await expect.poll(() => isSilent(unwilling)).toBe(true);
    await expect.poll(() => reasons(unwilling, /^walk /)).toEqual(['turned off']);
    expect(await positions(api.db).findOne({ _id: ended.user.id })).toBeNull();
    expect(phones.map(({ requests }) => requests)).toEqual([0, 0, 0]);
  }, 60_000);

  test('is announced after the API has restarted', async () => {
    const person = await createMember(api, 'Restarted');
    const phone = await subscribed(person);
    await person.call(reportLocation, { body: { latitude: 36, longitude: 36 } });
    await age(person, 101);
    await api.stopApi();
    await api.startApi();
    await expect.poll(() => phone.received.length, { timeout: 40_000 }).toBe(1);
  }, 60_000);
});

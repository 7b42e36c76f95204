import { ImmutableString } from '@automerge/automerge';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import { listMessages } from '#shared/chat/contract.ts';
import { SEGMENT_FULL } from '#shared/chat/rules.ts';
import { deleteFriend } from '#shared/friends/contract.ts';
import { NO_TIME } from '../../client/platform/sync/state/document-state.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { closeDevices, deviceOf, stubBrowser, type ChatDevice } from './device.ts';
import { friends, say, createMember, threadsOf } from './talk.ts';

vi.setConfig({ testTimeout: 60_000 });
const patience = { timeout: 30_000 };

let api: TestApi;
beforeAll(async () => {
  stubBrowser();
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());
afterEach(closeDevices);

const rowsOf = (thread_id: string) => api.db.collection('messages').find({ thread_id }).toArray();
const overHttp = async (one: TestPerson, other: TestPerson) =>
  (
    await one.call(listMessages, { params: { friendUserId: other.user.id }, query: {} })
  ).messages.map(({ message_text }) => message_text);
const hasThread = (device: ChatDevice, friend: TestPerson) => () =>
  device.threads.get(friend.user.id)?.getView().isReady === true;

async function twoWithTwoDevices() {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  const [phone, tablet, sams, samsOther] = await Promise.all([
    deviceOf(api, alex),
    deviceOf(api, alex),
    deviceOf(api, sam),
    deviceOf(api, sam),
  ]);
  for (const [device, friend] of [
    [phone, sam],
    [tablet, sam],
    [sams, alex],
    [samsOther, alex],
  ] as const)
    await expect.poll(hasThread(device, friend), patience).toBe(true);
  return { alex, sam, phone, tablet, sams, samsOther };
}

test('offline messages of four devices end up equal everywhere after reconnecting', async () => {
  const { alex, sam, phone, tablet, sams, samsOther } = await twoWithTwoDevices();
  phone.send(sam, 'Together');
  await expect.poll(() => samsOther.texts(alex), patience).toEqual(['Together']);
  for (const device of [phone, tablet, sams, samsOther]) device.cut();
  for (let i = 1; i <= 3; i++) {
    phone.send(sam, `phone ${i}`);
    tablet.send(sam, `tablet ${i}`);
    sams.send(alex, `sam ${i}`);
    samsOther.send(alex, `other ${i}`);
  }
  expect(phone.texts(sam)).toEqual(['Together', 'phone 1', 'phone 2', 'phone 3']);
  expect(phone.shown(sam).at(-1)?.delivery).toBe('device');
  for (const device of [samsOther, phone, sams, tablet]) device.restore();
  const all = [phone.shown(sam), tablet.shown(sam), sams.shown(alex), samsOther.shown(alex)];
  expect(all.every((each) => each.length === 13)).toBe(false);
  await expect
    .poll(
      () =>
        [phone.texts(sam), tablet.texts(sam), sams.texts(alex), samsOther.texts(alex)].map(
          ({ length }) => length,
        ),
      patience,
    )
    .toEqual([13, 13, 13, 13]);
  const order = phone.texts(sam);
  for (const texts of [tablet.texts(sam), sams.texts(alex), samsOther.texts(alex)])
    expect(texts).toEqual(order);
  await expect.poll(() => overHttp(alex, sam), patience).toEqual(order);
  // The messages of each device are in the order in which they were written.
  for (const who of ['phone', 'tablet', 'sam', 'other'])
    expect(order.filter((text) => text.startsWith(who))).toEqual(
      [1, 2, 3].map((i) => `${who} ${i}`),
    );
});

test('the delivery status follows a message from the device to being read', async () => {
  const { alex, sam, phone, sams, samsOther } = await twoWithTwoDevices();
  for (const device of [phone, sams, samsOther]) device.cut();
  phone.send(sam, 'Hello');
  const delivery = () => phone.shown(sam).map((message) => message.delivery);
  expect(delivery()).toEqual(['device']);
  phone.restore();
  await expect.poll(delivery, patience).toEqual(['server']);
  sams.restore();
  await expect.poll(delivery, patience).toEqual(['delivered']);
  expect(sams.threads.get(alex.user.id)?.getView().unread).toHaveLength(1);
  sams.threads.get(alex.user.id)?.markRead(sams.shown(alex));
  await expect.poll(delivery, patience).toEqual(['read']);
  // A message read on one device is read on the other, and over HTTP.
  samsOther.restore();
  await expect.poll(() => samsOther.texts(alex), patience).toEqual(['Hello']);
  await expect
    .poll(() => samsOther.threads.get(alex.user.id)?.getView().unread, patience)
    .toEqual([]);
  const { messages } = await alex.call(listMessages, {
    params: { friendUserId: sam.user.id },
    query: {},
  });
  expect(messages.map(({ is_read }) => is_read)).toEqual([true]);
});

test('messages over HTTP and from a device form one thread', async () => {
  const { alex, sam, phone, sams } = await twoWithTwoDevices();
  const sent = await say(alex, sam, 'By HTTP');
  await expect.poll(() => sams.texts(alex), patience).toEqual(['By HTTP']);
  expect(sams.shown(alex)[0]?.id).toBe(sent.id);
  sams.send(alex, 'By device');
  await expect.poll(() => overHttp(alex, sam), patience).toEqual(['By HTTP', 'By device']);
  await expect.poll(() => phone.texts(sam), patience).toEqual(['By HTTP', 'By device']);
});

test('a block removes a thread from every device, and no device restores it', async () => {
  const { alex, sam, phone, tablet, sams, samsOther } = await twoWithTwoDevices();
  phone.send(sam, 'Before');
  await expect.poll(() => samsOther.texts(alex), patience).toEqual(['Before']);
  const [thread] = await threadsOf(api, alex);
  const mine = thread?.segments[0]?.mine ?? '';
  tablet.cut();
  tablet.send(sam, 'While away');
  await sam.call(createBlock, { body: { blocked_user_id: alex.user.id } });
  for (const [device, friend] of [
    [phone, sam],
    [sams, alex],
    [samsOther, alex],
  ] as const)
    await expect.poll(() => device.threads.get(friend.user.id), patience).toBeNull();
  tablet.restore();
  await expect.poll(() => tablet.threads.get(sam.user.id), patience).toBeNull();
  expect(await rowsOf(thread?.thread_id ?? '')).toEqual([]);
  const _id = mine.replace('automerge:', '');
  const documents = api.db.collection<{ _id: string }>('documents');
  expect(await documents.findOne({ _id })).toBeNull();
  // A device that still has the messages can't send them to anyone.
  const liar = await deviceOf(api, alex);
  await expect(liar.segment(mine)).rejects.toThrow(/unavailable/);
  expect(await documents.findOne({ _id })).toBeNull();
});

test('former friends can’t send messages, even over the sync protocol', async () => {
  const { alex, sam, phone, sams } = await twoWithTwoDevices();
  phone.send(sam, 'Before');
  await expect.poll(() => sams.texts(alex), patience).toEqual(['Before']);
  const [thread] = await threadsOf(api, alex);
  const { mine = '', theirs = '' } = thread?.segments[0] ?? {};
  await sam.call(deleteFriend, { params: { friendUserId: alex.user.id } });
  const liar = await deviceOf(api, alex);
  await expect(liar.segment(theirs)).rejects.toThrow(/unavailable/);
  const own = await liar.segment(mine);
  own.change((segment) => {
    segment.messages['lie'] = {
      seq: 99,
      device: new ImmutableString('liar'),
      at: new ImmutableString(new Date().toISOString()),
      text: new ImmutableString('Still here'),
    };
  }, NO_TIME);
  // Later requests on the same connection are answered after it.
  await liar.repo.find(alex.user.documents.card as never);
  expect((await rowsOf(thread?.thread_id ?? '')).map(({ text }) => text)).toEqual(['Before']);
  expect(JSON.stringify(await api.document(mine))).not.toContain('Still here');
});

test('rejects messages forged in the friend’s name, and strangers find no segments', async () => {
  const { alex, sam, phone, sams } = await twoWithTwoDevices();
  phone.send(sam, 'Mine');
  await expect.poll(() => sams.texts(alex), patience).toEqual(['Mine']);
  const [thread] = await threadsOf(api, alex);
  const mine = thread?.segments[0]?.mine ?? '';
  const forged = await sams.segment(mine);
  forged.change((segment) => {
    delete segment.messages[Object.keys(segment.messages)[0] ?? ''];
  }, NO_TIME);
  const eve = await createMember(api, 'Eve');
  const stranger = await deviceOf(api, eve);
  await expect(stranger.segment(mine)).rejects.toThrow(/unavailable/);
  expect(phone.texts(sam)).toEqual(['Mine']);
  expect(JSON.stringify(await api.document(mine))).toContain('Mine');
});

test('a restricted user can’t send messages until the restriction ends', async () => {
  const { alex, sam, phone, sams } = await twoWithTwoDevices();
  const restrict = async (restricted_until: Date | null) => {
    await api.db
      .collection<{ _id: string }>('users')
      .updateOne({ _id: alex.user.id }, { $set: { restricted_until } });
    phone.cut();
    phone.restore();
  };
  await restrict(new Date(Date.now() + 60_000));
  phone.send(sam, 'Kept back');
  const [thread] = await threadsOf(api, alex);
  // Messages from the friend still arrive over the same connection.
  sams.send(alex, 'Anybody there?');
  await expect.poll(() => phone.texts(sam), patience).toContain('Anybody there?');
  expect((await rowsOf(thread?.thread_id ?? '')).map(({ text }) => text)).toEqual([
    'Anybody there?',
  ]);
  expect(sams.texts(alex)).toEqual(['Anybody there?']);
  await restrict(null);
  await expect.poll(() => sams.texts(alex), patience).toContain('Kept back');
});

test('segments follow each other seamlessly, and a late message of an older segment arrives', async () => {
  const { alex, sam, phone, tablet, sams } = await twoWithTwoDevices();
  tablet.cut();
  for (let i = 1; i <= SEGMENT_FULL; i++) phone.send(sam, `${i}`);
  await expect
    .poll(
      async () => (await threadsOf(api, sam))[0]?.segments.map(({ number }) => number),
      patience,
    )
    .toEqual([2, 1]);
  await expect.poll(() => phone.threads.get(sam.user.id)?.urls.length, patience).toBe(4);
  await expect.poll(hasThread(phone, sam), patience).toBe(true);
  phone.send(sam, 'next segment');
  await expect.poll(() => sams.texts(alex).length, patience).toBe(SEGMENT_FULL + 1);
  expect(sams.texts(alex).at(-1)).toBe('next segment');
  const number = { sender_user_id: alex.user.id, number: 2 };
  await expect
    .poll(
      () =>
        api.db
          .collection('messages')
          .find(number)
          .map(({ text }) => String(text))
          .toArray(),
      patience,
    )
    .toEqual(['next segment']);
  tablet.send(sam, 'from the older segment');
  tablet.restore();
  await expect.poll(() => sams.texts(alex), patience).toContain('from the older segment');
  await expect.poll(() => tablet.texts(sam).length, patience).toBe(SEGMENT_FULL + 2);
  expect(tablet.texts(sam)).toEqual(sams.texts(alex));
});

test('ignores malformed messages in a segment and rechecks changed ones', async () => {
  const { alex, sam, phone, sams } = await twoWithTwoDevices();
  const [thread] = await threadsOf(api, alex);
  const own = await phone.segment(thread?.segments[0]?.mine ?? '');
  const text = (value: string) => new ImmutableString(value);
  const at = text(new Date().toISOString());
  own.change((segment) => {
    const whole = { seq: 1, device: text('liar'), at, text: text('Whole') };
    Object.assign(segment.messages, {
      whole,
      'a key with spaces': whole,
      'no-text': { ...whole, text: text('  ') },
      'too-long': { ...whole, text: text('x'.repeat(1001)) },
      'no-number': { ...whole, seq: -1 },
      'no-time': { ...whole, at: text('tomorrow') },
      'no-map': 7,
    });
  }, NO_TIME);
  await expect.poll(() => sams.texts(alex), patience).toEqual(['Whole']);
  await expect.poll(() => overHttp(sam, alex), patience).toEqual(['Whole']);
  const messages = api.db.collection('messages');
  const one = { thread_id: thread?.thread_id ?? '' };
  await expect.poll(async () => (await messages.findOne(one))?.['is_checked'], patience).toBe(true);
  const before = await messages.findOne(one);
  own.change((segment) => {
    const entry = segment.messages['whole'];
    if (entry) entry.text = text('Something else');
  }, NO_TIME);
  await expect.poll(() => overHttp(sam, alex), patience).toEqual(['Something else']);
  const after = await messages.findOne(one);
  expect(after?.['created_at']).toEqual(before?.['created_at']);
  expect(Number(after?.['updated_at'])).toBeGreaterThan(Number(before?.['updated_at']));
});

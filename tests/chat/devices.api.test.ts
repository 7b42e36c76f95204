import { ImmutableString } from '@automerge/automerge';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import { listMessages } from '#shared/chat/contract.ts';
import { SEGMENT_FULL } from '#shared/chat/document.ts';
import { deleteFriend } from '#shared/friends/contract.ts';
import { NO_TIME } from '../../client/sync/documents/no-time.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { closeDevices, deviceOf, pretendToBeABrowser, type ChatDevice } from './device.ts';
import { friends, say, somebody, threadsOf } from './talk.ts';

vi.setConfig({ testTimeout: 60_000 });
const soon = { timeout: 15_000 };

let api: TestApi;
beforeAll(async () => {
  pretendToBeABrowser();
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
    await expect.poll(hasThread(device, friend), soon).toBe(true);
  return { alex, sam, phone, tablet, sams, samsOther };
}

test('what is written apart is the same everywhere when all are together again', async () => {
  const { alex, sam, phone, tablet, sams, samsOther } = await twoWithTwoDevices();
  phone.send(sam, 'Together');
  await expect.poll(() => samsOther.texts(alex), soon).toEqual(['Together']);
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
      soon,
    )
    .toEqual([13, 13, 13, 13]);
  const order = phone.texts(sam);
  for (const texts of [tablet.texts(sam), sams.texts(alex), samsOther.texts(alex)])
    expect(texts).toEqual(order);
  await expect.poll(() => overHttp(alex, sam), soon).toEqual(order);
  // Each one's own words are in the order in which they were written.
  for (const who of ['phone', 'tablet', 'sam', 'other'])
    expect(order.filter((text) => text.startsWith(who))).toEqual(
      [1, 2, 3].map((i) => `${who} ${i}`),
    );
});

test('a message says where it truly is', async () => {
  const { alex, sam, phone, sams, samsOther } = await twoWithTwoDevices();
  for (const device of [phone, sams, samsOther]) device.cut();
  phone.send(sam, 'Hello');
  const delivery = () => phone.shown(sam).map((message) => message.delivery);
  expect(delivery()).toEqual(['device']);
  phone.restore();
  await expect.poll(delivery, soon).toEqual(['server']);
  sams.restore();
  await expect.poll(delivery, soon).toEqual(['delivered']);
  expect(sams.threads.get(alex.user.id)?.getView().unread).toHaveLength(1);
  sams.threads.get(alex.user.id)?.markRead(sams.shown(alex));
  await expect.poll(delivery, soon).toEqual(['read']);
  // What was read on one device is read on the other, and over HTTP.
  samsOther.restore();
  await expect.poll(() => samsOther.texts(alex), soon).toEqual(['Hello']);
  await expect.poll(() => samsOther.threads.get(alex.user.id)?.getView().unread, soon).toEqual([]);
  const { messages } = await alex.call(listMessages, {
    params: { friendUserId: sam.user.id },
    query: {},
  });
  expect(messages.map(({ is_read }) => is_read)).toEqual([true]);
});

test('what is said over HTTP and on a device is one thread', async () => {
  const { alex, sam, phone, sams } = await twoWithTwoDevices();
  const sent = await say(alex, sam, 'By HTTP');
  await expect.poll(() => sams.texts(alex), soon).toEqual(['By HTTP']);
  expect(sams.shown(alex)[0]?.id).toBe(sent.id);
  sams.send(alex, 'By device');
  await expect.poll(() => overHttp(alex, sam), soon).toEqual(['By HTTP', 'By device']);
  await expect.poll(() => phone.texts(sam), soon).toEqual(['By HTTP', 'By device']);
});

test('a block removes it all from every device, and no device brings it back', async () => {
  const { alex, sam, phone, tablet, sams, samsOther } = await twoWithTwoDevices();
  phone.send(sam, 'Before');
  await expect.poll(() => samsOther.texts(alex), soon).toEqual(['Before']);
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
    await expect.poll(() => device.threads.get(friend.user.id), soon).toBeNull();
  tablet.restore();
  await expect.poll(() => tablet.threads.get(sam.user.id), soon).toBeNull();
  expect(await rowsOf(thread?.thread_id ?? '')).toEqual([]);
  const _id = mine.replace('automerge:', '');
  const documents = api.db.collection<{ _id: string }>('documents');
  expect(await documents.findOne({ _id })).toBeNull();
  // A device that will not let go of it finds nobody who takes it.
  const liar = await deviceOf(api, alex);
  await expect(liar.segment(mine)).rejects.toThrow(/unavailable/);
  expect(await documents.findOne({ _id })).toBeNull();
});

test('former friends write nothing more, on the wire either', async () => {
  const { alex, sam, phone, sams } = await twoWithTwoDevices();
  phone.send(sam, 'Before');
  await expect.poll(() => sams.texts(alex), soon).toEqual(['Before']);
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
  // Whatever comes after it on the same line is answered after it.
  await liar.repo.find(alex.user.documents.card as never);
  expect((await rowsOf(thread?.thread_id ?? '')).map(({ text }) => text)).toEqual(['Before']);
  expect(JSON.stringify(await api.document(mine))).not.toContain('Still here');
});

test('nobody writes in the name of the other, and a stranger finds nothing', async () => {
  const { alex, sam, phone, sams } = await twoWithTwoDevices();
  phone.send(sam, 'Mine');
  await expect.poll(() => sams.texts(alex), soon).toEqual(['Mine']);
  const [thread] = await threadsOf(api, alex);
  const mine = thread?.segments[0]?.mine ?? '';
  const forged = await sams.segment(mine);
  forged.change((segment) => {
    delete segment.messages[Object.keys(segment.messages)[0] ?? ''];
  }, NO_TIME);
  const eve = await somebody(api, 'Eve');
  const stranger = await deviceOf(api, eve);
  await expect(stranger.segment(mine)).rejects.toThrow(/unavailable/);
  expect(phone.texts(sam)).toEqual(['Mine']);
  expect(JSON.stringify(await api.document(mine))).toContain('Mine');
});

test('whoever is restricted writes to nobody until that is over', async () => {
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
  // What the other one says still arrives, over the same line.
  sams.send(alex, 'Anybody there?');
  await expect.poll(() => phone.texts(sam), soon).toContain('Anybody there?');
  expect((await rowsOf(thread?.thread_id ?? '')).map(({ text }) => text)).toEqual([
    'Anybody there?',
  ]);
  expect(sams.texts(alex)).toEqual(['Anybody there?']);
  await restrict(null);
  await expect.poll(() => sams.texts(alex), soon).toContain('Kept back');
});

test('segments follow one another unnoticed, and a late message of an older segment arrives', async () => {
  const { alex, sam, phone, tablet, sams } = await twoWithTwoDevices();
  tablet.cut();
  for (let i = 1; i <= SEGMENT_FULL; i++) phone.send(sam, `${i}`);
  await expect
    .poll(async () => (await threadsOf(api, sam))[0]?.segments.map(({ number }) => number), soon)
    .toEqual([2, 1]);
  await expect.poll(() => phone.threads.get(sam.user.id)?.urls.length, soon).toBe(4);
  await expect.poll(hasThread(phone, sam), soon).toBe(true);
  phone.send(sam, 'next segment');
  await expect.poll(() => sams.texts(alex).length, soon).toBe(SEGMENT_FULL + 1);
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
      soon,
    )
    .toEqual(['next segment']);
  tablet.send(sam, 'from the older segment');
  tablet.restore();
  await expect.poll(() => sams.texts(alex), soon).toContain('from the older segment');
  await expect.poll(() => tablet.texts(sam).length, soon).toBe(SEGMENT_FULL + 2);
  expect(tablet.texts(sam)).toEqual(sams.texts(alex));
});

test('what makes no sense in a segment is nothing, and what is changed is looked at again', async () => {
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
  await expect.poll(() => sams.texts(alex), soon).toEqual(['Whole']);
  await expect.poll(() => overHttp(sam, alex), soon).toEqual(['Whole']);
  const messages = api.db.collection('messages');
  const one = { thread_id: thread?.thread_id ?? '' };
  await expect.poll(async () => (await messages.findOne(one))?.['is_checked'], soon).toBe(true);
  const before = await messages.findOne(one);
  own.change((segment) => {
    const entry = segment.messages['whole'];
    if (entry) entry.text = text('Something else');
  }, NO_TIME);
  await expect.poll(() => overHttp(sam, alex), soon).toEqual(['Something else']);
  const after = await messages.findOne(one);
  expect(after?.['created_at']).toEqual(before?.['created_at']);
  expect(Number(after?.['updated_at'])).toBeGreaterThan(Number(before?.['updated_at']));
});

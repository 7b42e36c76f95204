import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import { NOT_FRIENDS, searchMessages } from '#shared/chat/contract.ts';
import type { ThreadRow } from '../../api/features/chat/collections.ts';
import { newSegment } from '../../api/features/chat/threads.ts';
import {
  findOlder,
  findOpen,
  type AskServer,
  type Progress,
} from '../../client/features/chat/search/message-search.ts';
import type { DocumentStorage } from '../../client/platform/sync/storage/document-storage.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { closeDevices, deviceOf, stubBrowser, type ChatDevice } from './device.ts';
import { Disk } from './disk.ts';
import { friends, say, threadsOf } from './talk.ts';

vi.setConfig({ testTimeout: 60_000 });
const patience = { timeout: 30_000 };

let api: TestApi;
beforeAll(async () => {
  stubBrowser();
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());
afterEach(closeDevices);

/** Adds this many segments to the thread, as if years had passed. The API carries it out when it starts. */
async function rollOver(one: TestPerson, count: number): Promise<void> {
  const threads = api.db.collection<ThreadRow>('threads');
  const thread = await threads.findOne({ users: one.user.id, state: 'open' });
  if (!thread) throw new Error('no thread');
  const [last] = await api.db.collection('messages').find().sort({ seq: -1 }).limit(1).toArray();
  const after = Number(last?.['seq'] ?? 0);
  const segments = Array.from({ length: count }, () => newSegment(thread.users, after));
  await threads.updateOne(
    { _id: thread._id },
    {
      $push: { segments: { $each: segments } },
      $inc: { revision: 1 },
      $set: { is_settled: false },
    },
  );
  await api.restartApi();
  const total = thread.segments.length + count;
  await expect
    .poll(async () => (await threadsOf(api, one))[0]?.segments.length, patience)
    .toBe(total);
}

const viewOf = (device: ChatDevice, friend: TestPerson) =>
  device.threads.get(friend.user.id)?.getView();
const isReady = (device: ChatDevice, friend: TestPerson) => () =>
  viewOf(device, friend)?.isReady === true;

async function ready(
  person: TestPerson,
  friend: TestPerson,
  storage?: DocumentStorage,
): Promise<ChatDevice> {
  const device = await deviceOf(api, person, storage);
  await expect.poll(isReady(device, friend), patience).toBe(true);
  return device;
}

async function search(
  { threads }: ChatDevice,
  words: string,
  { person, friend = null }: { person: TestPerson | null; friend?: TestPerson | null },
) {
  const steps: Progress[] = [];
  const askServer: AskServer = async (searched, friend_user_id) => {
    const query = { words: searched, ...(friend_user_id && { friend_user_id }) };
    const { messages } = (await person?.call(searchMessages, { query })) ?? { messages: [] };
    return messages.map(({ friend_user_id: of, is_own, ...message }) => ({
      friend_user_id: of,
      message: { ...message, isOwn: is_own },
    }));
  };
  const friendUserId = friend && friend.user.id;
  await findOlder(threads, words, {
    friendUserId,
    askServer: person && askServer,
    signal: new AbortController().signal,
    onProgress: (progress) => steps.push(progress),
  });
  const { found = [], ...rest } = steps.at(-1) ?? {};
  const all = [...findOpen(threads, words, friendUserId), ...found];
  const texts = new Map(all.map(({ message }) => [message.id, message.text]));
  return { texts: [...texts.values()].toSorted(), ...rest };
}

/** Alex writes 'Late' on an offline device, which is then three segments behind. */
async function writtenOffline() {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  await say(sam, alex, 'First');
  const away = await ready(alex, sam);
  await expect.poll(() => away.texts(sam), patience).toEqual(['First']);
  away.cut();
  away.send(sam, 'Late');
  await rollOver(sam, 3);
  return { alex, sam, away };
}

test('a late message in an old segment counts as unread and shows in its place', async () => {
  const { alex, sam, away } = await writtenOffline();
  await say(sam, alex, 'Newest');
  const phone = await ready(sam, alex);
  await expect.poll(() => phone.texts(alex), patience).toEqual(['Newest']);
  const tablet = await ready(sam, alex);
  expect(phone.threads.get(alex.user.id)?.urls).toHaveLength(4);

  away.restore();
  await expect.poll(() => viewOf(phone, alex)?.unread.length, patience).toBe(1);
  expect(phone.summaries.of(alex.user.id)).toMatchObject({ preview: 'Newest', unread_count: 1 });
  const [id = ''] = viewOf(phone, alex)?.unread ?? [];
  const thread = phone.threads.get(alex.user.id);
  expect(thread?.numberOf(id)).toBe(1);
  expect(thread?.getRange(1).messages.map(({ text }) => text)).toEqual(['First', 'Late']);
  expect(thread?.getRange(1)).toMatchObject({ hasEarlier: false, hasLater: true });
  // The end of the thread and the older segment are separate ranges.
  expect(phone.texts(alex)).toEqual(['Newest']);
  thread?.markRead(phone.shown(alex));
  expect(viewOf(phone, alex)?.unread).toEqual([id]);
  expect(thread?.isBefore(id, phone.shown(alex)[0]?.id ?? '')).toBe(true);

  thread?.markRead(thread.getRange(1).messages);
  expect(viewOf(phone, alex)?.unread).toEqual([]);
  await expect.poll(() => viewOf(tablet, alex)?.unread, patience).toEqual([]);
  const states = () => away.shown(sam).map(({ text, delivery }) => [text, delivery]);
  await expect.poll(states, patience).toContainEqual(['Late', 'read']);

  // The gap can be loaded from either side. Then it is one range.
  await phone.threads.openNext(alex.user.id, 1, 'later');
  expect(phone.texts(alex)).toEqual(['First', 'Late', 'Newest']);
  // A later start opens no additional segments.
  await say(alex, sam, 'And on');
  await expect.poll(async () => (await threadsOf(api, sam))[0]?.waiting, patience).toEqual([]);
  const fresh = await ready(sam, alex);
  await expect.poll(() => fresh.texts(alex), patience).toEqual(['Newest', 'And on']);
});

test('the API announces a late message in an old segment after a restart', async () => {
  const { alex, sam, away } = await writtenOffline();
  await api.stopApi();
  away.restore();
  const late = { sender_user_id: alex.user.id };
  await expect.poll(() => api.db.collection('messages').countDocuments(late), patience).toBe(1);
  // The API was down for longer than signals are replayed.
  await api.db.collection('signals').updateMany({}, { $set: { at: new Date(0) } });
  await api.restartApi();
  await expect.poll(async () => (await threadsOf(api, sam))[0]?.waiting, patience).toEqual([1]);
});

test('marks only the newest of many segments with unread messages', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  for (let segment = 1; segment <= 7; segment++) {
    await say(alex, sam, `Segment ${segment}`);
    await rollOver(sam, 1);
  }
  await say(alex, sam, 'Newest');
  const waiting = async () => (await threadsOf(api, sam))[0]?.waiting.toSorted();
  await expect.poll(waiting, patience).toEqual([3, 4, 5, 6]);
  expect((await threadsOf(api, alex))[0]?.waiting).toEqual([]);
  const phone = await ready(sam, alex);
  await expect.poll(() => viewOf(phone, alex)?.unread.length, patience).toBe(6);
  expect(phone.texts(alex)).toEqual([
    'Segment 3',
    'Segment 4',
    'Segment 5',
    'Segment 6',
    'Segment 7',
    'Newest',
  ]);
});

test('sends offline messages after a restart, however many segments were added', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  const storage = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
  const disk = new Disk();
  const phone = await ready(alex, sam, disk);
  await say(sam, alex, 'Hello');
  await expect.poll(() => phone.texts(sam), patience).toEqual(['Hello']);
  phone.cut();
  phone.send(sam, 'Written on the train');
  await phone.repo.flush();
  await rollOver(sam, 3);
  // The app learns of the newer segments and closes before it can send anything.
  await expect.poll(async () => (await threadsOf(api, alex))[0]?.segments.length, patience).toBe(4);
  phone.threads.follow(await api.document(alex.user.documents.contacts));
  phone.threads.close();
  const again = await ready(alex, sam, disk);
  const sams = await ready(sam, alex);
  const thread = () => sams.threads.get(alex.user.id);
  await expect
    .poll(
      () =>
        thread()
          ?.everything()
          .map(({ text }) => text),
      patience,
    )
    .toContain('Written on the train');
  await expect.poll(() => again.journal.all(), patience).toEqual([]);
});

test('a search covers stored segments offline and all segments online', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  await say(alex, sam, 'The LAKE in part 1');
  await rollOver(sam, 1);
  await say(sam, alex, 'The lake in part 2 (at the *pier*)');
  await say(sam, alex, 'Nothing of it, at the Cafe\u0301 in the Straße');
  await rollOver(sam, 3);
  await say(alex, sam, 'The lake in part 5');
  const [one, two, five] = [
    'The LAKE in part 1',
    'The lake in part 2 (at the *pier*)',
    'The lake in part 5',
  ];
  const disk = new Disk();
  // The first segment is unread and therefore open.
  const first = await ready(sam, alex, disk);
  await expect.poll(() => findOpen(first.threads, 'lake', null).length, patience).toBe(2);
  const alone = { isIncomplete: true, share: 1 };
  const whole = { isIncomplete: false, share: 1 };
  expect(await search(first, 'lake', { person: null, friend: alex })).toEqual({
    texts: [one, five].toSorted(),
    ...alone,
  });
  const all = { texts: [one, two, five].toSorted(), ...whole };
  expect(await search(first, 'lake', { person: sam })).toEqual(all);
  expect(await search(first, '(AT THE *PIER*)'.toLowerCase(), { person: sam })).toEqual({
    texts: [two],
    ...whole,
  });
  expect((await search(first, 'a.*', { person: sam, friend: alex })).texts).toEqual([]);
  expect(await search(first, 'e (at', { person: sam, friend: alex })).toMatchObject({ texts: [] });

  for (const words of ['café', 'CAFE', 'strasse', `cafe${' '.repeat(2)}`]) {
    const { messages } = await sam.call(searchMessages, { query: { words } });
    expect(messages.map(({ text }) => text)).toEqual([expect.stringContaining('Straße')]);
  }
  const long = await sam.call(searchMessages, { query: { words: 'ae'.repeat(500) } });
  expect(long.messages).toEqual([]);

  // Segments opened once are stored on the device. The next start finds them without opening them or asking the server.
  for (const number of [2, 3]) await first.threads.openNumber(alex.user.id, number);
  await first.repo.flush();
  first.threads.close();
  const later = await ready(sam, alex, disk);
  later.cut();
  const opened = () => later.threads.get(alex.user.id)?.urls;
  await expect.poll(() => findOpen(later.threads, 'lake', null).length, patience).toBe(2);
  expect(await search(later, 'lake', { person: null, friend: alex })).toEqual(all);
  expect(opened()).toHaveLength(6);
  later.restore();

  // A message held for review shows to no one else, and a block removes it all.
  const [heldMessage] = findOpen(later.threads, 'lake in part 1', null);
  const hide = { message_id: heldMessage?.message.id, is_hidden: true };
  await api.change(sam.user.documents.contacts, 'message.hide', hide);
  await expect.poll(() => findOpen(later.threads, 'lake in part 1', null), patience).toEqual([]);
  expect(heldMessage && later.threads.isShown(heldMessage)).toBe(false);
  // The author sees that the own message is under review.
  later.send(alex, 'Held');
  const own = later.shown(alex).at(-1);
  await api.change(sam.user.documents.contacts, 'message.hide', {
    message_id: own?.id,
    is_hidden: true,
  });
  await expect
    .poll(() => later.shown(alex).at(-1), patience)
    .toMatchObject({ text: 'Held', delivery: 'held' });
  await alex.call(createBlock, { body: { blocked_user_id: sam.user.id } });
  await expect.poll(() => later.threads.get(alex.user.id), patience).toBeNull();
  expect((await search(later, 'lake', { person: sam })).texts).toEqual([]);
  expect(await sam.call(searchMessages, { query: { words: 'lake' } })).toEqual({ messages: [] });
  expect(await sam.call(searchMessages, { query: { words: 'lake\0\ud83d' } })).toEqual({
    messages: [],
  });
  await expectRefused(
    sam.call(searchMessages, { query: { words: 'lake', friend_user_id: alex.user.id } }),
    404,
    { error: NOT_FRIENDS },
  );
});

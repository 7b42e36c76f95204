import * as A from '@automerge/automerge';
import { describe, expect, test } from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import {
  readMessage,
  readSegment,
  readVector,
  type SegmentDocument,
} from '#shared/chat/document.ts';
import { readDrafts } from '#shared/chat/drafts.ts';
import { readHidden, readRestriction, readThreads } from '#shared/chat/threads.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import type { ContactsDocument } from '#shared/friends/document.ts';

const { contacts, account, segment } = documentKinds;

type ThreadInput = Parameters<(typeof contacts.changes)['thread.set']['apply']>[1];

const pair = (name: string) => ({
  mine: `automerge:mine${name}`,
  theirs: `automerge:theirs${name}`,
});
const thread = (version: number, fields: Partial<ThreadInput> = {}): ThreadInput => ({
  friend_user_id: 'sam',
  version,
  thread_id: 't',
  segments: { 1: pair('1') },
  ...fields,
});
const contactsAfter = (...threads: ThreadInput[]) =>
  threads.reduce(
    (doc, each) => A.change(doc, (draft) => contacts.changes['thread.set'].apply(draft, each)),
    A.from({ ...contacts.initial('alex') }) as A.Doc<ContactsDocument>,
  );

describe('a thread in the contacts document', () => {
  test('lists the segments of a thread newest first and adds new ones', () => {
    const segments = { 1: pair('1'), 2: pair('2'), 10: pair('10') };
    const doc = contactsAfter(thread(1), thread(2, { segments }));
    expect(readThreads(doc)).toEqual([
      {
        friend_user_id: 'sam',
        thread_id: 't',
        segments: [10, 2, 1].map((number) => ({ number, ...pair(`${number}`) })),
        waiting: [],
      },
    ]);
  });

  test('the highest version of a thread wins, regardless of order', () => {
    const over = thread(5, { thread_id: null, segments: {} });
    expect(readThreads(contactsAfter(over, thread(4)))).toEqual([]);
    expect(readThreads(contactsAfter(thread(4), over))).toEqual([]);
    const newThread = thread(6, { thread_id: 'u', segments: { 1: pair('new') } });
    for (const doc of [
      contactsAfter(thread(4), over, newThread),
      contactsAfter(newThread, over, thread(4)),
    ])
      expect(readThreads(doc)).toEqual([
        {
          friend_user_id: 'sam',
          thread_id: 'u',
          segments: [{ number: 1, ...pair('new') }],
          waiting: [],
        },
      ]);
  });

  test('writes only new segments to the contacts document', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [i + 1, pair(`${i}`)]));
    const before = contactsAfter(thread(1, { segments: many }));
    const after = A.change(before, (draft) =>
      contacts.changes['thread.set'].apply(
        draft,
        thread(2, { segments: { ...many, 201: pair('n') } }),
      ),
    );
    const change = A.getLastLocalChange(after);
    expect(change && A.decodeChange(change).ops.length).toBeLessThan(8);
  });

  test('ignores a malformed thread entry', () => {
    const of = (entry: unknown) => readThreads({ threads: { sam: entry } });
    for (const entry of [
      null,
      7,
      {},
      { thread_id: 't' },
      { thread_id: 't', segments: { x: pair('1') } },
    ])
      expect(of(entry)).toEqual([]);
    expect(readThreads(null)).toEqual([]);
  });
});

test('sets and clears a restriction and hidden messages', () => {
  let doc: A.Doc<ContactsDocument> = A.from({ ...contacts.initial('alex') });
  const { 'restriction.set': restrict, 'message.hide': hide } = contacts.changes;
  expect([readRestriction(doc), [...readHidden(doc)]]).toEqual([null, []]);
  const until = '2026-11-30T00:00:00.000Z';
  doc = A.change(doc, (draft) => {
    restrict.apply(draft, { until });
    hide.apply(draft, { message_id: 'p.1', is_hidden: true });
  });
  expect([readRestriction(doc), [...readHidden(doc)]]).toEqual([until, ['p.1']]);
  doc = A.change(doc, (draft) => {
    restrict.apply(draft, { until: null });
    hide.apply(draft, { message_id: 'p.1', is_hidden: false });
  });
  expect([readRestriction(doc), [...readHidden(doc)]]).toEqual([null, []]);
});

test('stores one draft per friend, replaces it, and removes it when empty', () => {
  let doc: A.Doc<AccountDocument> = A.from({ ...account.initial('alex') });
  const set = (friend_user_id: string, text: string) => {
    const input = { friend_user_id, text, at: '2026-11-21T12:00:00.000Z' };
    doc = A.change(doc, (draft) => account.changes['draft.set'].apply(draft, input));
    return readDrafts(doc);
  };
  expect(set('sam', 'See yo')).toEqual({ sam: 'See yo' });
  expect(set('kim', 'Hi')).toEqual({ sam: 'See yo', kim: 'Hi' });
  expect(set('sam', 'See you')).toEqual({ sam: 'See you', kim: 'Hi' });
  expect(set('sam', '')).toEqual({ kim: 'Hi' });
  const { input } = account.changes['draft.set'];
  const at = '2026-11-21T12:00:00.000Z';
  const fits = (length: number) =>
    input.safeParse({ friend_user_id: 'sam', text: 'x'.repeat(length), at }).success;
  // Longer than a message, for its author to shorten.
  expect([4_000, 4_001].map(fits)).toEqual([true, false]);
});

test('read marks only move forward, and an existing message is not rewritten', () => {
  const place = { thread_id: 't', number: 1, friend_user_id: 'sam', after: 7 };
  let doc: A.Doc<SegmentDocument> = A.from({ ...segment.initial('alex', '', place) });
  const { 'message.add': add, 'marks.set': mark } = segment.changes;
  const at = '2026-11-21T12:00:00.000Z';
  doc = A.change(doc, (draft) => {
    add.apply(draft, { key: 'a', seq: 8, device: 'd', at, text: 'First' });
    add.apply(draft, { key: 'a', seq: 9, device: 'd', at, text: 'Second' });
    mark.apply(draft, { received: { s: 5 }, read: { s: 3 } });
    mark.apply(draft, { received: { s: 4 }, read: { s: 4 } });
  });
  expect(readSegment(doc)).toEqual({
    number: 1,
    after: 7,
    messages: [{ key: 'a', seq: 8, device: 'd', at, text: 'First' }],
    removed: new Set(),
    received: { s: 5 },
    read: { s: 4 },
    reactions: {},
  });
});

test('a removed message is not shown when a device that missed the removal adds it again', () => {
  const { 'message.add': add, 'messages.remove': remove } = segment.changes;
  const message = { key: 'a', seq: 1, device: 'd', at: '2026-11-21T12:00:00.000Z', text: 'Oops' };
  const place = { thread_id: 't', number: 1, friend_user_id: 'sam', after: 0 };
  const rewritten = A.change(
    A.from({ ...segment.initial('alex', '', place) }) as A.Doc<SegmentDocument>,
    (draft) => remove.apply(draft, { keys: ['a'] }),
  );
  const again = A.change(rewritten, (draft) => add.apply(draft, message));
  expect(Object.keys(again.messages)).toEqual([]);
  // As an app of the last release does.
  const forced = A.change(rewritten, (draft) => {
    draft.messages['a'] = { seq: 1, device: 'd', at: message.at, text: 'Oops' } as never;
  });
  expect(readSegment(forced).messages).toEqual([]);
});

describe('what a message has besides its text', () => {
  const place = { thread_id: 't', number: 1, friend_user_id: 'sam', after: 0 };
  const at = '2026-11-21T12:00:00.000Z';
  const plain = { seq: 1, device: 'phone', at, text: 'Photo' };
  const {
    'message.add': add,
    'message.photo': photo,
    'message.voice': voice,
    'reaction.set': react,
  } = segment.changes;
  const empty = () => A.from({ ...segment.initial('alex', '', place) }) as A.Doc<SegmentDocument>;

  test('a reply, a photo and a place survive the document, and the photo gets its key later', () => {
    const message = {
      ...plain,
      key: 'a',
      reply_to: { number: 2, is_own: false, key: 'b' },
      photo: { width: 40, height: 30, image_key: null },
      place_id: 'lake',
    };
    let doc = A.change(empty(), (draft) => add.apply(draft, add.input.parse(message)));
    expect(readSegment(doc).messages).toEqual([message]);
    doc = A.change(doc, (draft) => {
      photo.apply(draft, { key: 'a', image_key: 'stored' });
      photo.apply(draft, { key: 'missing', image_key: 'stored' });
    });
    expect(readSegment(doc).messages).toEqual([
      { ...message, photo: { ...message.photo, image_key: 'stored' } },
    ]);
  });

  test('a voice note survives the document, and the recording gets its key later', () => {
    const message = { ...plain, key: 'a', voice: { seconds: 7, sound_key: null } };
    let doc = A.change(empty(), (draft) => add.apply(draft, add.input.parse(message)));
    expect(readSegment(doc).messages).toEqual([message]);
    doc = A.change(doc, (draft) => voice.apply(draft, { key: 'a', sound_key: 'webm-stored' }));
    expect(readSegment(doc).messages).toEqual([
      { ...message, voice: { seconds: 7, sound_key: 'webm-stored' } },
    ]);
  });

  test('malformed extras are left out, and the text stays', () => {
    for (const extras of [
      { reply_to: 'b', photo: 7, place_id: {} },
      { reply_to: null, photo: null, place_id: null },
      { reply_to: { number: 0, is_own: true, key: 'b' }, photo: { width: -1, height: 2 } },
      { reply_to: { number: 1, is_own: 'no', key: 'b' }, place_id: '../admin' },
      { photo: { width: 1, height: 1, image_key: '../sounds' }, place_id: 'x'.repeat(65) },
      { voice: { seconds: 61 } },
      { voice: { seconds: 2, sound_key: '../images' } },
      { voice: 'a minute' },
      { photo: { width: 1e9, height: 1 }, reply_to: { number: 1, is_own: true, key: '__proto__' } },
    ])
      expect(readMessage('a', { ...plain, ...extras })).toEqual({ ...plain, key: 'a' });
  });

  test('a message of a released app is read as before', () => {
    expect(readMessage('a', plain)).toEqual({ ...plain, key: 'a' });
  });

  test('reactions that two devices set without a network are all kept', () => {
    // A segment from before there were reactions.
    const old = empty();
    const [phone, tablet] = [A.clone(old), A.clone(old)];
    const one = A.change(phone, (draft) => react.apply(draft, { key: 'a', reaction: 'paw' }));
    const other = A.change(tablet, (draft) => react.apply(draft, { key: 'b', reaction: 'love' }));
    const merged = A.merge(one, other);
    expect(readSegment(merged).reactions).toEqual({ a: 'paw', b: 'love' });
    const removed = A.change(merged, (draft) => react.apply(draft, { key: 'a', reaction: null }));
    expect(readSegment(removed).reactions).toEqual({ b: 'love' });
  });

  test('malformed reactions are ignored', () => {
    expect(
      readSegment({ 'reaction.a': 'applause', 'reaction.__proto__': 'paw', 'reaction.b': 7 })
        .reactions,
    ).toEqual({});
  });
});

test('ignores messages and marks named like object prototype properties', () => {
  const message = { seq: 1, device: 'phone', at: '2026-11-20T10:00:00.000Z', text: 'Hello' };
  for (const name of ['constructor', 'toString', '__proto__']) {
    expect(readMessage('one', { ...message, device: name })).toBeNull();
    expect(readMessage(name, { ...message })).toBeNull();
    expect(
      readVector(
        Object.fromEntries([
          [name, 3],
          ['phone', 2],
        ]),
      ),
    ).toEqual({ phone: 2 });
    expect(segment.changes['message.add'].input.safeParse({ ...message, key: name }).success).toBe(
      false,
    );
  }
  expect(readMessage('one', { ...message })).toEqual({ key: 'one', ...message });
});

import { next as A } from '@automerge/automerge';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import type { CardDocument } from '#shared/profile/document.ts';
import type { SessionRow, SignalRow, UserRow } from '#shared/server/collections.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import * as contract from '#shared/sync/contract.ts';
import { stateDigest, isMatch, writeMarks } from '#shared/sync/state-digest.ts';
import { text } from '#shared/text.ts';
import { automergeUrl, startTestSync, type TestSync, type TestUser } from '../sync.ts';
import { fill, madeUpId, RawDevice } from './raw-device.ts';

vi.setConfig({ testTimeout: 60_000 });

let sync: TestSync;
beforeAll(async () => {
  sync = await startTestSync(inject('mongodbUri'));
});
afterAll(() => sync.close());

const device = (user: TestUser) => new RawDevice(sync.socket(user)).join();
const setReaders = (documentId: string, reader_user_ids: string[]) =>
  sync.call(contract.setReaders, { params: { documentId }, body: { reader_user_ids } });
const save = {
  name: 'profile.save',
  input: { display_name: 'Alex' },
};

test('a reader receives changes until the permission is removed', async () => {
  const [owner, friend] = [await sync.user(), await sync.user()];
  const id = await sync.document(owner, 'card');
  await setReaders(id, [friend.id]);
  const theirs = await sync.device(friend);
  const handle = await theirs.repo.find<CardDocument>(automergeUrl(id));
  await sync.call(contract.changeDocument, { params: { documentId: id }, body: save });
  await vi.waitFor(() => expect(handle.doc().display_name.val).toBe('Alex'), 30_000);
  const watching = await device(friend);
  await watching.read(id);
  await setReaders(id, []);
  expect(await watching.closed).toBe(closeCodes.rightsChanged);
  const again = await device(friend);
  again.request(id);
  expect((await again.next((answer) => answer.documentId === id)).type).toBe('doc-unavailable');
  again.close();
});

test('a card that becomes readable is found on the existing socket', async () => {
  const [owner, friend] = [await sync.user(), await sync.user()];
  const [card, own] = [await sync.document(owner, 'card'), await sync.document(friend)];
  await sync.call(contract.changeDocument, { params: { documentId: card }, body: save });
  const { repo } = await sync.device(friend);
  const settings = await repo.find<AccountDocument>(automergeUrl(own));
  let disconnected = 0;
  repo.networkSubsystem.on('peer-disconnected', () => disconnected++);
  await setReaders(card, [friend.id]);
  const handle = await repo.find<CardDocument>(automergeUrl(card));
  expect(handle.doc().display_name.val).toBe('Alex');
  settings.change((doc) => void (doc.settings['volume'] = 3));
  await vi.waitFor(async () => {
    const { value } = await sync.call(contract.readDocument, { params: { documentId: own } });
    expect(value).toMatchObject({ settings: { volume: 3 } });
  }, 30_000);
  expect(disconnected).toBe(0);
});

test('a device that requested a card too early gets it with the permission, and is disconnected without it', async () => {
  const [owner, friend] = [await sync.user(), await sync.user()];
  const card = await sync.document(owner, 'card');
  await sync.call(contract.changeDocument, { params: { documentId: card }, body: save });
  const early = await sync.device(friend);
  const bystander = await device(friend);
  await expect(early.repo.find<CardDocument>(automergeUrl(card))).rejects.toThrow('unavailable');
  await setReaders(card, [friend.id]);
  const handle = await vi.waitFor(() => early.repo.find<CardDocument>(automergeUrl(card)), 30_000);
  expect(handle.doc().display_name.val).toBe('Alex');
  await sync.call(contract.changeDocument, {
    params: { documentId: card },
    body: { ...save, input: { ...save.input, display_name: 'Sam' } },
  });
  await vi.waitFor(() => expect(handle.doc().display_name.val).toBe('Sam'), 30_000);
  let disconnected = 0;
  early.repo.networkSubsystem.on('peer-disconnected', () => disconnected++);
  await setReaders(card, []);
  await vi.waitFor(() => expect(disconnected).toBe(1), 30_000);
  expect(bystander.socket.readyState).toBe(bystander.socket.OPEN);
  bystander.close();
});

test('a full document rejects a named change', async () => {
  const owner = await sync.user();
  const id = await sync.document(owner, 'card');
  await fill(await device(owner), id, 2);
  const names: string[] = [];
  const rename = async (display_name: string) => {
    await sync.call(contract.changeDocument, {
      params: { documentId: id },
      body: { ...save, input: { ...save.input, display_name } },
    });
    names.push(display_name);
  };
  const untilFull = async () => {
    for (let i = 0; i < 12; i++) await rename(`Name ${i}`);
  };
  await expect(untilFull()).rejects.toMatchObject({
    status: 413,
    code: 'too_large',
    message: 'There’s no space left to save this',
  });
  expect(names.length).toBeGreaterThan(0);
  const { value } = await sync.call(contract.readDocument, { params: { documentId: id } });
  expect(value).toMatchObject({ display_name: names.at(-1) });
});

test('an unauthorized edit of an honest reader stays on its device without a disconnect', async () => {
  const [owner, friend] = [await sync.user(), await sync.user()];
  const id = await sync.document(owner, 'card');
  await setReaders(id, [friend.id]);
  const { repo } = await sync.device(friend);
  const handle = await repo.find<CardDocument>(automergeUrl(id));
  let disconnected = 0;
  repo.networkSubsystem.on('peer-disconnected', () => disconnected++);
  handle.change((doc) => void (doc.display_name = new A.ImmutableString('Not me')));
  await sync.call(contract.changeDocument, { params: { documentId: id }, body: save });
  await vi.waitFor(() => expect(A.getHeads(handle.doc()).length).toBe(2), 30_000);
  const { value } = await sync.call(contract.readDocument, { params: { documentId: id } });
  expect(value).toMatchObject({ display_name: 'Alex' });
  expect(disconnected).toBe(0);
});

test('sockets close when the session or the access ends', async () => {
  const users = [await sync.user(), await sync.user(), await sync.user()] as const;
  const devices = await Promise.all(users.map(device));
  const bystander = await device(await sync.user());
  await sync.db
    .collection<SessionRow>('sessions')
    .updateOne({ _id: users[0].sessionId }, { $set: { revoked_at: new Date() } });
  await sync.db
    .collection<UserRow>('users')
    .updateOne({ _id: users[1].id }, { $set: { access_expires_at: new Date(0) } });
  const signals = sync.db.collection<SignalRow>('signals');
  await signals.insertOne({ topic: 'session', user_id: users[0].id, at: new Date() });
  await signals.insertOne({ topic: 'user', user_id: users[1].id, at: new Date() });
  await sync.call(contract.disconnect, { body: { session_id: users[2].sessionId } });
  for (const one of devices) expect(await one.closed).toBe(closeCodes.rightsChanged);
  expect(bystander.socket.readyState).toBe(bystander.socket.OPEN);
  bystander.close();
});

test('a removed document is unavailable to each device', async () => {
  const owner = await sync.user();
  const id = await sync.document(owner, 'card');
  await sync.call(contract.changeDocument, { params: { documentId: id }, body: save });
  const one = await device(owner);
  const doc = await one.read<CardDocument>(id);
  await sync.call(contract.removeDocument, { params: { documentId: id } });
  await sync.call(contract.removeDocument, { params: { documentId: id } });
  expect(await one.closed).toBe(closeCodes.rightsChanged);
  const back = await device(owner);
  const after = A.change(doc, (draft) => void (draft.join_date = text('2026')));
  back.push(id, A.getHeads(after), [A.save(after)], 'v2');
  expect((await back.next((answer) => answer.documentId === id)).type).toBe('doc-unavailable');
  await expect(
    sync.call(contract.readDocument, { params: { documentId: id } }),
  ).rejects.toMatchObject({ status: 404 });
  for (const name of ['documents', 'cards'])
    expect(
      await sync.db
        .collection(name)
        .countDocuments({ $or: [{ _id: id as never }, { document_id: id }] }),
    ).toBe(0);
  expect(await sync.db.collection('document_log').countDocuments({ 'entries.document': id })).toBe(
    0,
  );
  back.close();
});

test('ephemeral messages reach only devices that have the document open', async () => {
  const [owner, friend, stranger] = [await sync.user(), await sync.user(), await sync.user()];
  const id = await sync.document(owner, 'card');
  await setReaders(id, [friend.id]);
  const [theirs, mine, others] = [
    await device(friend),
    await device(owner),
    await device(stranger),
  ];
  await Promise.all([theirs.read(id), mine.read(id)]);
  const message = {
    type: 'ephemeral',
    documentId: id,
    count: 1,
    sessionId: 's',
    data: new Uint8Array([1, 2]),
  };
  others.send(message);
  mine.send(message);
  const got = await theirs.next((answer) => answer.type === 'ephemeral');
  expect(got).toMatchObject({
    senderId: mine.peerId,
    targetId: theirs.peerId,
    documentId: id,
    count: 1,
    sessionId: 's',
  });
  expect(Buffer.from(got.data!)).toEqual(Buffer.from([1, 2]));
  expect(theirs.answers.filter((answer) => answer.type === 'ephemeral')).toHaveLength(1);
  theirs.answers.length = 0;
  mine.send({ ...message, count: 2, data: new Uint8Array(5000) });
  mine.send({ ...message, count: 3 });
  expect(await theirs.next((answer) => answer.type === 'ephemeral')).toMatchObject({ count: 3 });
  for (const one of [mine, theirs, others]) one.close();
});

test('a reader cannot send ephemeral messages to the owner or other readers', async () => {
  const people = [await sync.user(), await sync.user(), await sync.user()] as const;
  const [owner, one, another] = people;
  const id = await sync.document(owner, 'card');
  await setReaders(id, [one.id, another.id]);
  const openDocuments = async () => (await sync.call(contract.getMetrics)).open_documents;
  const others = await openDocuments();
  const first = await device(owner);
  const mark = stateDigest(id, A.getHeads(await first.read(id)))!;
  first.close();
  await vi.waitFor(async () => expect(await openDocuments()).toBe(others));
  const all = await Promise.all(people.map(device));
  const [mine, ...readers] = all;
  let count = 0;
  const say = (from: RawDevice, word: number) =>
    from.send({
      type: 'ephemeral',
      documentId: id,
      count: ++count,
      sessionId: 's',
      data: new Uint8Array([word]),
    });
  const broadcastFromAll = async (word: number) => {
    for (const reader of readers) {
      say(reader, 0);
      // Messages of a socket are processed in order.
      const nowhere = madeUpId();
      reader.request(nowhere);
      await reader.next(({ documentId }) => documentId === nowhere);
    }
    say(mine!, word);
    for (const reader of readers)
      await reader.next(({ type, data }) => type === 'ephemeral' && data![0] === word);
  };
  for (const each of all) {
    each.send({ type: 'compare', data: writeMarks([mark]) });
    const { data } = await each.next(({ type }) => type === 'compared');
    expect(isMatch(data!, 0)).toBe(true);
  }
  await broadcastFromAll(1);
  for (const each of all) {
    each.request(id);
    await each.next(({ type, documentId }) => type === 'sync' && documentId === id);
  }
  await broadcastFromAll(2);
  const received = all.map(({ answers }) =>
    answers.filter(({ type }) => type === 'ephemeral').map(({ data }) => data![0]),
  );
  expect(received).toEqual([[], [1, 2], [1, 2]]);
  for (const each of all) each.close();
});

test('an unmodified Repo that echoes ephemeral messages stays connected', async () => {
  const [owner, friend] = [await sync.user(), await sync.user()];
  const id = await sync.document(owner, 'card');
  await setReaders(id, [friend.id]);
  const [mine, theirs] = [await sync.device(owner), await sync.device(friend)];
  const [sender, receiver] = [
    await mine.repo.find(automergeUrl(id)),
    await theirs.repo.find(automergeUrl(id)),
  ];
  const got: unknown[] = [];
  receiver.on('ephemeral-message', ({ message }) => got.push(message));
  let isCut = false;
  theirs.repo.networkSubsystem.on('peer-disconnected', () => (isCut = true));
  for (const word of ['one', 'two', 'three']) {
    sender.broadcast(word);
    await vi.waitFor(() => expect(got).toContain(word));
  }
  // Later changes use the same connection.
  sender.change((card) => Object.assign(card as object, { display_name: 'Ann' }));
  await vi.waitFor(() => expect(String(Object(receiver.doc()).display_name)).toBe('Ann'));
  expect(got).toEqual(['one', 'two', 'three']);
  expect(isCut).toBe(false);
});

test('the internal port checks its secret, rejects invalid calls and accepts repeats', async () => {
  const owner = await sync.user();
  const id = await sync.document(owner, 'card');
  const bare = await fetch(`${sync.internalOrigin}/documents/${id}`);
  expect(bare.status).toBe(401);
  const wrong = { authorization: 'Bearer a secret of the tests!' };
  expect((await fetch(`${sync.internalOrigin}/documents/${id}`, { headers: wrong })).status).toBe(
    401,
  );
  // While the secret is rotated, an API that has not restarted yet still uses the previous one.
  const before = { authorization: 'Bearer the secret before of the tests' };
  const read = await fetch(`${sync.internalOrigin}/documents/${id}`, { headers: before });
  expect(read.status).toBe(200);
  const create = (owner_user_id: string) =>
    sync.call(contract.createDocument, {
      body: { document_id: id, kind: 'card', owner_user_id, created_at: new Date().toISOString() },
    });
  await expect(create(owner.id)).resolves.toEqual({});
  await expect(create('somebody else')).rejects.toMatchObject({ status: 409, code: 'conflict' });
  const change = (documentId: string, name: string, input: unknown) =>
    sync.call(contract.changeDocument, { params: { documentId }, body: { name, input } });
  await expect(change(id, 'toString', {})).rejects.toMatchObject({
    status: 400,
    code: 'invalid_input',
  });
  await expect(change(id, 'profile.save', { display_name: 7 })).rejects.toMatchObject({
    status: 400,
    fields: { display_name: expect.any(String) },
  });
  await expect(change(madeUpId(), save.name, save.input)).rejects.toMatchObject({
    status: 404,
    code: 'not_found',
  });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      change(id, 'dog.add', {
        id: `dog-${i}`,
        created_at: '2026-01-01T00:00:00Z',
        name: `Dog ${i}`,
        sound_type: 'leash_on',
      }),
    ),
  );
  expect(answers).toHaveLength(20);
  const { value } = await sync.call(contract.readDocument, { params: { documentId: id } });
  expect(Object.keys((value as CardDocument).dogs)).toHaveLength(20);
});

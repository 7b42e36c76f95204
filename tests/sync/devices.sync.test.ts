import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { next as A } from '@automerge/automerge';
import type { DocHandle } from '@automerge/automerge-repo';
import bs58check from 'bs58check';
import { Collection } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { AccountDocument } from '#shared/account/document.ts';
import { dogChanges } from '#shared/dogs/document.ts';
import { profileChanges, readCard, type CardDocument } from '#shared/profile/document.ts';
import type { CardRow, SessionRow } from '#shared/server/collections.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import * as contract from '#shared/sync/contract.ts';
import { automergeUrl, startTestSync, type TestSync } from '../sync.ts';
import { RawDevice } from './raw-device.ts';

vi.setConfig({ testTimeout: 60_000 });

let sync: TestSync;
beforeAll(async () => {
  sync = await startTestSync(inject('mongodbUri'));
});
afterAll(() => sync.close());

const until = <T>(check: () => T | Promise<T>) =>
  vi.waitFor(check, { timeout: 40_000, interval: 20 });
const settings = (handle: DocHandle<AccountDocument>) => handle.doc().settings;

test('two devices of one owner converge', async () => {
  const owner = await sync.user();
  const id = automergeUrl(await sync.document(owner));
  const phone = await (await sync.device(owner)).repo.find<AccountDocument>(id);
  const tablet = await (await sync.device(owner)).repo.find<AccountDocument>(id);
  phone.change((doc) => void (doc.settings['volume'] = 3));
  tablet.change((doc) => void (doc.settings['radius'] = 100));
  await until(() => {
    expect(settings(phone)).toEqual({ volume: 3, radius: 100 });
    expect(settings(tablet)).toEqual({ volume: 3, radius: 100 });
  });
});

test('offline edits on two devices both survive', async () => {
  const owner = await sync.user();
  const id = automergeUrl(await sync.document(owner));
  const devices = [await sync.device(owner), await sync.device(owner)];
  const handles = await Promise.all(devices.map(({ repo }) => repo.find<AccountDocument>(id)));
  for (const device of devices) device.cut();
  handles.forEach((handle, which) => {
    for (let i = 0; i < 50; i++) handle.change((doc) => void (doc.settings[`${which}-${i}`] = i));
    handle.change((doc) => void (doc.settings['same'] = which));
  });
  for (const device of devices) device.restore();
  await until(() => {
    for (const handle of handles) expect(Object.keys(settings(handle))).toHaveLength(101);
    expect(settings(handles[0]!)).toEqual(settings(handles[1]!));
  });
});

test('documents whose ids are no UUIDs, as older ones, still open and synchronize, also after a restart', async () => {
  const owner = await sync.user();
  const bytes = randomBytes(16);
  // The version of a UUID would be 4.
  bytes[6] = 0xf0;
  const document_id = bs58check.encode(bytes);
  await sync.call(contract.createDocument, {
    body: {
      document_id,
      kind: 'account',
      owner_user_id: owner.id,
      created_at: new Date().toISOString(),
    },
  });
  const id = automergeUrl(document_id);
  const phone = await (await sync.device(owner)).repo.find<AccountDocument>(id);
  phone.change((doc) => void (doc.settings['volume'] = 3));
  const tablet = await (await sync.device(owner)).repo.find<AccountDocument>(id);
  await until(() => expect(settings(tablet)).toEqual({ volume: 3 }));
  await sync.restart();
  tablet.change((doc) => void (doc.settings['radius'] = 100));
  await until(() => expect(settings(phone)).toEqual({ volume: 3, radius: 100 }));
  const { value } = await sync.call(contract.readDocument, {
    params: { documentId: document_id },
  });
  expect((value as AccountDocument).settings).toEqual({ volume: 3, radius: 100 });
});

test('a device receives the server’s heads once its change is durable', async () => {
  const owner = await sync.user();
  const id = await sync.document(owner);
  const { repo } = await sync.device(owner);
  const handle = await repo.find<AccountDocument>(automergeUrl(id));
  const storageId = await until(() => {
    const known = Object.values(repo.peerMetadataByPeerId)[0]?.storageId;
    expect(known).toBeDefined();
    return known!;
  });
  for (let i = 0; i < 10; i++) {
    handle.change((doc) => void (doc.settings['n'] = i));
    await until(() => expect(handle.getSyncInfo(storageId)?.lastHeads).toEqual(handle.heads()));
    const rows = await sync.db
      .collection('document_log')
      .find({ 'entries.document': id })
      .toArray();
    const chunks = rows.flatMap(
      (row) => row['entries'] as { document: string; chunks: { buffer: Uint8Array } }[],
    );
    let copy = A.load<AccountDocument>(
      (await sync.db.collection('documents').findOne({ _id: id as never }))!['snapshot'].buffer,
    );
    for (const entry of chunks)
      if (entry.document === id) copy = A.loadIncremental(copy, entry.chunks.buffer);
    expect(A.getHeads(copy)).toEqual(A.getHeads(handle.doc()));
  }
});

test('the API and devices change the same card', async () => {
  const owner = await sync.user();
  const id = await sync.document(owner, 'card');
  const handle = await (await sync.device(owner)).repo.find<CardDocument>(automergeUrl(id));
  await sync.call(contract.changeDocument, {
    params: { documentId: id },
    body: {
      name: 'profile.save',
      input: { display_name: 'Alex' },
    },
  });
  const row = await sync.db.collection<CardRow>('cards').findOne({ _id: owner.id });
  expect(row).toMatchObject({
    document_id: id,
    display_name: 'Alex',
    is_location_sharing_enabled: false,
    dogs: [],
  });
  await until(() => expect(readCard(handle.doc()).display_name).toBe('Alex'));
  handle.change((doc) => {
    dogChanges['dog.add'].apply(doc, {
      id: 'd1',
      created_at: '2026-01-01T00:00:00Z',
      name: 'Bo',
      sound_type: 'leash_on',
    });
    profileChanges['profile.save'].apply(doc, { display_name: 'Alex B' });
  });
  await until(async () => {
    const later = await sync.db.collection<CardRow>('cards').findOne({ _id: owner.id });
    expect(later).toMatchObject({ display_name: 'Alex B', dogs: [{ name: 'Bo' }] });
  });
  const { value } = await sync.call(contract.readDocument, { params: { documentId: id } });
  expect(value).toMatchObject({
    kind: 'card',
    display_name: 'Alex B',
    dogs: { d1: { name: 'Bo' } },
  });
});

test('a server can stop while it looks up sessions of connecting devices', async () => {
  const stopping = await startTestSync(inject('mongodbUri'));
  const owner = await stopping.user();
  const dial = () => {
    const device = new RawDevice(stopping.socket(owner));
    // Some are rejected, others disconnected.
    for (const end of [device.join(), device.closed]) end.catch(() => {});
    return device;
  };
  const dialled = Array.from({ length: 10 }, dial);
  await Promise.race(dialled.map(({ socket }) => once(socket, 'open')));
  dialled.push(...Array.from({ length: 10 }, dial));
  // The connections have arrived and their permissions are being looked up.
  await new Promise(setImmediate);
  await stopping.close();
  for (const { socket } of dialled) expect(socket.readyState).not.toBe(WebSocket.OPEN);
});

test('a session that ends after it was looked up closes the socket that is being opened', async () => {
  const owner = await sync.user();
  let lookedUp = () => {};
  let ended = () => {};
  const isLookedUp = new Promise<void>((resolve) => (lookedUp = resolve));
  const isEnded = new Promise<void>((resolve) => (ended = resolve));
  const aggregate = Reflect.get(Collection.prototype, 'aggregate');
  const spy = vi.spyOn(Collection.prototype, 'aggregate').mockImplementationOnce(function (
    this: Collection,
    ...args
  ) {
    const cursor = aggregate.apply(this, args);
    const toArray = cursor.toArray.bind(cursor);
    cursor.toArray = async () => {
      const found = await toArray();
      lookedUp();
      await isEnded;
      return found;
    };
    return cursor;
  });
  try {
    const device = new RawDevice(sync.socket(owner));
    await isLookedUp;
    await sync.db
      .collection<SessionRow>('sessions')
      .updateOne({ _id: owner.sessionId }, { $set: { revoked_at: new Date() } });
    await sync.call(contract.disconnect, { body: { session_id: owner.sessionId } });
    ended();
    expect(await device.closed).toBe(closeCodes.rightsChanged);
  } finally {
    spy.mockRestore();
  }
});

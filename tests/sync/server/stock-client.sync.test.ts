import * as A from '@automerge/automerge';
import { Binary } from 'mongodb';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import type { SegmentDocument } from '#shared/chat/document.ts';
import * as contract from '#shared/sync/contract.ts';
import {
  automergeUrl,
  startTestSync,
  type Device,
  type TestSync,
  type TestUser,
  newSegment,
} from '../../sync.ts';

let sync: TestSync;
let owner: TestUser;
let device: Device;
let disconnected: number;
beforeEach(async () => {
  sync = await startTestSync(inject('mongodbUri'));
  owner = await sync.user();
  device = await sync.device(owner);
  disconnected = 0;
  device.repo.networkSubsystem.on('peer-disconnected', () => disconnected++);
});
afterEach(() => sync.close());

const stored = async (documentId: string) =>
  (await sync.call(contract.readDocument, { params: { documentId } })).value;

test('a stock client keeps a refused change, sends and receives everything else, and offers it again on the next connection', async () => {
  const [account, segment] = [await sync.document(owner), await newSegment(sync, owner)];
  const settings = await device.repo.find<AccountDocument>(automergeUrl(account));
  const messages = await device.repo.find<SegmentDocument>(automergeUrl(segment));
  // With a time, as stock clients make changes.
  messages.change((doc) => void Object.assign(doc, { note: new A.ImmutableString('Hello') }));
  for (let i = 0; i < 10; i++) settings.change((doc) => void (doc.settings[`later${i}`] = true));
  await vi.waitFor(async () =>
    expect(Object.keys(((await stored(account)) as AccountDocument).settings)).toHaveLength(10),
  );
  const body = {
    name: 'message.add',
    input: { key: 'k', seq: 1, device: 'd', at: new Date().toISOString(), text: 'Hi' },
  };
  await sync.call(contract.changeDocument, { params: { documentId: segment }, body });
  await vi.waitFor(() => expect(messages.doc().messages).toHaveProperty('k'));
  expect(messages.doc()).toHaveProperty('note');
  expect(await stored(segment)).not.toHaveProperty('note');
  expect(disconnected).toBe(0);

  const later = new Date(Date.now() + 86_400_000);
  await sync.db.collection('sync_server').updateOne({}, { $set: { times_until: later } });
  await sync.restart();
  await vi.waitFor(async () => expect(await stored(segment)).toMatchObject({ note: 'Hello' }));
});

test('a stock client learns at once that a document cannot be opened now', async () => {
  const account = await sync.document(owner);
  await sync.db
    .collection<{ _id: string }>('documents')
    .updateOne({ _id: account }, { $set: { snapshot: new Binary(Buffer.from('damaged')) } });
  await expect(device.repo.find(automergeUrl(account))).rejects.toThrow('unavailable');
  expect(disconnected).toBe(0);
});

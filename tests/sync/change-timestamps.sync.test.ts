import { next as A } from '@automerge/automerge';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { segmentChanges, type SegmentDocument } from '#shared/chat/document.ts';
import * as contract from '#shared/sync/contract.ts';
import { startTestSync, type TestSync, type TestUser } from '../sync.ts';
import { madeUpId, RawDevice } from './raw-device.ts';

let sync: TestSync;
let author: TestUser;
let id: string;
beforeAll(async () => {
  sync = await startTestSync(inject('mongodbUri'));
  author = await sync.user();
  id = madeUpId();
  const place = { thread_id: 'thread', number: 1, friend_user_id: 'friend', after: 0 };
  await sync.call(contract.createDocument, {
    body: {
      document_id: id,
      kind: 'segment',
      owner_user_id: author.id,
      created_at: new Date().toISOString(),
      place,
    },
  });
});
afterAll(() => sync.close());

const device = () => new RawDevice(sync.socket(author)).join();
let count = 0;
const written = (doc: A.Doc<SegmentDocument>, time: number) =>
  A.change(doc, { time }, (draft) => {
    const key = `m${++count}`;
    const at = new Date().toISOString();
    const message = { key, seq: count, device: 'one', at, text: 'Hello' };
    segmentChanges['message.add'].apply(draft, message);
  });
const storedKeys = async () => {
  const { value } = await sync.call(contract.readDocument, { params: { documentId: id } });
  return Object.keys((value as SegmentDocument).messages);
};

test('rejects changes with a timestamp in a document that others read', async () => {
  const writer = await device();
  const doc = written(await writer.read<SegmentDocument>(id), 0);
  await writer.keep(id, doc);
  writer.close();
  const before = await storedKeys();
  const now = Math.floor(Date.now() / 1000);
  for (const time of [1, now]) {
    const late = written(A.clone(doc), time);
    for (const chunks of [[A.getLastLocalChange(late)!], [A.save(late)]]) {
      const talkative = await device();
      talkative.push(id, A.getHeads(late), chunks, chunks[0]![8] === 0 ? 'v2' : 'v1');
      expect(await talkative.refusal(id)).toBe('timestamped');
      talkative.close();
    }
  }
  expect(await storedKeys()).toEqual(before);
});

test('accepts timestamps from older clients only for a limited time after an upgrade', async () => {
  const now = Math.floor(Date.now() / 1000);
  const row = sync.db.collection('sync_server');
  await row.updateOne({}, { $unset: { times_until: '' } });
  await sync.restart();
  const older = await device();
  const doc = written(await older.read<SegmentDocument>(id), now);
  await older.keep(id, doc);
  older.close();
  const before = await storedKeys();
  await row.updateOne({}, { $set: { times_until: new Date((now - 60) * 1000) } });
  await sync.restart();
  const late = await device();
  const after = written(doc, now);
  late.push(id, A.getHeads(after), [A.getLastLocalChange(after)!], 'v1');
  expect(await late.refusal(id)).toBe('timestamped');
  late.close();
  expect(await storedKeys()).toEqual(before);
});

test('changes by the server and initial values of documents have no timestamp', async () => {
  const ids = [await sync.document(author), await sync.document(author, 'card')];
  const body = { name: 'profile.save', input: { display_name: 'Alex' } };
  await sync.call(contract.changeDocument, { params: { documentId: ids[1]! }, body });
  const reader = await device();
  const docs = await Promise.all(ids.map((each) => reader.read(each)));
  const changes = docs.flatMap((doc) => A.getAllChanges(doc).map((each) => A.decodeChange(each)));
  expect(changes.map(({ time }) => time)).toEqual([0, 0, 0]);
  reader.close();
});

import { next as A } from '@automerge/automerge';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { partChanges, type PartDocument } from '#shared/chat/document.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import * as contract from '#shared/sync/contract.ts';
import { TIMES_UNTIL } from '../../sync-server/limits.ts';
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
      kind: 'part',
      owner_user_id: author.id,
      created_at: new Date().toISOString(),
      place,
    },
  });
});
afterAll(() => sync.close());

const device = () => new RawDevice(sync.socket(author)).join();
let count = 0;
const written = (doc: A.Doc<PartDocument>, time: number) =>
  A.change(doc, { time }, (draft) => {
    const key = `m${++count}`;
    const at = new Date().toISOString();
    const message = { key, seq: count, device: 'one', at, text: 'Hello' };
    partChanges['message.add'].apply(draft, message);
  });
const kept = async () => {
  const { value } = await sync.call(contract.readDocument, { params: { documentId: id } });
  return Object.keys((value as PartDocument).messages);
};

test('what a device writes for others to read says no time, or is refused', async () => {
  const writer = await device();
  let doc = written(await writer.read<PartDocument>(id), 0);
  await writer.keep(id, doc);
  // What a client of before could not send until now.
  doc = written(doc, TIMES_UNTIL - 60);
  await writer.keep(id, doc);
  writer.close();
  const before = await kept();
  expect(before).toHaveLength(2);
  const late = written(doc, Math.floor(Date.now() / 1000));
  for (const chunks of [[A.getLastLocalChange(late)!], [A.save(late)]]) {
    const talkative = await device();
    talkative.push(id, A.getHeads(late), chunks, chunks[0]![8] === 0 ? 'v2' : 'v1');
    expect(await talkative.closed).toBe(closeCodes.policy);
  }
  expect(await kept()).toEqual(before);
});

test('what the server writes says no time, nor does the first value of a document', async () => {
  const ids = [await sync.document(author), await sync.document(author, 'card')];
  const body = { name: 'profile.save', input: { display_name: 'Alex' } };
  await sync.call(contract.changeDocument, { params: { documentId: ids[1]! }, body });
  const reader = await device();
  const docs = await Promise.all(ids.map((each) => reader.read(each)));
  const changes = docs.flatMap((doc) => A.getAllChanges(doc).map((each) => A.decodeChange(each)));
  expect(changes.map(({ time }) => time)).toEqual([0, 0, 0]);
  reader.close();
});

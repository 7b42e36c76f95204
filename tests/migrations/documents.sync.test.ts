import { next as A } from '@automerge/automerge';
import { Binary } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { dogChanges, readDogs } from '#shared/dogs/document.ts';
import { initialCard, type CardDocument } from '#shared/profile/document.ts';
import { DOCUMENT_MIGRATIONS } from '#shared/server/migrations/document-migrations.ts';
import * as contract from '#shared/sync/contract.ts';
import { text } from '#shared/text.ts';
import type { TestSync, TestUser } from '../sync.ts';
import { madeUpId, RawDevice } from '../sync/raw-device.ts';
import { startCluster, type Cluster } from '../sync/two-nodes.ts';

vi.setConfig({ testTimeout: 60_000 });

let cluster: Cluster;
let a: TestSync;
let b: TestSync;

beforeAll(async () => {
  cluster = await startCluster(inject('mongodbUri'));
  [a, b] = cluster.nodes as [TestSync, TestSync];
});
afterAll(() => cluster.close());

/** A dog as the app before notes wrote it. */
const oldDog = (name: string) => ({
  name: text(name),
  sound_type: text('leash_on'),
  image_key: null,
  created_at: text('2026-01-01T00:00:00.000Z'),
});

/** Stores a card in the older shape. @returns its id */
async function oldCard(owner: TestUser): Promise<string> {
  const id = madeUpId();
  const doc = A.from({
    ...initialCard(owner.id, '2026-01-01T00:00:00.000Z'),
    dogs: { rex: oldDog('Rex') },
  });
  await a.db.collection<{ _id: string }>('documents').insertOne({
    _id: id,
    kind: 'card',
    owner_user_id: owner.id,
    reader_user_ids: [],
    snapshot: new Binary(A.save(doc)),
    snapshot_version: 0,
    snapshot_at: new Date(),
    created_at: new Date(),
  } as never);
  return id;
}

const read = async (node: TestSync, id: string) => {
  const { value } = await node.call(contract.readDocument, { params: { documentId: id } });
  return value as CardDocument;
};

const join = (node: TestSync, owner: TestUser) => new RawDevice(node.socket(owner)).join();

test('a document in an older shape is changed into the current one when the API opens it', async () => {
  const owner = await a.user();
  const id = await oldCard(owner);
  await vi.waitFor(async () => expect((await read(a, id)).dogs['rex']?.notes).toEqual({}));
  expect(readDogs((await read(a, id)).dogs)).toMatchObject([{ name: 'Rex', notes: [] }]);
});

test('two nodes that migrate a document at once make one change', async () => {
  const owner = await a.user();
  const id = await oldCard(owner);
  await Promise.all([read(a, id), read(b, id)]);
  for (const node of [a, b])
    await vi.waitFor(async () => expect((await read(node, id)).dogs['rex']?.notes).toEqual({}));
  const device = await join(b, owner);
  const doc = await device.read<CardDocument>(id);
  expect(A.getAllChanges(doc)).toHaveLength(2);
  device.close();
});

test('devices get the new shape, and notes of two devices that were offline are both kept', async () => {
  const owner = await a.user();
  const id = await oldCard(owner);
  const first = await join(a, owner);
  await first.read<CardDocument>(id);
  // The migration is sent to devices that have the document open.
  await first.next(
    ({ documentId, data }) =>
      documentId === id && A.decodeSyncMessage(data!).changes.length > 0 && data !== undefined,
  );
  first.close();
  await vi.waitFor(async () => expect((await read(b, id)).dogs['rex']?.notes).toEqual({}));
  const [one, two] = [await join(a, owner), await join(b, owner)];
  const docs = await Promise.all([one, two].map((each) => each.read<CardDocument>(id)));
  const noted = (doc: A.Doc<CardDocument>, note: 'deaf' | 'puppy') =>
    A.change(doc, (draft) => dogChanges['dog.edit'].apply(draft, { id: 'rex', notes: [note] }));
  await one.keep(id, noted(docs[0]!, 'deaf'));
  await two.keep(id, noted(docs[1]!, 'puppy'));
  await vi.waitFor(async () =>
    expect((await read(a, id)).dogs['rex']?.notes).toEqual({ deaf: true, puppy: true }),
  );
  one.close();
  two.close();
});

test('an older app can add a dog in the older shape later, and it is migrated, too', async () => {
  const owner = await a.user();
  const id = await a.document(owner, 'card');
  const device = await join(a, owner);
  const doc = await device.read<CardDocument>(id);
  await device.keep(
    id,
    A.change(doc, (draft) => void (draft.dogs['bo'] = oldDog('Bo'))),
  );
  await vi.waitFor(async () => expect((await read(a, id)).dogs['bo']?.notes).toEqual({}));
  device.close();
});

test('a modified app that writes other values causes no endless migration', async () => {
  const owner = await a.user();
  const id = await a.document(owner, 'card');
  const device = await join(a, owner);
  const doc = await device.read<CardDocument>(id);
  const hostile = {
    rex: 7,
    bo: null,
    luna: [1],
    max: { sound_type: 7, notes: 'none' },
    tom: new Date(),
    ida: oldDog('Ida'),
  };
  await device.keep(
    id,
    A.change(doc, (draft) => void ((draft as { dogs: unknown }).dogs = hostile)),
  );
  await vi.waitFor(async () => expect((await read(a, id)).dogs['ida']?.notes).toEqual({}));
  const count = async () => {
    const other = await join(b, owner);
    const read = await other.read<CardDocument>(id);
    other.close();
    return A.getAllChanges(read).length;
  };
  const before = await count();
  await read(a, id);
  expect(await count()).toBe(before);
  expect(readDogs((await read(a, id)).dogs)).toMatchObject([{ name: 'Ida' }]);
  device.close();
});

test('every migration of documents is complete after one run, and does nothing to other values', () => {
  for (const migrations of Object.values(DOCUMENT_MIGRATIONS))
    for (const { isNeeded, apply } of migrations ?? [])
      for (const value of [
        null,
        7,
        'text',
        [],
        {},
        { dogs: null },
        { dogs: { a: {} } },
        { dogs: { a: { sound_type: 'leash_on' } } },
      ]) {
        if (isNeeded(value)) apply(value);
        expect(isNeeded(value)).toBe(false);
      }
});

import { next as A } from '@automerge/automerge';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import { sendMessage } from '#shared/chat/contract.ts';
import { deleteDog, updateDog, uploadDogImage } from '#shared/dogs/contract.ts';
import { deleteFriend } from '#shared/friends/contract.ts';
import { readContacts } from '#shared/friends/document.ts';
import { readCard } from '#shared/profile/document.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import type { PairRow } from '../../api/features/relationships/collections.ts';
import { pairId } from '../../api/features/relationships/relationship.ts';
import type { DocumentRow } from '../../sync-server/core/database.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeDog, makeProfile } from '../factories.ts';
import { rawDeviceOf, type RawDevice } from '../sync/raw-device.ts';
import { befriend } from './befriend.ts';

vi.setConfig({ testTimeout: 60_000 });

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

let count = 0;
async function person(name: string): Promise<TestPerson> {
  const someone = await api.as(`${name}.${++count}@example.com`);
  await makeProfile(someone, { display_name: name });
  return someone;
}
const rename = (someone: TestPerson, display_name: string) =>
  makeProfile(someone, { display_name });
const documents = () => api.db.collection<DocumentRow>('documents');

/** Returns the id of the document that shows a friend's card, from the viewer's contacts document. */
async function seenBy(viewer: TestPerson, friend: TestPerson): Promise<string> {
  const { friends } = readContacts(await api.document(viewer.user.documents.contacts));
  const found = friends.find(({ user_id }) => user_id === friend.user.id);
  return found?.card?.replace('automerge:', '') ?? 'none';
}

const nameSeen = async (id: string) => readCard(await api.document(id)).display_name;

/** Returns the decoded changes of a document that a device received. */
function changesOf(device: RawDevice, documentId: string): A.DecodedChange[] {
  let doc = A.init<unknown>();
  for (const { type, documentId: id, data } of device.answers)
    if (type === 'sync' && id === documentId)
      doc = A.receiveSyncMessage(doc, A.initSyncState(), data!)[0];
  return A.getAllChanges(doc).map((change) => A.decodeChange(change));
}

const picture = async (color: string) => {
  const image = sharp({ create: { width: 20, height: 20, channels: 3, background: color } });
  return new Blob([new Uint8Array(await image.png().toBuffer())], { type: 'image/png' });
};

describe('the card of a new friend', () => {
  test('a new friend receives no byte of earlier names, dogs, and pictures', async () => {
    const [alex, sam, eve] = [await person('Formername'), await person('Sam'), await person('Eve')];
    await befriend(alex, eve);
    const removedDog = await makeDog(alex, { name: 'Formerdog' });
    const { id } = await makeDog(alex, { name: 'Formerly' });
    const shown = async (color: string) =>
      (await alex.call(uploadDogImage, { params: { id }, file: await picture(color) })).dog
        .image_key ?? '';
    const former = await shown('#a06030');
    const current = await shown('#306030');
    await alex.call(deleteDog, { params: { id: removedDog.id } });
    const rex = { name: 'Rex', sound_type: 'leash_on', breed: 'Mixed', notes: ['deaf'] } as const;
    await alex.call(updateDog, { params: { id }, body: { ...rex, notes: [...rex.notes] } });
    await rename(alex, 'Alexandra');
    await befriend(alex, sam);
    await alex.call(sendMessage, {
      body: { receiver_user_id: sam.user.id, message_text: 'Good morning' },
    });

    const device = await rawDeviceOf(api, sam);
    const mayRead = await documents()
      .find({ $or: [{ owner_user_id: sam.user.id }, { reader_user_ids: sam.user.id }] })
      .toArray();
    for (const { _id } of mayRead) await device.read(_id);
    const sent = mayRead.flatMap(({ _id }) => changesOf(device, _id));
    const bytes = device.answers.map(({ data }) => Buffer.from(data ?? []).toString('latin1'));
    const all = JSON.stringify(sent) + bytes.join();
    for (const word of ['Formername', 'Formerdog', 'Formerly', removedDog.id, former])
      expect(all).not.toContain(word);
    for (const word of ['Alexandra', 'Rex', 'Mixed', current, 'Good morning'])
      expect(all).toContain(word);
    expect(new Set(sent.map(({ time }) => time))).toEqual(new Set([0]));
    // Of when Alexandra joined and added a dog, the day.
    const { join_date, dogs } = readCard(await api.document(await seenBy(sam, alex)));
    for (const time of [join_date, ...dogs.map(({ created_at }) => created_at)])
      expect(time).toMatch(/T12:00:00\.000Z$/);
    expect(changesOf(device, await seenBy(sam, alex))).toHaveLength(1);
    // Only the owner can read the card itself.
    device.request(alex.user.documents.card.replace('automerge:', ''));
    await device.next(({ type }) => type === 'doc-unavailable');
    device.close();
    // A friend of long standing has seen everything and sees the current card.
    await expect.poll(async () => nameSeen(await seenBy(eve, alex))).toBe('Alexandra');
  });

  test('a card that changes while two users become friends ends up current', async () => {
    const [alex, sam] = [await person('Alex'), await person('Sam')];
    await Promise.all([befriend(alex, sam), rename(alex, 'One'), makeDog(alex)]);
    await rename(alex, 'Two');
    const id = await seenBy(sam, alex);
    await expect.poll(() => nameSeen(id)).toBe('Two');
    expect(readCard(await api.document(id)).dogs).toHaveLength(1);
  });
});

describe('the card of a friend', () => {
  test('a friend’s device receives edits of the card, but not the sharing switch', async () => {
    const [alex, sam] = [await person('Alex'), await person('Sam')];
    await befriend(alex, sam);
    const device = await rawDeviceOf(api, sam);
    const id = await seenBy(sam, alex);
    const mayRead = await documents()
      .find({ $or: [{ owner_user_id: sam.user.id }, { reader_user_ids: sam.user.id }] })
      .toArray();
    for (const { _id } of mayRead) await device.read(_id);
    const before = device.answers.length;
    for (const is_location_sharing_enabled of [false, true, false]) {
      await makeProfile(alex, { display_name: 'Alex', is_location_sharing_enabled });
      await api.change(alex.user.documents.account, 'sharing.save', {
        is_location_sharing_enabled: !is_location_sharing_enabled,
      });
    }
    await rename(alex, 'Alexandra');
    await vi.waitFor(() => expect(changesOf(device, id)).toHaveLength(2), 10_000);
    expect(device.answers.slice(before).map(({ documentId }) => documentId)).toEqual([id]);
    expect(changesOf(device, id).map(({ time }) => time)).toEqual([0, 0]);
    expect(await nameSeen(id)).toBe('Alexandra');
    device.close();
  });

  test.each([
    {
      what: 'removed friend',
      end: (alex: TestPerson, sam: TestPerson) =>
        alex.call(deleteFriend, { params: { friendUserId: sam.user.id } }),
    },
    {
      what: 'blocked friend',
      end: (alex: TestPerson, sam: TestPerson) =>
        alex.call(createBlock, { body: { blocked_user_id: sam.user.id } }),
    },
  ])('a $what loses access to the card at once and permanently', async ({ end }) => {
    const [alex, sam] = [await person('Alex'), await person('Sam')];
    await befriend(alex, sam);
    const id = await seenBy(sam, alex);
    const device = await rawDeviceOf(api, sam);
    await device.read(id);
    await end(alex, sam);
    expect(await device.closed).toBe(closeCodes.rightsChanged);
    const back = await rawDeviceOf(api, sam);
    back.request(id);
    await back.next(({ type }) => type === 'doc-unavailable');
    back.close();
    expect(await documents().countDocuments({ subject_user_id: alex.user.id })).toBe(0);
  });

  test('a friend who returns gets a card without the changes in between', async () => {
    const [alex, sam] = [await person('Alex'), await person('Sam')];
    await befriend(alex, sam);
    const first = await seenBy(sam, alex);
    await alex.call(deleteFriend, { params: { friendUserId: sam.user.id } });
    await rename(alex, 'Between');
    await rename(alex, 'Afterwards');
    await befriend(sam, alex);
    const second = await seenBy(sam, alex);
    expect(second).not.toBe(first);
    const device = await rawDeviceOf(api, sam);
    await device.read(second);
    const all = JSON.stringify(changesOf(device, second));
    expect(all).toContain('Afterwards');
    expect(all).not.toContain('Between');
    device.close();
  });
});

test('deletes a card that a late call created for an ended friendship', async () => {
  const [alex, sam] = [await person('Alex'), await person('Sam')];
  await befriend(alex, sam);
  const id = await seenBy(sam, alex);
  const row = await documents().findOne({ _id: id });
  await alex.call(deleteFriend, { params: { friendUserId: sam.user.id } });
  expect(await documents().countDocuments({ _id: id })).toBe(0);
  // A delayed call creates it again.
  await documents().insertOne(row!);
  const pairs = api.db.collection<PairRow>('pairs');
  const pair = pairId(alex.user.id, sam.user.id);
  await pairs.updateOne({ _id: pair }, { $set: { 'former_cards.at': new Date(0) } });
  await api.runJobs();
  await expect.poll(() => documents().countDocuments({ _id: id })).toBe(0);
  await expect.poll(async () => (await pairs.findOne({ _id: pair }))?.former_cards).toBe(undefined);
});

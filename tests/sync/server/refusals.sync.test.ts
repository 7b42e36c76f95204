import { next as A } from '@automerge/automerge';
import { Binary } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import { segmentChanges, type SegmentDocument } from '#shared/chat/document.ts';
import * as contract from '#shared/sync/contract.ts';
import { startTestSync, type TestSync, type TestUser, newSegment } from '../../sync.ts';
import { chunkOf, chunkParts, fill, RawDevice, type Answer } from '../raw-device.ts';

vi.setConfig({ testTimeout: 60_000 });

let sync: TestSync;
beforeAll(async () => {
  sync = await startTestSync(inject('mongodbUri'));
});
afterAll(() => sync.close());

const device = (user: TestUser) => new RawDevice(sync.socket(user)).join();
const setting = (
  doc: A.Doc<AccountDocument>,
  key: string,
  value: boolean | A.ImmutableString = true,
) => A.change(doc, { time: 0 }, (draft) => void (draft.settings[key] = value));
const storedValue = async (documentId: string) =>
  (await sync.call(contract.readDocument, { params: { documentId } })).value;
const isOpen = ({ socket }: RawDevice) => socket.readyState === socket.OPEN;

let count = 0;
const withMessage = (doc: A.Doc<SegmentDocument>, time = 0) =>
  A.change(doc, { time }, (draft) => {
    const key = `m${++count}`;
    const at = new Date().toISOString();
    const message = { key, seq: count, device: 'one', at, text: 'Hello' };
    segmentChanges['message.add'].apply(draft, message);
  });

/** Copies of the last change with a damaged byte each and a correct checksum. */
function* damagedCopies(doc: A.Doc<unknown>, copies: number): Generator<Uint8Array> {
  const { type, body } = chunkParts(A.getLastLocalChange(doc)!);
  for (let i = 0; i < copies; i++) {
    const damaged = Buffer.from(body);
    damaged[(i * 7) % body.length]! ^= 1 << (i % 8);
    yield chunkOf(type, damaged);
  }
}

/** Each makes a document and sends changes of it that the server refuses. @returns its id */
const REFUSED: Record<string, (owner: TestUser, sender: RawDevice) => Promise<string>> = {
  async not_yours(owner, sender) {
    const id = await sync.document(owner, 'contacts');
    const doc = A.change(await sender.read<{ user_id: unknown }>(id), (draft) => {
      draft.user_id = new A.ImmutableString('me');
    });
    sender.push(id, A.getHeads(doc), [A.getLastLocalChange(doc)!], 'v1');
    return id;
  },
  async too_large(owner, sender) {
    const id = await sync.document(owner);
    const doc = A.change(await sender.read<AccountDocument>(id), (draft) => {
      for (let i = 0; i < 30_000; i++) draft.settings[`k${i}`] = i;
    });
    sender.push(id, A.getHeads(doc), [A.getLastLocalChange(doc)!], 'v1');
    return id;
  },
  async full(owner, sender) {
    const id = await sync.document(owner);
    await fill(await device(owner), id, 0);
    const doc = setting(await sender.read<AccountDocument>(id), 'one more');
    sender.push(id, A.getHeads(doc), [A.getLastLocalChange(doc)!], 'v1');
    return id;
  },
  async timestamped(owner, sender) {
    const id = await newSegment(sync, owner);
    const doc = withMessage(await sender.read<SegmentDocument>(id), 1);
    sender.push(id, A.getHeads(doc), [A.getLastLocalChange(doc)!], 'v1');
    return id;
  },
  async invalid(owner, sender) {
    const id = await sync.document(owner);
    const doc = setting(await sender.read<AccountDocument>(id), 'damaged');
    sender.push(id, A.getHeads(doc), [chunkOf(1, Buffer.alloc(40, 0xff))], 'v1');
    return id;
  },
  async incomplete(owner, sender) {
    const id = await sync.document(owner);
    let doc = setting(await sender.read<AccountDocument>(id), 'missing');
    for (let i = 0; i < 3; i++) {
      doc = setting(doc, 'big', new A.ImmutableString(`${i}`.repeat(600_000)));
      sender.push(id, A.getHeads(doc), [A.getLastLocalChange(doc)!], 'v1');
    }
    return id;
  },
};

test.each(Object.keys(REFUSED))(
  'refuses changes as %s, and ten later changes of another document all arrive',
  async (reason) => {
    const owner = await sync.user();
    const other = await sync.document(owner);
    const sender = await device(owner);
    let doc = await sender.read<AccountDocument>(other);
    const refused = await REFUSED[reason]!(owner, sender);
    for (let i = 0; i < 10; i++) {
      doc = setting(doc, `k${i}`);
      sender.push(other, A.getHeads(doc), [A.getLastLocalChange(doc)!], 'v1');
    }
    expect(await sender.refusal(refused)).toBe(reason);
    await vi.waitFor(async () =>
      expect(Object.keys(((await storedValue(other)) as AccountDocument).settings)).toHaveLength(
        10,
      ),
    );
    expect(isOpen(sender)).toBe(true);
    sender.close();
  },
);

test('a device goes on with the document whose change was refused', async () => {
  const owner = await sync.user();
  const id = await sync.document(owner);
  const [sender, reader] = [await device(owner), await device(owner)];
  const doc = await sender.read<AccountDocument>(id);
  await reader.read(id);
  const tooMuch = A.change(A.clone(doc), (draft) => {
    for (let i = 0; i < 30_000; i++) draft.settings[`k${i}`] = i;
  });
  sender.push(id, A.getHeads(tooMuch), [A.getLastLocalChange(tooMuch)!], 'v1');
  expect(await sender.refusal(id)).toBe('too_large');
  // What others change arrives, and the refused change is not requested again.
  sender.answers.length = 0;
  const others = setting(A.clone(doc), 'other');
  await reader.keep(id, others);
  const has = (heads: string[]) => (answer: Answer) =>
    answer.type === 'sync' && A.decodeSyncMessage(answer.data!).heads.join() === heads.join();
  await sender.next(has(A.getHeads(others)));
  sender.push(id, [...A.getHeads(others), ...A.getHeads(tooMuch)], [], 'v1');
  const more = setting(others, 'more');
  await reader.keep(id, more);
  await sender.next(has(A.getHeads(more)));
  expect(sender.answers.flatMap(({ data }) => A.decodeSyncMessage(data!).need)).toEqual([]);
  await sender.keep(id, setting(A.clone(doc), 'small'));
  expect(await storedValue(id)).toMatchObject({ settings: { more: true, small: true } });
  for (const one of [sender, reader]) one.close();
});

test('damaged changes disconnect neither their sender nor the friend who reads the document', async () => {
  const [owner, friend] = [await sync.user(), await sync.user()];
  const id = await newSegment(sync, owner, [friend]);
  const [sender, reader] = [await device(owner), await device(friend)];
  const doc = await sender.read<SegmentDocument>(id);
  await reader.read(id);
  const next = withMessage(doc);
  let refusals = 0;
  for (const damaged of damagedCopies(next, 60)) {
    sender.push(id, A.getHeads(next), [damaged], 'v2');
    // Some damaged changes are valid.
    sender.answers.length = 0;
    const answer = await sender.next(({ documentId }) => documentId === id);
    if (answer.type === 'refused') refusals++;
  }
  expect(refusals).toBeGreaterThan(20);
  sender.push(id, A.getHeads(next), [A.getLastLocalChange(next)!], 'v1');
  await vi.waitFor(async () =>
    expect(Object.keys(((await storedValue(id)) as SegmentDocument).messages)).toContain(
      `m${count}`,
    ),
  );
  expect([isOpen(sender), isOpen(reader)]).toEqual([true, true]);
  for (const one of [sender, reader]) one.close();
});

test('an owner who changed a frozen document learns it, still receives changes, and sends after it is free', async () => {
  const owner = await sync.user();
  const id = await sync.document(owner);
  const freeze = (is_frozen: boolean) =>
    sync.call(contract.setReaders, {
      params: { documentId: id },
      body: { reader_user_ids: [], is_frozen },
    });
  const before = await device(owner);
  const doc = setting(await before.read<AccountDocument>(id), 'offline');
  before.close();
  await freeze(true);
  const frozen = await device(owner);
  const [, hello] = A.generateSyncMessage(doc, A.initSyncState());
  frozen.sync(id, hello!);
  expect(await frozen.refusal(id)).toBe('not_yours');
  frozen.sync(id, hello!);
  expect(isOpen(frozen)).toBe(true);
  expect(frozen.answers.filter(({ type }) => type === 'refused')).toEqual([]);
  await freeze(false);
  await frozen.closed;
  const free = await device(owner);
  await free.keep(id, doc);
  expect(await storedValue(id)).toMatchObject({ settings: { offline: true } });
  free.close();
});

test('a damaged stored document is refused, and others go on', async () => {
  const owner = await sync.user();
  const [damaged, other] = [await sync.document(owner), await sync.document(owner)];
  await sync.db
    .collection<{ _id: string }>('documents')
    .updateOne({ _id: damaged }, { $set: { snapshot: new Binary(Buffer.from('damaged')) } });
  const one = await device(owner);
  one.request(damaged);
  expect(await one.refusal(damaged)).toBe('unavailable');
  const answer = await one.next(({ documentId }) => documentId === damaged);
  expect(answer.type).toBe('doc-unavailable');
  await one.keep(other, setting(await one.read<AccountDocument>(other), 'still'));
  one.close();
});

test('a message that names more heads than any document has is refused', async () => {
  const owner = await sync.user();
  const id = await sync.document(owner);
  const sender = await device(owner);
  await sender.read(id);
  const heads = Array.from({ length: 600 }, (_, i) => i.toString(16).padStart(64, '0'));
  sender.push(id, heads, [], 'v1');
  expect(await sender.refusal(id)).toBe('too_large');
  expect(isOpen(sender)).toBe(true);
  sender.close();
});

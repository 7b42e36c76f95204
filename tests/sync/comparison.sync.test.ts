import { randomBytes } from 'node:crypto';
import { next as A } from '@automerge/automerge';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import * as contract from '#shared/sync/contract.ts';
import { stateDigest, MARKS_MAX, isMatch, writeMarks } from '#shared/sync/state-digest.ts';
import { StateComparison } from '../../client/platform/sync/connection/state-comparison.ts';
import {
  Adapter,
  automergeUrl,
  Line,
  startTestSync,
  type TestSync,
  type TestUser,
} from '../sync.ts';
import { RawDevice } from './raw-device.ts';
import { watchMongodb, type WatchedMongodb } from './watched-mongodb.ts';

vi.setConfig({ testTimeout: 60_000 });

let mongodb: WatchedMongodb;
let sync: TestSync;
beforeAll(async () => {
  mongodb = await watchMongodb(inject('mongodbUri'));
  sync = await startTestSync(mongodb.uri);
});
afterAll(async () => {
  await sync.close();
  mongodb.close();
});

const device = (user: TestUser) => new RawDevice(sync.socket(user)).join();
const openDocuments = async () => (await sync.call(contract.getMetrics)).open_documents;
const WRONG = 'ab'.repeat(12);

/** A stage of what `explain` says. */
interface LookupPlan {
  $lookup?: { from: string };
}

/** Sends digests and returns which ones match. */
async function compare(asking: RawDevice, marks: string[]) {
  asking.answers.length = 0;
  asking.send({ type: 'compare', data: writeMarks(marks) });
  const { data } = await asking.next(({ type }) => type === 'compared');
  return marks.map((_, i) => isMatch(data!, i));
}

/** A closed document of a user with its digest. */
async function closedDocument(owner: TestUser) {
  const id = await sync.document(owner);
  const first = await device(owner);
  const doc = await first.read<AccountDocument>(id);
  first.close();
  await vi.waitFor(async () => expect(await openDocuments()).toBe(0));
  return { id, doc, mark: stateDigest(id, A.getHeads(doc))! };
}

const set = (doc: A.Doc<AccountDocument>, key: string) =>
  A.change(A.clone(doc), (draft) => void (draft.settings[key] = 1));

test('matching documents are not opened, and changes still arrive in both directions', async () => {
  const owner = await sync.user();
  const { id, doc, mark } = await closedDocument(owner);
  const [following, other] = [await device(owner), await device(owner)];
  expect(await compare(following, [mark])).toEqual([true]);
  expect(await openDocuments()).toBe(0);

  await other.read(id);
  const theirs = set(doc, 'theirs');
  other.push(id, A.getHeads(theirs), [A.getLastLocalChange(theirs)!], 'v1');
  const syncMessage = await following.next(({ type }) => type === 'sync');
  const [known] = A.receiveSyncMessage(doc, A.initSyncState(), syncMessage.data!);
  expect(A.getHeads(known)).toEqual(A.getHeads(theirs));

  const ours = set(known, 'ours');
  other.answers.length = 0;
  following.push(id, A.getHeads(ours), [A.getLastLocalChange(ours)!], 'v1');
  const theirSync = await other.next(({ type }) => type === 'sync');
  const heads = A.decodeSyncMessage(theirSync.data!).heads.join();
  expect([A.getHeads(theirs).join(), A.getHeads(ours).join()]).toContain(heads);
  await vi.waitFor(async () => {
    const { value } = await sync.call(contract.readDocument, { params: { documentId: id } });
    expect(value).toMatchObject({ settings: { ours: 1, theirs: 1 } });
  });
  for (const one of [following, other]) one.close();
});

test('compares open documents, and does not subscribe to different ones', async () => {
  const owner = await sync.user();
  const { id, doc, mark } = await closedDocument(owner);
  const [writer, asking] = [await device(owner), await device(owner)];
  await writer.read(id);
  expect(await compare(asking, [WRONG])).toEqual([false]);
  const changed = set(doc, 'n');
  writer.answers.length = 0;
  writer.push(id, A.getHeads(changed), [A.getLastLocalChange(changed)!], 'v1');
  await writer.next(({ type }) => type === 'sync');
  expect(asking.answers.filter(({ type }) => type === 'sync')).toEqual([]);
  expect(await compare(asking, [mark])).toEqual([false]);
  expect(await compare(asking, [stateDigest(id, A.getHeads(changed))!])).toEqual([true]);
  for (const one of [writer, asking]) one.close();
});

test('answers digests of other users’ documents and invented ones alike, with the same database work', async () => {
  const victim = await sync.user();
  const { id, mark } = await closedDocument(victim);
  const owner = await device(victim);
  await owner.read(id);
  const stranger = await sync.user();
  const work = async (asked: string) => {
    const before = mongodb.passages.length;
    const spy = await device(stranger);
    expect(await compare(spy, [asked])).toEqual([false]);
    const done = mongodb.passages.slice(before).map((passage) => JSON.stringify(passage));
    spy.close();
    // A device that connects asks for sessions that have not ended.
    const at = /"expires_at":\{"\$gt":[^}]*\}/;
    return done.map((each) => each.replace(at, ''));
  };
  const workForInventedId = await work(WRONG);
  expect(workForInventedId.length).toBeGreaterThan(0);
  for (let i = 0; i < 5; i++) expect(await work(mark)).toEqual(workForInventedId);
  const spy = await device(stranger);
  const changed = set(await owner.read<AccountDocument>(id), 'secret');
  owner.push(id, A.getHeads(changed), [A.getLastLocalChange(changed)!], 'v1');
  await sync.call(contract.readDocument, { params: { documentId: id } });
  expect(await compare(spy, [stateDigest(id, A.getHeads(changed))!])).toEqual([false]);
  expect(spy.answers.map(({ type }) => type)).toEqual(['compared']);
  for (const one of [owner, spy]) one.close();
});

test('a device loses a compared document with the permission to read it', async () => {
  const [owner, friend] = [await sync.user(), await sync.user()];
  const { id, mark } = await closedDocument(owner);
  const setReaders = (reader_user_ids: string[]) =>
    sync.call(contract.setReaders, { params: { documentId: id }, body: { reader_user_ids } });
  await setReaders([friend.id]);
  const following = await device(friend);
  expect(await compare(following, [mark])).toEqual([true]);
  await setReaders([]);
  expect(await following.closed).toBe(closeCodes.rightsChanged);
  const again = await device(friend);
  expect(await compare(again, [mark])).toEqual([false]);
  const reader = await device(owner);
  expect(await compare(reader, [mark])).toEqual([true]);
  await sync.call(contract.removeDocument, { params: { documentId: id } });
  expect(await reader.closed).toBe(closeCodes.rightsChanged);
  again.close();
});

test('a permission that was removed between its lookup and the comparison does not count', async () => {
  const [owner, friend] = [await sync.user(), await sync.user()];
  const { id, mark } = await closedDocument(owner);
  const setReaders = (reader_user_ids: string[]) =>
    sync.call(contract.setReaders, { params: { documentId: id }, body: { reader_user_ids } });
  await setReaders([friend.id]);
  const before = mongodb.passages.length;
  const asking = await device(friend);
  const isListed = () =>
    mongodb.passages.slice(before).some((passage) => {
      const text = JSON.stringify(passage);
      return text.includes(friend.id) && text.includes(id);
    });
  await vi.waitFor(() => expect(isListed()).toBe(true));
  await setReaders([]);
  expect(await compare(asking, [mark])).toEqual([false]);
  const owners = await device(owner);
  expect(await compare(owners, [mark])).toEqual([true]);
  for (const one of [asking, owners]) one.close();
});

test('looks up permissions from indexes only, without reading documents', async () => {
  const owner = await sync.user();
  const { mark } = await closedDocument(owner);
  const before = mongodb.passages.length;
  const asking = await device(owner);
  expect(await compare(asking, [mark])).toEqual([true]);
  asking.close();
  const [pipeline] = mongodb.passages
    .slice(before)
    .flatMap(({ command }) => (command['aggregate'] === 'sessions' ? [command['pipeline']] : []));
  const { stages } = await sync.db.command({
    explain: { aggregate: 'sessions', pipeline, cursor: {} },
    verbosity: 'executionStats',
  });
  const lookups = (stages as LookupPlan[]).filter(({ $lookup }) => $lookup?.from === 'documents');
  expect(lookups).toMatchObject(
    ['owner_user_id_1__id_1', 'reader_user_ids_1__id_1'].map((index) => ({
      indexesUsed: [expect.stringContaining(index)],
      totalDocsExamined: 0,
      collectionScans: 0,
    })),
  );
});

test('rejects writing by a reader whose document matches', async () => {
  const [owner, friend] = [await sync.user(), await sync.user()];
  const { id, doc, mark } = await closedDocument(owner);
  const body = { reader_user_ids: [friend.id] };
  await sync.call(contract.setReaders, { params: { documentId: id }, body });
  const reader = await device(friend);
  expect(await compare(reader, [mark])).toEqual([true]);
  const changed = set(doc, 'n');
  reader.push(id, A.getHeads(changed), [A.getLastLocalChange(changed)!], 'v1');
  expect(await reader.refusal(id)).toBe('not_yours');
  reader.close();
});

test('answers thousands of invented digests, and rejects too many at once and invalid ones', async () => {
  const owner = await sync.user();
  const { mark } = await closedDocument(owner);
  const asking = await device(owner);
  const madeUp = () => randomBytes(12).toString('hex');
  for (let i = 0; i < 4; i++) {
    const verdicts = await compare(asking, [
      ...Array.from({ length: MARKS_MAX - 1 }, madeUp),
      mark,
    ]);
    expect(verdicts.filter(Boolean)).toHaveLength(1);
    expect(verdicts.at(-1)).toBe(true);
  }
  expect(await openDocuments()).toBe(0);
  asking.send({ type: 'compare', data: randomBytes(12 * (MARKS_MAX + 1)) });
  expect(await asking.closed).toBe(closeCodes.policy);
  for (const data of [randomBytes(11), randomBytes(13)]) {
    const broken = await device(owner);
    broken.send({ type: 'compare', data });
    expect(await broken.closed).toBe(closeCodes.policy);
  }
  const hasty = new RawDevice(sync.socket(owner));
  await new Promise((resolve) => hasty.socket.once('open', resolve));
  hasty.send({ type: 'compare', data: writeMarks([mark]) });
  expect(await hasty.closed).toBe(closeCodes.policy);
});

test('counts a document that is twice in one message once', async () => {
  const owner = await sync.user();
  const { mark } = await closedDocument(owner);
  const asking = await device(owner);
  expect((await compare(asking, [mark, mark])).filter(Boolean)).toHaveLength(1);
  asking.close();
});

test('after a restart, compares with snapshots unless the log has changes', async () => {
  const own = await startTestSync(mongodb.uri);
  try {
    const owner = await own.user();
    const ids = [await own.document(owner), await own.document(owner)];
    const marks: string[] = [];
    const writer = await new RawDevice(own.socket(owner)).join();
    for (const [i, id] of ids.entries()) {
      let doc = await writer.read<AccountDocument>(id);
      if (i === 1) {
        doc = set(doc, 'logged');
        writer.answers.length = 0;
        writer.push(id, A.getHeads(doc), [A.getLastLocalChange(doc)!], 'v1');
        await writer.next(({ type }) => type === 'sync');
      }
      marks.push(stateDigest(id, A.getHeads(doc))!);
    }
    writer.close();
    await own.restart();
    const asking = await new RawDevice(own.socket(owner)).join();
    expect(await compare(asking, marks)).toEqual([true, false]);
    await asking.read(ids[1]!);
    asking.close();
    await vi.waitFor(async () =>
      expect((await own.call(contract.getMetrics)).open_documents).toBe(0),
    );
    const again = await new RawDevice(own.socket(owner)).join();
    expect(await compare(again, marks)).toEqual([true, true]);
    again.close();
  } finally {
    await own.close();
  }
});

test('a reconnecting device sends no sync message for matching documents and misses no changes', async () => {
  const owner = await sync.user();
  const ids = [await sync.document(owner), await sync.document(owner), await sync.document(owner)];
  const frames: string[] = [];
  const open = async () => {
    const line = new Line(() => sync.port, {
      cookie: owner.cookie,
      origin: 'http://localhost:3000',
    });
    // It reconnects each time, even if the last attempt is in progress.
    const adapter = new Adapter(await line.open(), 1000);
    const send = adapter.send.bind(adapter);
    adapter.send = (message) => {
      frames.push(message.type);
      send(message);
    };
    const comparison = new StateComparison(adapter, {});
    await new Promise<void>((met) => comparison.repo.networkSubsystem.once('peer', () => met()));
    const handles = await Promise.all(
      ids.map((id) => comparison.repo.find<AccountDocument>(automergeUrl(id))),
    );
    return { line, adapter, comparison, handles };
  };
  const [phone, tablet] = [await open(), await open()];
  const settings = (on: typeof phone, which: number) => on.handles[which]!.doc().settings;
  const both = (key: string, which: number) =>
    vi.waitFor(() => {
      expect(settings(phone, which)).toHaveProperty(key);
      expect(settings(tablet, which)).toHaveProperty(key);
    }, 20_000);
  phone.handles[0]!.change((doc) => void (doc.settings['before'] = 1));
  await both('before', 0);
  const cut = (...devices: (typeof phone)[]) => devices.forEach(({ line }) => line.cut());
  cut(phone, tablet);
  await vi.waitFor(async () => expect(await openDocuments()).toBe(0), 20_000);
  phone.handles[2]!.change((doc) => void (doc.settings['offline'] = 1));
  frames.length = 0;
  for (const { line } of [phone, tablet]) line.restore();
  // Only the document that the phone changed is synced as usual.
  await both('offline', 2);
  await vi.waitFor(() => expect(phone.comparison.sameCount).toBe(2), 20_000);
  const compared = frames.filter((type) => type === 'compare').length;
  expect(compared).toBeGreaterThan(1);
  // Then a local change, a change by others and an ephemeral message.
  phone.handles[0]!.change((doc) => void (doc.settings['after'] = 1));
  await both('after', 0);
  tablet.handles[0]!.change((doc) => void (doc.settings['answer'] = 1));
  await both('answer', 0);
  const received = new Promise((resolve) =>
    tablet.handles[1]!.once('ephemeral-message', ({ message }) => resolve(message)),
  );
  phone.handles[1]!.broadcast('typing');
  expect(await received).toBe('typing');
  expect(phone.comparison.sameCount).toBe(1);
  for (const { adapter, line } of [phone, tablet]) {
    adapter.disconnect();
    line.close();
  }
});

import { setTimeout as wait } from 'node:timers/promises';
import { next as A } from '@automerge/automerge';
import { Binary, MongoClient, MongoNetworkError } from 'mongodb';
import { pino } from 'pino';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  test,
  vi,
} from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import type { CardRow } from '#shared/server/collections.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import * as contract from '#shared/sync/contract.ts';
import { Compaction, type CompactionStep } from '../../sync-server/core/compaction.ts';
import { openDatabase, type Database } from '../../sync-server/core/database.ts';
import { Documents } from '../../sync-server/core/documents/documents.ts';
import {
  loadDocument,
  QuarantinedDocument,
} from '../../sync-server/core/documents/load-document.ts';
import {
  applyNamedChange,
  initialDocument,
  namedChange,
} from '../../sync-server/core/documents/named-changes.ts';
import { Quarantine } from '../../sync-server/core/quarantine/quarantine.ts';
import { ReadOnlyAccounts } from '../../sync-server/core/quarantine/read-only-accounts.ts';
import { ChangeLog } from '../../sync-server/core/storage/change-log.ts';
import { FriendCards } from '../../sync-server/plugins/friend-cards.ts';
import { Projections } from '../../sync-server/plugins/projections.ts';
import { startTestSync } from '../sync.ts';
import { madeUpId, RawDevice } from './raw-device.ts';
import { watchMongodb } from './watched-mongodb.ts';

vi.setConfig({ testTimeout: 90_000 });

const logger = pino({ level: 'silent' });

/** Appends to a document until stopped. `acknowledged` counts the changes that the server confirmed. */
class Writer {
  acknowledged = 0;
  readonly device: RawDevice;
  readonly #id: string;
  #doc: A.Doc<AccountDocument>;
  #stopped = false;

  constructor(device: RawDevice, id: string, doc: A.Doc<AccountDocument>) {
    this.device = device;
    this.#id = id;
    this.#doc = doc;
  }

  async write(): Promise<void> {
    for (let n = this.acknowledged; !this.#stopped; n++) {
      this.#doc = A.change(this.#doc, (doc) => void (doc.settings[`n${n}`] = n));
      const heads = A.getHeads(this.#doc);
      this.device.answers.length = 0;
      this.device.push(this.#id, heads, [A.getLastLocalChange(this.#doc)!], 'v1');
      const isAcknowledged = (data: Uint8Array) =>
        A.decodeSyncMessage(data).heads.join() === heads.join();
      try {
        await this.device.next(
          (answer) => answer.documentId === this.#id && isAcknowledged(answer.data!),
        );
      } catch {
        return;
      }
      this.acknowledged = n + 1;
    }
  }

  stop(): void {
    this.#stopped = true;
  }
}

const settingsOf = (value: unknown) => Object.keys((value as AccountDocument).settings);

test('kill -9 under load loses nothing acknowledged, twice in a row', async () => {
  const sync = await startTestSync(inject('mongodbUri'), { child: true });
  try {
    const owner = await sync.user();
    const ids = await Promise.all(Array.from({ length: 10 }, () => sync.document(owner)));
    let expected = ids.map(() => 0);
    for (let round = 0; round < 2; round++) {
      const writers: Writer[] = [];
      for (const id of ids) {
        const device = await new RawDevice(sync.socket(owner)).join();
        writers.push(new Writer(device, id, await device.read<AccountDocument>(id)));
      }
      writers.forEach((writer, which) => (writer.acknowledged = expected[which]!));
      const writing = Promise.all(writers.map((writer) => writer.write()));
      await vi.waitFor(() => {
        writers.forEach((writer, which) =>
          expect(writer.acknowledged).toBeGreaterThan(expected[which]! + 5),
        );
      }, 40_000);
      await sync.restart('SIGKILL');
      await writing;
      expected = writers.map((writer) => writer.acknowledged);
      for (const [which, id] of ids.entries()) {
        const { value } = await sync.call(contract.readDocument, { params: { documentId: id } });
        const stored = settingsOf(value).length;
        expect(stored).toBeGreaterThanOrEqual(expected[which]!);
        expected[which] = stored;
      }
    }
  } finally {
    await sync.close();
  }
});

test('a closed MongoDB client works again after it reconnects', async () => {
  const again = await openDatabase(inject('mongodbUri'), `again-${Date.now()}`);
  await again.client.close();
  await expect(again.ping()).rejects.toThrow('must be connected');
  await again.client.connect();
  expect(await again.documents.countDocuments()).toBe(0);
  await again.client.db(again.documents.dbName).dropDatabase();
  await again.client.close();
});

test('requests a journaled write from a standalone server and a majority from a replica set', async () => {
  const mongodb = await watchMongodb(inject('mongodbUri'));
  const sync = await startTestSync(mongodb.uri);
  try {
    const owner = await sync.user();
    const id = await sync.document(owner, 'card');
    await sync.call(contract.changeDocument, { params: { documentId: id }, body: change });
    const inserts = mongodb.passages.filter(
      ({ command }) => command['insert'] === 'documents' || command['insert'] === 'document_log',
    );
    expect(inserts.length).toBeGreaterThan(1);
    const { setName } = await sync.db.admin().command({ hello: 1 });
    const asked = { w: setName === undefined ? 1 : 'majority', j: true };
    for (const { command } of inserts) expect(command['writeConcern']).toEqual(asked);
  } finally {
    await sync.close();
    mongodb.close();
  }
});

test('projections missing after a crash are written at the next start', async () => {
  const sync = await startTestSync(inject('mongodbUri'), { child: true });
  try {
    const owner = await sync.user();
    const id = await sync.document(owner, 'card');
    await sync.call(contract.changeDocument, {
      params: { documentId: id },
      body: {
        name: 'profile.save',
        input: { display_name: 'Sam' },
      },
    });
    await sync.call(contract.changeDocument, {
      params: { documentId: await sync.document(owner) },
      body: { name: 'sharing.save', input: { is_location_sharing_enabled: true } },
    });
    const cards = sync.db.collection<CardRow>('cards');
    const before = { display_name: 'an older name', is_location_sharing_enabled: false };
    await cards.updateOne({ _id: owner.id }, { $set: before });
    await sync.restart('SIGKILL');
    expect(await cards.findOne({ _id: owner.id })).toMatchObject({
      display_name: 'Sam',
      is_location_sharing_enabled: true,
    });
  } finally {
    await sync.close();
  }
});

test('everything that was stored while the server closed is projected, too', async () => {
  const sync = await startTestSync(inject('mongodbUri'));
  const database = await openDatabase(inject('mongodbUri'), sync.db.databaseName);
  const post = (documentId: string, key: string) =>
    sync.call(contract.changeDocument, {
      params: { documentId },
      body: {
        name: 'message.add',
        input: { key, seq: 1, device: 'one', at: new Date().toISOString(), text: key },
      },
    });
  try {
    const owner = await sync.user();
    const ids = Array.from({ length: 20 }, madeUpId);
    for (const [i, document_id] of ids.entries())
      await sync.call(contract.createDocument, {
        body: {
          document_id,
          kind: 'segment',
          owner_user_id: owner.id,
          place: { thread_id: `thread-${i}`, number: 1, friend_user_id: 'friend', after: 0 },
          created_at: new Date().toISOString(),
        },
      });
    for (let round = 0; round < 8; round++) {
      const calls = ids.map((id) => post(id, `message-${round}`));
      await wait(round * 2);
      await Promise.all([Promise.allSettled(calls), sync.restart()]);
    }
    for (const id of ids) {
      const { core } = (await loadDocument(database, id))!;
      const stored = Object.keys(core.materialize('/messages') as object).toSorted();
      core.free();
      const rows = await database.messages.find({ document_id: id }).toArray();
      expect(rows.map(({ text }) => text).toSorted()).toEqual(stored);
    }
  } finally {
    await database.client.close();
    await sync.close();
  }
});

test('acknowledges nothing while storage fails, and continues afterward', async () => {
  const sync = await startTestSync(inject('mongodbUri'));
  try {
    const owner = await sync.user();
    const id = await sync.document(owner);
    const card = await sync.document(owner, 'card');
    await sync.call(contract.changeDocument, { params: { documentId: card }, body: change });
    // An index that rejects a second record of a writer simulates a fillDisk disk.
    const log = sync.db.collection('document_log');
    const fillDisk = () => log.createIndex({ writer: 1 }, { unique: true });
    const freeDisk = () => log.dropIndex('writer_1');
    const device = await new RawDevice(sync.socket(owner)).join();
    const watcher = await new RawDevice(sync.socket(owner)).join();
    const doc = await device.read<AccountDocument>(id);
    await watcher.read<AccountDocument>(id);
    const before = A.getHeads(doc);
    await fillDisk();
    const writer = new Writer(device, id, doc);
    await writer.write();
    expect(writer.acknowledged).toBe(0);
    expect(await device.closed).toBe(closeCodes.tryAgainLater);
    expect(await watcher.closed).toBe(closeCodes.tryAgainLater);
    expect(
      (await sync.call(contract.readDocument, { params: { documentId: id } })).value,
    ).toMatchObject({ settings: {} });
    await expect(
      sync.call(contract.changeDocument, {
        params: { documentId: card },
        body: { ...change, input: { ...change.input, display_name: 'Somebody' } },
      }),
    ).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    await freeDisk();
    const again = await new RawDevice(sync.socket(owner)).join();
    const reloaded = await again.read<AccountDocument>(id);
    expect(A.getHeads(reloaded)).toEqual(before);
    const later = new Writer(again, id, reloaded);
    void later.write();
    await vi.waitFor(() => expect(later.acknowledged).toBeGreaterThan(2), 30_000);
    later.stop();
    again.close();
  } finally {
    await sync.close();
  }
});
const change = {
  name: 'profile.save',
  input: { display_name: 'Kim' },
};

test('documents leave memory with their last device', async () => {
  const sync = await startTestSync(inject('mongodbUri'));
  try {
    const owner = await sync.user();
    const ids = await Promise.all(Array.from({ length: 50 }, () => sync.document(owner)));
    const device = await new RawDevice(sync.socket(owner)).join();
    await Promise.all(ids.map((id) => device.read(id)));
    expect((await sync.call(contract.getMetrics)).open_documents).toBe(50);
    device.close();
    await vi.waitFor(
      async () => expect((await sync.call(contract.getMetrics)).open_documents).toBe(0),
      10_000,
    );
  } finally {
    await sync.close();
  }
});

const uri = inject('mongodbUri');

function segments(database: Database) {
  const projections = new Projections(database, logger, (userId) => friendCards.publish(userId));
  const log = new ChangeLog(database, () => {});
  const documents = new Documents({
    database,
    log,
    projections,
    logger,
    onFailure() {},
    onProjected() {},
  });
  const friendCards = new FriendCards({
    database,
    documents,
    charge() {},
    refused: projections.refused,
    logger,
  });
  const compaction = new Compaction({
    database,
    documents,
    projections,
    friendCards,
    writer: log.writer,
    logger,
  });
  return { log, documents, compaction, projections, friendCards };
}

let database: Database;
let client: MongoClient;
let docs: Map<string, A.Doc<{ list: string[] }>>;

beforeAll(async () => {
  client = await MongoClient.connect(uri);
});
afterAll(() => client.close());

beforeEach(async () => {
  const name = `compaction-${Math.random().toString(36).slice(2)}`;
  database = await openDatabase(uri, name);
  docs = new Map();
  const log = new ChangeLog(database, () => {});
  for (let which = 0; which < 4; which++) {
    const id = `Document${which}Document${which}`.replaceAll('0', 'Z');
    const doc = A.from<{ list: string[] }>({ list: [] });
    await database.documents.insertOne({
      _id: id,
      kind: 'account',
      owner_user_id: 'owner',
      reader_user_ids: [],
      snapshot: A.save(doc) as never,
      snapshot_version: 0,
      snapshot_at: new Date(),
      created_at: new Date(),
    });
    docs.set(id, doc);
  }
  // Records shared by varying groups of documents.
  for (let i = 0; i < 12; i++)
    await Promise.all(
      [...docs].flatMap(([id, doc], which) => {
        if ((i + which) % 3 === 0) return [];
        const after = A.change(doc, (draft) => void draft.list.push(`${i}`));
        docs.set(id, after);
        return [log.append(id, A.getLastLocalChange(after)!)];
      }),
    );
});
afterEach(async () => {
  await client.db(database.documents.dbName).dropDatabase();
  await database.client.close();
});

async function expectNothingMissing(): Promise<void> {
  for (const [id, doc] of docs) {
    const loaded = await loadDocument(database, id);
    expect(loaded!.core.getHeads()).toEqual(A.getHeads(doc));
    expect(loaded!.core.materialize('/')).toEqual(JSON.parse(JSON.stringify(doc)));
    loaded!.core.free();
  }
}

test('compaction moves the log into snapshots of open and closed documents', async () => {
  const { documents, compaction } = segments(database);
  const open = await documents.open([...docs.keys()][0]!);
  const records = await database.log.countDocuments();
  while ((await database.log.countDocuments()) > 0) await compaction.run();
  expect(records).toBeGreaterThan(5);
  await expectNothingMissing();
  open!.release();
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'compaction that fails at step %s loses nothing',
  async (failing) => {
    const { documents, compaction } = segments(database);
    const open = await documents.open([...docs.keys()][1]!);
    let steps = 0;
    const taken: CompactionStep[] = [];
    compaction.onStep = (step) => {
      taken.push(step);
      if (++steps === failing) throw new MongoNetworkError('failing here');
    };
    await compaction.run().catch(() => {});
    await expectNothingMissing();
    compaction.onStep = () => {};
    while ((await database.log.countDocuments()) > 0) await compaction.run();
    await expectNothingMissing();
    expect(taken[0]).toBe('chosen');
    open!.release();
  },
);

test('two processes that compact at once lose nothing', async () => {
  const both = [segments(database), segments(database)];
  const open = await both[0]!.documents.open([...docs.keys()][2]!);
  const records = await database.log.countDocuments();
  // In a round in which each is faster with some document, both leave the log as it is.
  while ((await database.log.countDocuments()) > 0) {
    await Promise.all(both.map(({ compaction }) => compaction.run()));
    await expectNothingMissing();
  }
  expect(records).toBeGreaterThan(5);
  open!.release();
});

test('quarantines a document with inconsistent changes and compacts the others', async () => {
  const id = [...docs.keys()][3]!;
  const { log, compaction, documents } = segments(database);
  const doc = docs.get(id)!;
  // Two different changes with the same actor and sequence number.
  for (const word of ['one', 'other']) {
    const copy = A.clone(doc, { actor: A.getActorId(doc) });
    await log.append(
      id,
      A.getLastLocalChange(A.change(copy, (draft) => void draft.list.push(word)))!,
    );
  }
  while ((await database.log.countDocuments()) > 0) await compaction.run();
  docs.delete(id);
  await expectNothingMissing();
  await expect(documents.open(id)).rejects.toThrow(QuarantinedDocument);
  const opened: string[] = [];
  const onRelease = (documentId: string) => void opened.push(documentId);
  const accounts = new ReadOnlyAccounts(database);
  await new Quarantine({
    database,
    documents,
    log,
    accounts,
    onReadOnly() {},
    onRelease,
    logger,
  }).tryDue();
  expect(opened).toEqual([id]);
  // It lacks only what cannot be loaded with the rest, which stays in the quarantine.
  const unusable = await database.quarantine.find({ '_id.document': id }).toArray();
  expect(unusable).toMatchObject([{ chunks: expect.any(Binary) as Binary }]);
  expect(unusable[0]).not.toHaveProperty('is_pending');
  const loaded = await loadDocument(database, id);
  const { list } = loaded!.core.materialize('/') as { list: string[] };
  expect(['one', 'other']).toContain(list.at(-1));
  loaded!.core.free();
});

/** Applies a named change. Returns false if it was not acknowledged. */
async function changed(documents: Documents, id: string, name: string, input: object) {
  const document = await documents.open(id);
  try {
    const change = namedChange(document!.kind, name)!;
    await applyNamedChange(document!, change, change.input.parse(input), () => {});
    return true;
  } catch {
    return false;
  } finally {
    document?.release();
  }
}

const place = { thread_id: 'thread', number: 1, friend_user_id: 'sam', after: 0 };

async function created(kind: 'segment' | 'card' | 'account', id: string): Promise<void> {
  const created_at = new Date();
  const { saved } = initialDocument(id, {
    kind,
    ownerUserId: 'alex',
    createdAt: created_at.toISOString(),
    place,
  });
  await database.documents.insertOne({
    _id: id,
    kind,
    owner_user_id: 'alex',
    reader_user_ids: [],
    snapshot: new Binary(saved),
    snapshot_version: 0,
    snapshot_at: new Date(),
    ...(kind === 'segment' && { place }),
    created_at,
  });
}

test.each([
  {
    once: 'opened',
    work: async ({ documents, all }: Torn) => {
      for (const id of all) (await documents.open(id))?.release();
    },
  },
  {
    once: 'compacted',
    work: async ({ compaction }: Torn) => {
      while ((await database.log.countDocuments()) > 0) await compaction.run();
    },
  },
])(
  'projects a stored commit whose response was lost when the document is $once',
  async ({ work }) => {
    const { log, documents, compaction, projections } = segments(database);
    const [segment, card] = ['PartPartPartPartPart', 'CardCardCardCardCard'];
    const account = 'AccountAccountAccount';
    await created('segment', segment);
    await created('card', card);
    await created('account', account);
    const append = log.append.bind(log);
    let isAnswered = true;
    log.append = async (...args) => {
      const record = await append(...args);
      if (!isAnswered) throw new Error('MongoDB went before it answered');
      return record;
    };
    const write = (key: string) =>
      changed(documents, segment, 'message.add', {
        key,
        seq: 1,
        device: key,
        at: new Date().toISOString(),
        text: key,
      });
    const save = (display_name: string) =>
      changed(documents, card, 'profile.save', { display_name });
    const share = (is: boolean) =>
      changed(documents, account, 'sharing.save', { is_location_sharing_enabled: is });
    expect([await write('one'), await save('Alex'), await share(false)]).toEqual(
      Array(3).fill(true),
    );
    isAnswered = false;
    expect([await write('two'), await save('Alexandra'), await share(true)]).toEqual(
      Array(3).fill(false),
    );
    isAnswered = true;
    await work({ documents, compaction, all: [segment, card, account] });
    // A later change doesn't hide the lost one.
    expect(await write('three')).toBe(true);
    await projections.settled();
    const texts = (await database.messages.find().toArray()).map(({ text }) => text);
    expect(texts.toSorted()).toEqual(['one', 'three', 'two']);
    expect(await database.cards.findOne({ _id: 'alex' })).toMatchObject({
      display_name: 'Alexandra',
      is_location_sharing_enabled: true,
    });
  },
);

test('publishes a card after a crash at the next start, and keeps it in the log until then', async () => {
  const before = segments(database);
  const [card, seen] = ['CardCardCardCardCard', 'FriendFriendFriend'];
  await created('card', card);
  await changed(before.documents, card, 'profile.save', { display_name: 'Alex' });
  await before.projections.settled();
  await before.friendCards.settled();
  const subject = await before.friendCards.subject('alex');
  expect(subject.card.display_name).toBe('Alex');
  const { saved } = initialDocument(seen, {
    kind: 'friend_card',
    ownerUserId: 'sam',
    createdAt: '',
    subject,
  });
  await database.documents.insertOne({
    _id: seen,
    kind: 'friend_card',
    owner_user_id: 'sam',
    reader_user_ids: [],
    subject_user_id: 'alex',
    snapshot: new Binary(saved),
    snapshot_version: 0,
    snapshot_at: new Date(),
    created_at: new Date(),
  });
  before.friendCards.stop();
  await changed(before.documents, card, 'profile.save', { display_name: 'Alexandra' });
  await before.compaction.run();
  const nameSeen = async () => {
    const { core } = (await loadDocument(database, seen))!;
    const { display_name } = core.materialize('/') as { display_name: string };
    core.free();
    return display_name;
  };
  expect(await nameSeen()).toBe('Alex');
  const after = segments(database);
  await after.compaction.redoProjections();
  while ((await database.log.countDocuments()) > 0) await after.compaction.run();
  expect(await nameSeen()).toBe('Alexandra');
});

describe('what MongoDB refuses', () => {
  const [card, segment] = ['CardCardCardCardCard', 'PartPartPartPartPart'];
  const write = (documents: Documents, key: string) =>
    changed(documents, segment, 'message.add', {
      key,
      seq: 1,
      device: key,
      at: new Date().toISOString(),
      text: key,
    });
  const texts = async () => {
    const stored = await database.messages.find({ document_id: segment }).toArray();
    return stored.map(({ text }) => text).toSorted();
  };
  const waiting = async (id: string) =>
    (await database.documents.findOne({ _id: id }))?.projection ?? null;
  const due = (id: string) =>
    database.documents.updateOne({ _id: id }, { $set: { 'projection.retry_at': new Date(0) } });
  const cardRow = () => database.cards.findOne({ _id: 'alex' });

  test.each(['open', 'closed'])(
    'stops nothing else, and is projected later while its document is %s',
    async (state) => {
      const { documents, compaction, projections } = segments(database);
      await created('segment', segment);
      await created('card', card);
      // A row that MongoDB refuses again and again.
      await database.messages.createIndex({ text: 1 }, { unique: true });
      const blocker = { _id: 'blocker', text: 'two' };
      await database.messages.insertOne(blocker as never);
      const open = await documents.open(segment);
      for (const key of ['one', 'two', 'three']) expect(await write(documents, key)).toBe(true);
      await changed(documents, card, 'profile.save', { display_name: 'Alex' });
      await projections.settled();
      expect(await texts()).toEqual(['one', 'three']);
      expect(await cardRow()).toMatchObject({ display_name: 'Alex' });
      const first = await waiting(segment);
      expect(first).toMatchObject({ tries: 1 });
      expect(await projections.refused.waiting()).toBe(1);
      // What waits is neither tried again before its time nor forgotten when its changes leave the log.
      while ((await database.log.countDocuments()) > 0) await compaction.run();
      await compaction.projectRefused();
      expect(await waiting(segment)).toEqual(first);
      if (state === 'closed') open!.release();
      await due(segment);
      await compaction.projectRefused();
      const second = await waiting(segment);
      expect(second).toMatchObject({ tries: 2 });
      const pause = (row: typeof first) => row!.retry_at.getTime() - Date.now();
      expect(pause(second)).toBeGreaterThan(pause(first));
      await database.messages.deleteOne({ _id: 'blocker' });
      await due(segment);
      await compaction.projectRefused();
      expect(await texts()).toEqual(['one', 'three', 'two']);
      expect(await waiting(segment)).toBe(null);
      if (state === 'open') open!.release();
    },
  );

  test('keeps no other card from being written, and no friend card from being updated', async () => {
    const { documents, compaction, projections, friendCards } = segments(database);
    const seenBy = ['sam', 'kim', 'lee'].map((friend) => `${friend}${friend}${friend}`);
    await created('card', card);
    await changed(documents, card, 'profile.save', { display_name: 'Alex' });
    await projections.settled();
    await friendCards.settled();
    for (const id of seenBy) {
      const subject = await friendCards.subject('alex');
      const { saved } = initialDocument(id, {
        kind: 'friend_card',
        ownerUserId: id.slice(0, 3),
        createdAt: '',
        subject,
      });
      await database.documents.insertOne({
        _id: id,
        kind: 'friend_card',
        owner_user_id: id.slice(0, 3),
        reader_user_ids: [],
        subject_user_id: 'alex',
        snapshot: new Binary(id === seenBy[0] ? Buffer.from('damaged') : saved),
        snapshot_version: 0,
        snapshot_at: new Date(),
        created_at: new Date(),
      });
    }
    await changed(documents, card, 'profile.save', { display_name: 'Alexandra' });
    await projections.settled();
    await friendCards.settled();
    const nameSeen = async (id: string) => {
      const { core } = (await loadDocument(database, id))!;
      const { display_name } = core.materialize('/') as { display_name: string };
      core.free();
      return display_name;
    };
    expect(await Promise.all(seenBy.slice(1).map(nameSeen))).toEqual(['Alexandra', 'Alexandra']);
    expect(await waiting(seenBy[0]!)).toMatchObject({ tries: 1 });
    const subject = await friendCards.subject('alex');
    subject.card.display_name = 'Old';
    const { saved } = initialDocument(seenBy[0]!, {
      kind: 'friend_card',
      ownerUserId: 'sam',
      createdAt: '',
      subject,
    });
    const snapshot = new Binary(saved);
    await database.documents.updateOne({ _id: seenBy[0]! }, { $set: { snapshot } });
    await due(seenBy[0]!);
    await compaction.projectRefused();
    expect(await nameSeen(seenBy[0]!)).toBe('Alexandra');
    expect(await waiting(seenBy[0]!)).toBe(null);
  });

  test('keeps only the log records of that document', async () => {
    const { documents, compaction, log } = segments(database);
    const id = [...docs.keys()][0]!;
    const open = (await documents.open(id))!;
    const fail = () => {
      throw new Error('the snapshot is refused');
    };
    Object.defineProperty(open, 'snapshotVersion', { get: fail, configurable: true });
    await created('segment', segment);
    await write(documents, 'one');
    await log.settled();
    for (let runs = 0; runs < 10; runs++) await compaction.run();
    const left = await database.log.distinct('entries.document');
    expect(left).toContain(id);
    expect(left).not.toContain(segment);
    await expectNothingMissing();
  });
});

interface Torn {
  documents: Documents;
  compaction: Compaction;
  all: string[];
}

test('projects a commit that reaches the disk only after the document was opened again', async () => {
  const { log, documents, projections } = segments(database);
  const segment = 'PartPartPartPartPart';
  await created('segment', segment);
  const append = log.append.bind(log);
  let late: Parameters<typeof append> | null = null;
  log.append = (...args) => {
    late = args;
    return Promise.reject(new Error('MongoDB does not answer'));
  };
  const message = { key: 'one', seq: 1, device: 'one', at: new Date().toISOString(), text: 'one' };
  expect(await changed(documents, segment, 'message.add', message)).toBe(false);
  log.append = append;
  (await documents.open(segment))?.release();
  await append(...late!);
  (await documents.open(segment))?.release();
  await projections.settled();
  expect(await database.messages.countDocuments()).toBe(1);
});

test('opening a document that is removed meanwhile returns null', async () => {
  const { documents } = segments(database);
  const [id] = [...docs.keys()];
  const opening = documents.open(id!);
  documents.forget(id!);
  expect(await opening).toBe(null);
  expect(documents.size).toBe(0);
});

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { next as A } from '@automerge/automerge';
import type { DocHandle } from '@automerge/automerge-repo';
import { Encoder } from 'cbor-x';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import type { SegmentDocument } from '#shared/chat/document.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import * as contract from '#shared/sync/contract.ts';
import { HEADS_MERGED_ABOVE } from '#shared/sync/limits.ts';
import { FRAME_MAX_BYTES } from '#shared/sync/limits.ts';
import { automergeUrl, startTestSync, type TestSync, type TestUser } from '../sync.ts';
import { chunkOf, chunkParts, deflated, madeUpId, nestMaps, RawDevice } from './raw-device.ts';

const MiB = 1024 * 1024;
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

/** Several times the value of an idle machine. A real stall takes seconds. */
const STALL_MAX_MS = 300;
/** Normal growth of a process. The attacks request far more. */
const GROWTH_MAX_BYTES = 64 * MiB;

let sync: TestSync;
let attacker: TestUser;
let honest: DocHandle<AccountDocument>;
let honestStorage: string;
let rssBefore: number;
const devices: RawDevice[] = [];

beforeAll(async () => {
  sync = await startTestSync(inject('mongodbUri'), { child: true });
  const owner = await sync.user();
  const { repo } = await sync.device(owner);
  honest = await repo.find<AccountDocument>(automergeUrl(await sync.document(owner)));
  honestStorage = (await vi.waitUntil(
    () => Object.values(repo.peerMetadataByPeerId)[0]?.storageId,
  ))!;
  // Allocates what the process needs once.
  attacker = await sync.user();
  await (await device()).read(await sync.document(attacker));
  await expectStillServed();
});
afterAll(() => sync.close());

beforeEach(async () => {
  attacker = await sync.user();
  rssBefore = (await sync.call(contract.getMetrics)).rss_bytes;
});

afterEach(async () => {
  await expectStillServed();
  for (const one of devices.splice(0)) one.close();
  await expectUnharmed();
});

async function expectUnharmed(): Promise<void> {
  const { max_stall_ms, rss_bytes } = await sync.call(contract.getMetrics);
  expect(max_stall_ms).toBeLessThan(STALL_MAX_MS);
  expect(rss_bytes - rssBefore).toBeLessThan(GROWTH_MAX_BYTES);
  expect(sync.child?.exitCode).toBeNull();
}

async function device(user: TestUser | null = attacker, peerId?: string): Promise<RawDevice> {
  const made = new RawDevice(sync.socket(user), peerId);
  devices.push(made);
  return made.join();
}

/** Expects that the change of another device is still acknowledged. */
async function expectStillServed(): Promise<void> {
  honest.change((doc) => void (doc.settings['n'] = Math.random()));
  await vi.waitFor(
    () => expect(honest.getSyncInfo(honestStorage as never)?.lastHeads).toEqual(honest.heads()),
    15_000,
  );
}

async function refusal(socket: ReturnType<TestSync['socket']>): Promise<number> {
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    { statusCode: number },
  ];
  socket.on('error', () => {}).terminate();
  return response.statusCode;
}

/** A chunk with the changes of `edit` to the attacker's document. */
function changed(doc: A.Doc<AccountDocument>, edit: (doc: AccountDocument) => void) {
  const after = A.change(A.clone(doc), edit);
  return { doc: after, heads: A.getHeads(after), change: A.getLastLocalChange(after)! };
}

test('rejects sockets without a valid session, without access or from another site', async () => {
  expect(await refusal(sync.socket(null))).toBe(401);
  expect(await refusal(sync.socket({ ...attacker, cookie: 'leashwise-session=made-up' }))).toBe(
    401,
  );
  expect(await refusal(sync.socket(await sync.user({}, { revoked_at: new Date() })))).toBe(401);
  expect(await refusal(sync.socket(await sync.user({}, { expires_at: new Date(0) })))).toBe(401);
  expect(await refusal(sync.socket(await sync.user({ access_expires_at: null })))).toBe(403);
  expect(await refusal(sync.socket(attacker, { origin: 'https://elsewhere.example' }))).toBe(403);
  expect(await refusal(sync.socket(attacker, { 'sec-fetch-site': 'cross-site' }))).toBe(403);
  expect(await refusal(sync.socket(attacker, { host: 'elsewhere.example' }))).toBe(421);
});

test.each(['v1', 'v2'] as const)(
  'rejects writing to a document with read access only, in version %s',
  async (version) => {
    const friend = await sync.user();
    const card = await sync.document(friend, 'card');
    await sync.call(contract.setReaders, {
      params: { documentId: card },
      body: { reader_user_ids: [attacker.id] },
    });
    for (const id of [card, await sync.document(attacker, 'contacts')]) {
      const reader = await device();
      const doc = await reader.read<AccountDocument>(id);
      const {
        heads,
        change,
        doc: after,
      } = changed(doc, (draft) => void (draft.user_id = new A.ImmutableString('me')));
      reader.push(id, heads, [version === 'v1' ? change : A.save(after)], version);
      expect(await reader.refusal(id)).toBe('not_yours');
      const { value } = await sync.call(contract.readDocument, { params: { documentId: id } });
      expect(value).toMatchObject({ user_id: id === card ? friend.id : attacker.id });
    }
  },
);

test('claiming the peer id of another device takes nothing from it', async () => {
  const victim = await sync.user();
  const id = await sync.document(victim);
  const theirs = await device(victim, 'the-same-peer');
  const doc = await theirs.read<AccountDocument>(id);
  const mine = await device(attacker, 'the-same-peer');
  mine.request(id);
  expect((await mine.next((answer) => answer.documentId === id)).type).toBe('doc-unavailable');
  theirs.answers.length = 0;
  const { heads, change } = changed(doc, (draft) => void (draft.settings['still'] = true));
  theirs.push(id, heads, [change], 'v1');
  const answer = await theirs.next((one) => one.documentId === id);
  expect(A.decodeSyncMessage(answer.data!).heads).toEqual(heads);
  expect(mine.answers.filter((one) => one.type === 'sync')).toEqual([]);
  mine.send({ type: 'sync', senderId: 'somebody-else', documentId: id, data: new Uint8Array(9) });
  expect(await mine.closed).toBe(closeCodes.policy);
});

test('rejects two joins on a socket, and messages without a join', async () => {
  const twice = await device();
  twice.send({ type: 'join', peerMetadata: {}, supportedProtocolVersions: ['1'] });
  expect(await twice.closed).toBe(closeCodes.policy);
  const never = new RawDevice(sync.socket(attacker));
  await once(never.socket, 'open');
  never.request(madeUpId());
  expect(await never.closed).toBe(closeCodes.policy);
});

test('rejects random bytes, invalid CBOR and text frames', async () => {
  const encoder = new Encoder({ useRecords: false });
  const nested = Buffer.concat([Buffer.alloc(100_000, 0x81), Buffer.from([0])]);
  const hollow = Buffer.from([0x9b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
  for (const frame of [
    Buffer.from([0xf6]),
    Buffer.alloc(0),
    nested,
    hollow,
    encoder.encode([1]),
    encoder.encode({}),
  ]) {
    const one = await device();
    one.sendBytes(frame);
    expect(await one.closed).toBe(closeCodes.policy);
  }
  for (let i = 0; i < 30; i++) {
    const one = await device();
    one.sendBytes(randomBytes(1 + i * 37));
    expect(await one.closed).toBe(closeCodes.policy);
  }
  const textDevice = await device();
  textDevice.sendBytes('{"type":"join"}');
  expect(await textDevice.closed).toBe(closeCodes.unsupported);
});

test('rejects random bytes in sync messages about the user’s own document', async () => {
  const id = await sync.document(attacker);
  const one = await device();
  await one.read(id);
  for (let i = 0; i < 30; i++) {
    one.sync(
      id,
      i % 2 ? randomBytes(5 + i * 11) : Buffer.concat([Buffer.from([0x42]), randomBytes(i * 11)]),
    );
    expect(['invalid', 'too_large']).toContain(await one.refusal(id));
  }
});

test('survives changes that are invalid for Automerge but have correct checksums', async () => {
  const id = await sync.document(attacker);
  const reader = await device();
  const doc = await reader.read<AccountDocument>(id);
  const {
    change,
    heads,
    doc: after,
  } = changed(doc, (draft) => void (draft.settings['volume'] = 5));
  for (let i = 0; i < 200; i++) {
    const { type, body } = chunkParts(i % 2 ? change : A.save(after));
    for (let flips = 0; flips < 2; flips++)
      body[Math.floor(Math.random() * body.length)] = randomBytes(1)[0]!;
    reader.push(id, heads, [chunkOf(type, body)], 'v2');
  }
  await expectUnharmed();
});

test('rejects frames, messages, changes and documents over the limits', async () => {
  const id = await sync.document(attacker);
  const frames = await device();
  frames.sendBytes(Buffer.alloc(FRAME_MAX_BYTES + 1));
  expect(await frames.closed).toBe(closeCodes.tooLarge);

  const changes = await device();
  const doc = await changes.read<AccountDocument>(id);
  const many = changed(doc, (draft) => {
    for (let i = 0; i < 30_000; i++) draft.settings[`k${i}`] = i;
  });
  changes.push(id, many.heads, [many.change], 'v1');
  expect(await changes.refusal(id)).toBe('too_large');

  const growing = await device();
  let last = doc;
  let answer = '';
  for (let i = 0; i < 6 && answer !== 'refused'; i++) {
    const {
      doc: after,
      heads,
      change,
    } = changed(last, (draft) => {
      draft.settings[`big${i}`] = new A.ImmutableString(randomBytes(700_000).toString('base64'));
    });
    growing.answers.length = 0;
    growing.push(id, heads, [change], 'v1');
    answer = (await growing.next((one) => one.documentId === id)).type;
    last = after;
  }
  expect(await growing.refusal(id)).toBe('full');
  const stored = await (await device()).read<AccountDocument>(id);
  expect(Object.keys(stored.settings).length).toBeGreaterThan(0);
  expect(A.save(stored).length).toBeLessThan(4 * MiB);
});

test('rejects a string of 100 MB compressed to 97 kB, as a change and as a document', async () => {
  const id = await sync.document(attacker);
  const reader = await device();
  const doc = await reader.read<AccountDocument>(id);
  const {
    heads,
    change,
    doc: after,
  } = changed(doc, (draft) => {
    draft.settings['bomb'] = new A.ImmutableString('a'.repeat(100_000_000));
  });
  const bomb = deflated(change);
  expect(bomb.length).toBeLessThan(100_000);
  reader.push(id, heads, [bomb], 'v1');
  expect(await reader.refusal(id)).toBe('too_large');
  reader.push(id, heads, [A.save(after)], 'v2');
  expect(await reader.refusal(id)).toBe('too_large');
});

/** A segment of the attacker, which a friend reads. */
async function segmentOf(owner: TestUser, friend: TestUser): Promise<string> {
  const documentId = madeUpId();
  await sync.call(contract.createDocument, {
    body: {
      document_id: documentId,
      kind: 'segment',
      owner_user_id: owner.id,
      created_at: new Date().toISOString(),
      place: { thread_id: documentId, number: 1, friend_user_id: friend.id, after: 0 },
    },
  });
  await sync.call(contract.setReaders, {
    params: { documentId },
    body: { reader_user_ids: [friend.id] },
  });
  return documentId;
}

test.each([1000, 8000])(
  'rejects %i nested maps in a thread segment before they are stored',
  async (depth) => {
    const id = await segmentOf(attacker, await sync.user());
    const nesting = await device();
    const doc = await nesting.read<SegmentDocument>(id);
    const { core, changes } = nestMaps(A.save(doc), depth, 'messages');
    expect(changes[0]!.length).toBeLessThan(17_000);
    nesting.push(id, core.getHeads(), changes, 'v1');
    core.free();
    expect(await nesting.refusal(id)).toBe('too_deep');
    await sync.restart('SIGKILL');
    const { value } = await sync.call(contract.readDocument, { params: { documentId: id } });
    expect(value).toMatchObject({ messages: {} });
  },
);

test('thousands of concurrent changes do not disconnect a friend', async () => {
  const friend = await sync.user();
  const id = await segmentOf(attacker, friend);
  const reader = await device(friend);
  await reader.read(id);
  const writer = await device();
  const doc = await writer.read<SegmentDocument>(id);
  const branch = (n: number) =>
    A.change(A.clone(doc), { time: 0 }, (draft) => void (draft.received[`d${n}`] = 1));
  const branches = Array.from({ length: 4_200 }, (_, n) => branch(n));
  writer.push(
    id,
    branches.flatMap(A.getHeads),
    branches.map((each) => A.getLastLocalChange(each)!),
    'v1',
  );
  expect(await writer.refusal(id)).toBe('too_large');
  // One after the other, they are merged.
  const patient = await device();
  for (const each of branches.slice(0, 100)) {
    patient.answers.length = 0;
    patient.push(id, A.getHeads(each), [A.getLastLocalChange(each)!], 'v1');
    await patient.next((answer) => answer.documentId === id);
  }
  const received = await (await device(friend)).read<SegmentDocument>(id);
  expect(A.getHeads(received).length).toBeLessThanOrEqual(HEADS_MERGED_ABOVE);
  expect(reader.socket.readyState).toBe(reader.socket.OPEN);
});

test('rejects requesting one large change thousands of times in one message', async () => {
  const id = await sync.document(attacker);
  const reader = await device();
  const { heads, change } = changed(await reader.read<AccountDocument>(id), (draft) => {
    draft.settings['big'] = new A.ImmutableString(randomBytes(700_000).toString('base64'));
  });
  reader.answers.length = 0;
  reader.push(id, heads, [change], 'v1');
  await reader.next((answer) => answer.documentId === id);
  const repeated = Array<string>(4000).fill(heads[0]!);
  for (const asking of [{ need: repeated }, { heads: repeated }]) {
    const greedy = await device();
    await greedy.read(id);
    greedy.sync(id, { heads, need: [], have: [], changes: [], ...asking });
    expect(await greedy.refusal(id)).toBe('invalid');
  }
});

test('answers thousands of invented document ids at the rate limit', async () => {
  const guessing = await device();
  const ids = Array.from({ length: 2_100 }, madeUpId);
  for (const id of ids) guessing.request(id);
  await expectStillServed();
  await guessing.next(({ documentId }) => documentId === ids.at(-1));
  for (let i = 0; i < 10_000; i++) guessing.request(madeUpId());
  await expectStillServed();
  expect(guessing.answers.length).toBeLessThan(ids.length + 10_000);
  expect(
    guessing.answers.every((answer) => answer.type === 'peer' || answer.type === 'doc-unavailable'),
  ).toBe(true);
  expect((await sync.call(contract.getMetrics)).open_documents).toBeLessThan(5);
});

test('throttles a client that floods the server', async () => {
  const id = await sync.document(attacker);
  const flooding = await device();
  const doc = await flooding.read<AccountDocument>(id);
  const [, message] = A.generateSyncMessage(doc, A.initSyncState());
  for (let i = 0; i < 60_000; i++) flooding.sync(id, message!);
  await expectStillServed();
  await expectStillServed();
  expect(flooding.socket.bufferedAmount).toBeGreaterThan(0);
});

test('limits the number of sockets per user', async () => {
  for (let i = 0; i < 20; i++) await device();
  expect(await refusal(sync.socket(attacker))).toBe(429);
});

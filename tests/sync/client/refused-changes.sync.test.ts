import { randomBytes } from 'node:crypto';
import * as A from '@automerge/automerge';
import type { DocHandle, PeerId } from '@automerge/automerge-repo';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { AccountDocument } from '#shared/account/document.ts';
import type { SegmentDocument } from '#shared/chat/document.ts';
import * as contract from '#shared/sync/contract.ts';
import { FRAME_MAX_BYTES } from '#shared/sync/limits.ts';
import { RefusedDocuments } from '../../../client/platform/sync/connection/refused-documents.ts';
import { ServerConnection } from '../../../client/platform/sync/connection/server-connection.ts';
import { StateComparison } from '../../../client/platform/sync/connection/state-comparison.ts';
import {
  ConfirmedHeads,
  Confirmations,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { NO_TIME, whenHere } from '../../../client/platform/sync/state/document-state.ts';
import { NO_SYNC } from '../../../client/platform/sync/state/document-state.ts';
import { syncWords } from '../../../client/platform/sync/state/sync-status-text.ts';
import {
  automergeUrl,
  Line,
  startTestSync,
  type TestSync,
  type TestUser,
  newSegment,
} from '../../sync.ts';

let sync: TestSync;
let owner: TestUser;
let account: string;
let segment: string;
const ends: (() => void)[] = [];

beforeAll(async () => {
  sync = await startTestSync(inject('mongodbUri'));
});
afterAll(() => sync.close());

beforeEach(async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('WebSocket', WebSocket);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  owner = await sync.user();
  account = await sync.document(owner);
  segment = await newSegment(sync, owner);
});

afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The app on a device of the owner, with both documents. */
async function start() {
  const line = new Line(() => sync.port, { cookie: owner.cookie, origin: 'http://localhost:3000' });
  const states: string[] = [];
  const codes: number[] = [];
  const refused = new RefusedDocuments(owner.id, () => connection.offerAgain());
  const connection = new ServerConnection(await line.open(), {
    onState: (state) => states.push(state),
    onRefused: (code) => codes.push(code),
    refusals: refused,
  });
  const { repo } = new StateComparison(connection, { peerId: 'device' as PeerId });
  await new Promise<void>((resolve) => repo.networkSubsystem.once('peer', () => resolve()));
  ends.push(() => {
    connection.disconnect();
    refused.close();
    line.close();
  });
  const confirmations = new Confirmations(new ConfirmedHeads(null), () => {}, {
    refusals: refused,
  });
  const open = async <T>(documentId: string) => {
    const { handle } = repo.findWithProgress<T>(automergeUrl(documentId));
    confirmations.track(handle);
    await whenHere(handle);
    return handle;
  };
  const settings = await open<AccountDocument>(account);
  const messages = await open<SegmentDocument>(segment);
  const words = () =>
    syncWords(
      {
        ...NO_SYNC,
        connection: states.at(-1) as 'connected',
        ...confirmations.sum(),
      },
      { pictures: 0, sounds: 0, actions: 0 },
    );
  await vi.waitFor(() => expect(words().label).toBe('Saved'));
  return { settings, messages, states, codes, words };
}

const stored = async (documentId: string) =>
  (await sync.call(contract.readDocument, { params: { documentId } })).value;

/** Ten changes of the account, and waits until the server has them. */
async function expectSettingsArrive(settings: DocHandle<AccountDocument>): Promise<void> {
  for (let i = 0; i < 10; i++)
    settings.change((doc) => void (doc.settings[`later${i}`] = true), NO_TIME);
  await vi.waitFor(async () =>
    expect(Object.keys(((await stored(account)) as AccountDocument).settings)).toHaveLength(10),
  );
}

test('a refused change stays on the device in words, other documents go on, and it arrives after the cause is gone', async () => {
  const { settings, messages, states, codes, words } = await start();
  // A change with a time.
  messages.change((doc) => void Object.assign(doc, { note: new A.ImmutableString('Hello') }));
  await expectSettingsArrive(settings);
  await vi.waitFor(() =>
    expect(words()).toMatchObject({
      label: 'Not all saved',
      explanation: expect.stringContaining('Our server didn’t save 1 change.'),
    }),
  );
  expect(codes).toEqual([]);
  expect(states.at(-1)).toBe('connected');
  expect(states).not.toContain('offline');
  expect(await stored(segment)).not.toHaveProperty('note');

  const later = new Date(Date.now() + 86_400_000);
  await sync.db.collection('sync_server').updateOne({}, { $set: { times_until: later } });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
  await sync.restart();
  await vi.waitFor(async () => expect(await stored(segment)).toMatchObject({ note: 'Hello' }));
  await vi.waitFor(() => expect(words().label).toBe('Saved'));
});

test('a change that no frame can hold is not sent, and other documents go on', async () => {
  const { settings, messages, codes, words } = await start();
  const big = randomBytes(FRAME_MAX_BYTES).toString('base64');
  messages.change((doc) => void Object.assign(doc, { note: new A.ImmutableString(big) }), NO_TIME);
  await expectSettingsArrive(settings);
  await vi.waitFor(() => expect(words().explanation).toContain('It’s too large.'));
  expect(codes).toEqual([]);
});

test('a document with refused changes still receives those of others', async () => {
  const { messages, words } = await start();
  await sync.db.collection('sync_server').updateOne({}, { $set: { times_until: new Date(0) } });
  await sync.restart();
  messages.change((doc) => void Object.assign(doc, { note: new A.ImmutableString('Hello') }));
  await vi.waitFor(() => expect(words().label).toBe('Not all saved'));
  const body = {
    name: 'message.add',
    input: { key: 'k', seq: 1, device: 'd', at: new Date().toISOString(), text: 'Hi' },
  };
  await sync.call(contract.changeDocument, { params: { documentId: segment }, body });
  await vi.waitFor(() => expect(messages.doc().messages).toHaveProperty('k'));
  expect(words().label).toBe('Not all saved');
});

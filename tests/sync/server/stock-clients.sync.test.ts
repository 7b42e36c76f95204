import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import * as A from '@automerge/automerge';
import { Binary } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import { segmentChanges, type SegmentDocument } from '#shared/chat/document.ts';
import * as contract from '#shared/sync/contract.ts';
import { Disk } from '../../chat/disk.ts';
import {
  automergeUrl,
  newSegment,
  startTestSync,
  type Device,
  type StockVersion,
  type TestSync,
  type TestUser,
} from '../../sync.ts';
import { madeUpId } from '../raw-device.ts';

/** The last release of each of the last four minor versions. Each adapter brings its own automerge-repo. */
const VERSIONS = {
  '2.2.0': 'automerge-websocket-2.2',
  '2.3.1': 'automerge-websocket-2.3',
  '2.4.0': 'automerge-websocket-2.4',
  '2.5.6': '@automerge/automerge-repo-network-websocket',
} as const;

/** Changes that one device makes offline. */
const BACKLOG = 2_500;

async function load(name: string): Promise<StockVersion> {
  const adapter = createRequire(import.meta.url).resolve(name);
  const repo = createRequire(adapter).resolve('@automerge/automerge-repo');
  const [{ WebSocketClientAdapter }, { Repo }] = (await Promise.all(
    [adapter, repo].map((path) => import(pathToFileURL(path).href)),
  )) as [StockVersion, StockVersion];
  return { WebSocketClientAdapter, Repo };
}

describe.each(Object.entries(VERSIONS))('automerge-repo %s', (version, name) => {
  let sync: TestSync;
  let stock: StockVersion;
  let owner: TestUser;
  let device: Device;
  let disk: Disk;
  let disconnected: number;

  const open = async () => {
    const opened = await sync.device(owner, disk, stock);
    opened.repo.networkSubsystem.on('peer-disconnected', () => {
      // Those of earlier tests go on.
      if (opened === device) disconnected++;
    });
    return opened;
  };
  const stored = async (documentId: string) =>
    (await sync.call(contract.readDocument, { params: { documentId } })).value;
  const storedSettings = async (documentId: string) =>
    ((await stored(documentId)) as AccountDocument).settings;
  /** Changes a document as another device does. */
  const changeElsewhere = (documentId: string, body: { name: string; input: unknown }) =>
    sync.call(contract.changeDocument, { params: { documentId }, body });
  const message = (seq: number, text = 'Hi') => {
    const at = new Date().toISOString();
    return { key: `k${seq}`, seq, device: 'd', at, text };
  };

  beforeAll(async () => {
    stock = await load(name);
    sync = await startTestSync(inject('mongodbUri'));
  });
  beforeEach(async () => {
    owner = await sync.user();
    disk = new Disk();
    disconnected = 0;
    device = await open();
  });
  afterAll(() => sync.close());

  test('is the version that its name says', async () => {
    const adapter = createRequire(import.meta.url).resolve(name);
    const { dependencies } = createRequire(adapter)('../package.json') as {
      dependencies: Record<string, string>;
    };
    expect(dependencies['@automerge/automerge-repo']).toBe(version);
  });

  test('finds a document, changes it as usual, and receives what others change', async () => {
    const account = await sync.document(owner);
    const handle = await device.repo.find<AccountDocument>(automergeUrl(account));
    // With the time, which stock clients write.
    handle.change((doc) => void (doc.settings['mine'] = true));
    await vi.waitFor(async () => expect(await storedSettings(account)).toHaveProperty('mine'));
    await changeElsewhere(account, {
      name: 'settings.save',
      input: { speech: false },
    });
    await vi.waitFor(() => expect(handle.doc().settings).toHaveProperty('speech', false));
    expect(disconnected).toBe(0);
  });

  test('learns at once that a document is unknown, not its user’s, or cannot be opened now', async () => {
    const foreign = await sync.document(await sync.user());
    const damaged = await sync.document(owner);
    await sync.db
      .collection<{ _id: string }>('documents')
      .updateOne({ _id: damaged }, { $set: { snapshot: new Binary(Buffer.from('damaged')) } });
    for (const id of [madeUpId(), foreign, damaged])
      await expect(device.repo.find(automergeUrl(id))).rejects.toThrow('unavailable');
    expect(disconnected).toBe(0);
  });

  test('sends what it changed without a network, also after it was closed, and receives what it missed', async () => {
    const account = await sync.document(owner);
    const handle = await device.repo.find<AccountDocument>(automergeUrl(account));
    device.cut();
    await vi.waitFor(() => expect(disconnected).toBe(1));
    handle.change((doc) => void (doc.settings['offline'] = true));
    await changeElsewhere(account, {
      name: 'settings.save',
      input: { speech: false },
    });
    device.restore();
    await vi.waitFor(async () => expect(await storedSettings(account)).toHaveProperty('offline'));
    await vi.waitFor(() => expect(handle.doc().settings).toHaveProperty('speech', false));

    device.cut();
    handle.change((doc) => void (doc.settings['closed'] = true));
    await device.repo.flush();
    // The first one never connects again.
    device = await open();
    await device.repo.find(automergeUrl(account));
    await vi.waitFor(async () => expect(await storedSettings(account)).toHaveProperty('closed'));
  });

  test('keeps a refused change, sends and receives everything else, and offers it again on the next connection', async () => {
    const [account, segment] = [await sync.document(owner), await newSegment(sync, owner)];
    const settings = await device.repo.find<AccountDocument>(automergeUrl(account));
    const messages = await device.repo.find<SegmentDocument>(automergeUrl(segment));
    // With the time, which is refused where others read it.
    messages.change((doc) => void Object.assign(doc, { note: new A.ImmutableString('Hello') }));
    for (let i = 0; i < 10; i++) settings.change((doc) => void (doc.settings[`later${i}`] = true));
    await vi.waitFor(async () =>
      expect(Object.keys(await storedSettings(account))).toHaveLength(10),
    );
    await changeElsewhere(segment, { name: 'message.add', input: message(1) });
    await vi.waitFor(() => expect(messages.doc().messages).toHaveProperty('k1'));
    expect(messages.doc()).toHaveProperty('note');
    expect(await stored(segment)).not.toHaveProperty('note');
    expect(disconnected).toBe(0);

    const later = new Date(Date.now() + 86_400_000);
    await sync.db.collection('sync_server').updateOne({}, { $set: { times_until: later } });
    await sync.restart();
    await vi.waitFor(async () => expect(await stored(segment)).toMatchObject({ note: 'Hello' }));
  });

  test('sends thousands of changes that it made without a network', async () => {
    const [account, segment] = [await sync.document(owner), await newSegment(sync, owner)];
    const settings = await device.repo.find<AccountDocument>(automergeUrl(account));
    const messages = await device.repo.find<SegmentDocument>(automergeUrl(segment));
    device.cut();
    await vi.waitFor(() => expect(disconnected).toBe(1));
    for (let i = 0; i < BACKLOG; i++) settings.change((doc) => void (doc.settings[`k${i}`] = true));
    for (let i = 1; i <= 500; i++)
      messages.change(
        (doc) =>
          segmentChanges['message.add'].apply(doc, message(i, 'A long message. '.repeat(20))),
        { time: 0 },
      );
    const connected = new Promise((resolve) =>
      device.repo.networkSubsystem.once('peer', () => resolve((disconnected = 0))),
    );
    device.restore();
    await connected;
    await vi.waitFor(async () => {
      expect(Object.keys(await storedSettings(account))).toHaveLength(BACKLOG);
      const { messages: arrived } = (await stored(segment)) as SegmentDocument;
      expect(Object.keys(arrived)).toHaveLength(500);
    });
    expect(disconnected).toBe(0);
  });
});

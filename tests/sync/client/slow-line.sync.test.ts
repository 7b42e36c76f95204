import { randomBytes } from 'node:crypto';
import { next as A } from '@automerge/automerge';
import { cbor, type PeerId } from '@automerge/automerge-repo';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { SegmentDocument } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { separateChunks } from '#shared/sync/chunks.ts';
import * as contract from '#shared/sync/contract.ts';
import { startThrottledProxy, type ThrottledProxy } from '../../../bench/prove/throttled-proxy.ts';
import { ServerConnection } from '../../../client/platform/sync/connection/server-connection.ts';
import { StateComparison } from '../../../client/platform/sync/connection/state-comparison.ts';
import {
  ConfirmedHeads,
  Confirmations,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { NO_TIME, whenHere } from '../../../client/platform/sync/state/document-state.ts';
import { ignoreSocketErrors } from '../../ignore-socket-errors.ts';
import { automergeUrl, Line, startTestSync, newSegment, type TestSync } from '../../sync.ts';

const SLOW = 2_000;
/** In random characters, so that nothing can be compressed away. */
const TEXT_LENGTH = 1_000;
const OFFLINE_CHANGES = 10_000;
const CHANGE_BYTES = TEXT_LENGTH + 190;

let sync: TestSync;
let proxy: ThrottledProxy;
let sentBytes: number;
let deviceUrl: string;
let onSent: (bytes: Uint8Array) => void;
const ends: (() => void)[] = [];

beforeAll(async () => {
  sync = await startTestSync(inject('mongodbUri'));
  proxy = await startThrottledProxy(sync.port, Math.random);
});
afterAll(async () => {
  proxy.close();
  await sync.close();
});

beforeEach(() => {
  ends.push(ignoreSocketErrors());
  sentBytes = 0;
  onSent = () => {};
  const { send } = WebSocket.prototype;
  // The stock adapter imports it. Those of the server and of the line are others.
  vi.spyOn(WebSocket.prototype, 'send').mockImplementation(function (
    this: WebSocket,
    ...given: unknown[]
  ) {
    if (this.url?.startsWith(deviceUrl)) {
      const bytes = new Uint8Array(given[0] as ArrayBuffer);
      sentBytes += bytes.length;
      onSent(bytes);
    }
    Reflect.apply(send, this, given);
  });
  vi.stubGlobal('WebSocket', WebSocket);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  proxy.set({});
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A device with a segment, behind the proxy, that reviews its state like the app. */
async function start() {
  const owner = await sync.user();
  const segment = await newSegment(sync, owner);
  const line = new Line(() => proxy.port, {
    cookie: owner.cookie,
    origin: 'http://localhost:3000',
  });
  const states: string[] = [];
  deviceUrl = await line.open();
  const connection = new ServerConnection(deviceUrl, { onState: (state) => states.push(state) });
  const { repo } = new StateComparison(connection, { peerId: 'device' as PeerId });
  const unconfirmed: number[] = [];
  const confirmations = new Confirmations(new ConfirmedHeads(null), () => {
    const sum = confirmations.sum();
    unconfirmed.push(sum.unconfirmed);
    connection.watchForStall(sum.isConfirmed);
  });
  ends.push(() => {
    connection.disconnect();
    line.close();
  });
  const { handle } = repo.findWithProgress<SegmentDocument>(automergeUrl(segment));
  confirmations.track(handle);
  await whenHere(handle);
  await vi.waitFor(() => expect(confirmations.sum().isConfirmed).toBe(true));
  const write = (count: number, length = TEXT_LENGTH) => {
    for (let seq = 1; seq <= count; seq++) {
      const words = randomBytes(0.75 * length).toString('base64');
      const message = {
        key: `k${seq}`,
        seq,
        device: 'd',
        at: new Date().toISOString(),
        text: words,
      };
      handle.change(
        (doc) => documentKinds.segment.changes['message.add'].apply(doc, message),
        NO_TIME,
      );
    }
  };
  const arrived = async () => {
    const { value } = await sync.call(contract.readDocument, { params: { documentId: segment } });
    return Object.keys((value as SegmentDocument).messages).length;
  };
  return {
    write,
    arrived,
    states,
    unconfirmed,
    handle,
    isConfirmed: () => confirmations.sum().isConfirmed,
    /** The hashes of changes that the server has not confirmed. */
    missing: () =>
      new Set(
        A.getChangesMetaSince(handle.doc(), confirmations.heads.get(handle.documentId) ?? []).map(
          ({ hash }) => hash,
        ),
      ),
  };
}

/** Counts the messages with changes, and the changes that are sent although the server has them, or for the second time. */
function watchSent(missing: () => Set<string>) {
  let lacks = missing();
  const sent = {
    parts: 0,
    again: 0,
    /** For the next connection: what was on its way may be sent over it, too. */
    reset: () => void (lacks = missing()),
  };
  onSent = (bytes) => {
    const { type, data } = cbor.decode<{ type: string; data?: Uint8Array }>(bytes);
    const changes = type === 'sync' && data ? A.decodeSyncMessage(data).changes : [];
    if (changes.length > 0) sent.parts++;
    for (const change of changes.flatMap(separateChunks))
      if (!lacks.delete(A.decodeChange(change).hash)) sent.again++;
  };
  return sent;
}

test('10,000 changes made offline arrive in parts, and what arrived before the connection broke is not sent again', async () => {
  const { handle, states, unconfirmed, isConfirmed, missing } = await start();
  window.dispatchEvent(new Event('offline'));
  const { changes } = documentKinds.segment;
  const photo = { width: 1, height: 1, image_key: null };
  const at = new Date().toISOString();
  const message = { key: 'k', seq: 1, device: 'd', at, text: 'Hi', photo };
  // At once: the client counts what is unsaved after each change.
  handle.update((before) => {
    let doc = A.change(before, NO_TIME, (draft) => changes['message.add'].apply(draft, message));
    for (let i = 1; i < OFFLINE_CHANGES; i++) {
      const photoKey = { key: 'k', image_key: randomBytes(16).toString('hex') };
      doc = A.change(doc, NO_TIME, (draft) => changes['message.photo'].apply(draft, photoKey));
    }
    return doc;
  });
  expect(missing().size).toBe(OFFLINE_CHANGES);
  const sent = watchSent(missing);
  for (const share of [0.95, 0.6, 0.3]) {
    states.length = 0;
    window.dispatchEvent(new Event('online'));
    await vi.waitFor(() => expect(missing().size).toBeLessThan(share * OFFLINE_CHANGES), {
      timeout: 120_000,
      // Each look at 10,000 changes takes time that the device lacks.
      interval: 500,
    });
    window.dispatchEvent(new Event('offline'));
    await vi.waitFor(() => expect(states.at(-1)).toBe('offline'));
    sent.reset();
  }
  expect(isConfirmed()).toBe(false);
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(isConfirmed()).toBe(true), {
    timeout: 120_000,
    interval: 1_000,
  });
  expect(missing().size).toBe(0);
  expect(sent.again).toBe(0);
  expect(sent.parts).toBeGreaterThan(10);
  expect(new Set(unconfirmed).size).toBeGreaterThan(10);
}, 400_000);

test('250 messages written offline arrive at 2 kB/s on one connection, each sent once, in parts that are confirmed one by one', async () => {
  const { write, arrived, states, unconfirmed, isConfirmed, missing } = await start();
  window.dispatchEvent(new Event('offline'));
  // More than what is sent as one chunk.
  write(250, 160);
  const sent = watchSent(missing);
  proxy.set({ bytesPerSecond: SLOW });
  sentBytes = 0;
  states.length = 0;
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(isConfirmed()).toBe(true), { timeout: 150_000, interval: 100 });
  expect(await arrived()).toBe(250);
  expect(states).toEqual(['connecting', 'connected']);
  expect(sent.again).toBe(0);
  expect(new Set(unconfirmed).size).toBeGreaterThan(5);
  expect(sentBytes).toBeGreaterThan(250 * 160);
  expect(sentBytes).toBeLessThan(1.2 * 250 * (160 + CHANGE_BYTES - TEXT_LENGTH));
}, 200_000);

test('what arrived before a slow line broke is not sent again', async () => {
  const { write, arrived, isConfirmed } = await start();
  window.dispatchEvent(new Event('offline'));
  write(40);
  proxy.set({ bytesPerSecond: SLOW });
  sentBytes = 0;
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(async () => expect(await arrived()).toBeGreaterThan(15), { timeout: 60_000 });
  window.dispatchEvent(new Event('offline'));
  const before = await arrived();
  const sentBefore = sentBytes;
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(isConfirmed()).toBe(true), { timeout: 90_000, interval: 100 });
  expect(await arrived()).toBe(40);
  expect(sentBefore).toBeGreaterThan(15 * TEXT_LENGTH);
  expect(sentBytes - sentBefore).toBeLessThan(1.2 * (40 - before) * CHANGE_BYTES + 8_000);
}, 150_000);

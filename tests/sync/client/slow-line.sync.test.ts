import { randomBytes } from 'node:crypto';
import type { PeerId } from '@automerge/automerge-repo';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { SegmentDocument } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import * as contract from '#shared/sync/contract.ts';
import { startThrottledProxy, type ThrottledProxy } from '../../../bench/prove/throttled-proxy.ts';
import { ServerConnection } from '../../../client/platform/sync/connection/server-connection.ts';
import { Comparison } from '../../../client/platform/sync/connection/state-comparison.ts';
import { NO_TIME, whenHere } from '../../../client/platform/sync/documents/document-state.ts';
import {
  ConfirmedHeads,
  Confirmations,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { automergeUrl, Line, startTestSync, newSegment, type TestSync } from '../../sync.ts';

const SLOW = 2_000;
/** In random characters, so that nothing can be compressed away. */
const TEXT_LENGTH = 1_000;
const CHANGE_BYTES = TEXT_LENGTH + 190;

let sync: TestSync;
let proxy: ThrottledProxy;
let sentBytes: number;
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
  sentBytes = 0;
  class CountingSocket extends WebSocket {
    override send(data: ArrayBuffer): void {
      sentBytes += data.byteLength;
      super.send(data);
    }
  }
  vi.stubGlobal('WebSocket', CountingSocket);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  proxy.set({});
  vi.unstubAllGlobals();
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
  const connection = new ServerConnection(
    await line.open(),
    (state) => states.push(state),
    () => {},
  );
  const { repo } = new Comparison(connection, { peerId: 'device' as PeerId });
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
  const write = (count: number) => {
    for (let seq = 1; seq <= count; seq++) {
      const words = randomBytes(0.75 * TEXT_LENGTH).toString('base64');
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
    isConfirmed: () => confirmations.sum().isConfirmed,
  };
}

test('messages written offline arrive over a slow line on one connection, in parts that are confirmed one by one', async () => {
  const { write, arrived, states, unconfirmed, isConfirmed } = await start();
  window.dispatchEvent(new Event('offline'));
  // More than what is sent as one chunk.
  write(50);
  proxy.set({ bytesPerSecond: SLOW });
  sentBytes = 0;
  states.length = 0;
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(isConfirmed()).toBe(true), { timeout: 90_000, interval: 100 });
  expect(await arrived()).toBe(50);
  expect(states).toEqual(['connecting', 'connected']);
  expect(new Set(unconfirmed).size).toBeGreaterThan(5);
  expect(sentBytes).toBeLessThan(1.2 * 50 * CHANGE_BYTES);
}, 120_000);

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
  expect(sentBytes - sentBefore).toBeLessThan(1.2 * (40 - before) * CHANGE_BYTES + 8_000);
}, 150_000);

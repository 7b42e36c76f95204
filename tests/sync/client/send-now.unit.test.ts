import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Repo } from '@automerge/automerge-repo';
import { WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { ServerConnection } from '../../../client/sync/connection/server-connection.ts';
import { ignoreSocketErrors } from '../../ignore-socket-errors.ts';

afterAll(ignoreSocketErrors());
beforeEach(() => {
  vi.stubGlobal('WebSocket', WebSocket);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('document', new EventTarget());
});

const closers: (() => unknown)[] = [];
afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

const emptyStorage = {
  load: async () => undefined,
  save: async () => {},
  remove: async () => {},
  loadRange: async () => [],
  removeRange: async () => {},
};

/** A device with a document that a server has too, and the types of messages it sends from now on. */
async function deviceWithDocument() {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(sockets, 'listening');
  const server = new Repo({
    network: [new WebSocketServerAdapter(sockets as never)],
    storage: emptyStorage,
  });
  const { port } = sockets.address() as AddressInfo;
  const adapter = new ServerConnection(
    `ws://127.0.0.1:${port}`,
    () => {},
    () => {},
  );
  const repo = new Repo({ network: [adapter] });
  await new Promise<void>((met) => repo.networkSubsystem.once('peer', () => met()));
  const handle = repo.create<{ words: string[] }>({ words: [] });
  const theirs = await server.find<{ words: string[] }>(handle.url);
  const [peer] = repo.peers;
  const storageId = repo.getStorageIdOfPeer(peer!)!;
  const expectConfirmed = () =>
    expect(handle.getSyncInfo(storageId)?.lastHeads.join()).toBe(handle.heads().join());
  await vi.waitFor(expectConfirmed);
  const sent: string[] = [];
  const send = adapter.send.bind(adapter);
  adapter.send = (message) => {
    sent.push(message.type);
    send(message);
  };
  closers.push(() => {
    adapter.disconnect();
    sockets.close();
  });
  return { repo, adapter, handle, theirs, sent, expectConfirmed };
}

/** Resolves after the microtasks, before any timer and, in a browser, before the next frame. */
const beforeTimers = () => new Promise<void>((resolve) => setImmediate(resolve));

test('sends a change at once and only once', async () => {
  const { adapter, handle, theirs, sent, expectConfirmed } = await deviceWithDocument();
  handle.change((doc) => void doc.words.push('hello'));
  expect(sent).toEqual([]);
  adapter.sendNow(handle);
  await beforeTimers();
  expect(sent).toEqual(['sync']);
  await vi.waitFor(expectConfirmed);
  // The Repo's own timer has run by then.
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(sent).toEqual(['sync']);
  expect(theirs.doc().words).toEqual(['hello']);
});

test('sends several changes at once together, in order', async () => {
  const { adapter, handle, theirs, sent, expectConfirmed } = await deviceWithDocument();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1e9);
  for (const word of ['one', 'two', 'three']) {
    handle.change((doc) => void doc.words.push(word));
    adapter.sendNow(handle);
  }
  clock.mockRestore();
  await beforeTimers();
  expect(sent).toEqual(['sync']);
  await vi.waitFor(expectConfirmed);
  expect(theirs.doc().words).toEqual(['one', 'two', 'three']);
});

test('sends nothing while disconnected, and the next connection delivers the change', async () => {
  const { repo, adapter, handle, theirs, sent } = await deviceWithDocument();
  adapter.disconnect();
  handle.change((doc) => void doc.words.push('later'));
  adapter.sendNow(handle);
  await beforeTimers();
  expect(sent).toEqual([]);
  adapter.connect(repo.networkSubsystem.peerId, { isEphemeral: true });
  await vi.waitFor(() => expect(theirs.doc().words).toEqual(['later']));
});

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Repo } from '@automerge/automerge-repo';
import { WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { sendNow } from '../../../client/chat/thread/segment-pair.ts';
import { Adapter } from '../../sync.ts';

const closers: (() => unknown)[] = [];
afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

const keepsNothing = {
  load: async () => undefined,
  save: async () => {},
  remove: async () => {},
  loadRange: async () => [],
  removeRange: async () => {},
};

/** A device with a document that a server has too, and what the device sends from now on. */
async function deviceWithDocument() {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(sockets, 'listening');
  const server = new Repo({
    network: [new WebSocketServerAdapter(sockets as never)],
    storage: keepsNothing,
  });
  const { port } = sockets.address() as AddressInfo;
  const adapter = new Adapter(`ws://127.0.0.1:${port}`);
  const repo = new Repo({ network: [adapter] });
  await new Promise<void>((met) => repo.networkSubsystem.once('peer', () => met()));
  const handle = repo.create<{ words: string[] }>({ words: [] });
  const theirs = await server.find<{ words: string[] }>(handle.url);
  const [peer] = repo.peers;
  const storageId = repo.getStorageIdOfPeer(peer!)!;
  const isKept = () =>
    expect(handle.getSyncInfo(storageId)?.lastHeads.join()).toBe(handle.heads().join());
  await vi.waitFor(isKept);
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
  return { repo, handle, theirs, sent, isKept };
}

test('what was changed is handed to the connection at once, and only once', async () => {
  const { repo, handle, theirs, sent, isKept } = await deviceWithDocument();
  handle.change((doc) => void doc.words.push('hello'));
  expect(sent).toEqual([]);
  sendNow(repo, handle);
  expect(sent).toEqual(['sync']);
  await vi.waitFor(isKept);
  // The Repo's own timer has run by then.
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(sent).toEqual(['sync']);
  expect(theirs.doc().words).toEqual(['hello']);
});

test('of several at a time the first goes at once, the others together, and they arrive in their order', async () => {
  const { repo, handle, theirs, sent, isKept } = await deviceWithDocument();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1e9);
  for (const word of ['one', 'two', 'three']) {
    handle.change((doc) => void doc.words.push(word));
    sendNow(repo, handle);
  }
  clock.mockRestore();
  expect(sent).toEqual(['sync']);
  await vi.waitFor(isKept);
  expect(theirs.doc().words).toEqual(['one', 'two', 'three']);
});

test('without a connection nothing is sent, and the next one brings it', async () => {
  const { repo, handle, theirs, sent } = await deviceWithDocument();
  const [adapter] = repo.networkSubsystem.adapters;
  adapter!.disconnect();
  handle.change((doc) => void doc.words.push('later'));
  sendNow(repo, handle);
  expect(sent).toEqual([]);
  adapter!.connect(repo.networkSubsystem.peerId, { isEphemeral: true });
  await vi.waitFor(() => expect(theirs.doc().words).toEqual(['later']));
});

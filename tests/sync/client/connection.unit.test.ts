import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { next as A } from '@automerge/automerge';
import { cbor, parseAutomergeUrl, Repo, type PeerId } from '@automerge/automerge-repo';
import { WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { backoffMs } from '#shared/backoff.ts';
import { reachability } from '../../../client/platform/http/reachability.ts';
import {
  ServerConnection,
  WAIT_MS,
  type Connection,
} from '../../../client/platform/sync/connection/server-connection.ts';
import { LeftOutDocuments } from '../../../client/platform/sync/documents/left-out-documents.ts';
import { writeSyncMessage } from '../../../sync-server/core/protocol/sync-message.ts';
import { ignoreSocketErrors } from '../../ignore-socket-errors.ts';
import { nestMaps } from '../raw-device.ts';

/** The unmodified sync server on a separate port. */
async function startServer(port = 0) {
  const sockets = new WebSocketServer({ port, host: '127.0.0.1' });
  await once(sockets, 'listening');
  const repo = new Repo({
    network: [new WebSocketServerAdapter(sockets as never)],
    peerId: 'server' as PeerId,
  });
  return {
    repo,
    port: (sockets.address() as AddressInfo).port,
    /** Sends something as an old or malicious server would. */
    send: (message: Record<string, unknown>) =>
      sockets.clients.forEach((socket) =>
        socket.send(cbor.encode({ senderId: 'server', targetId: 'device', ...message })),
      ),
    dropAll: () => sockets.clients.forEach((socket) => socket.terminate()),
    async stop() {
      sockets.clients.forEach((socket) => socket.terminate());
      sockets.close();
      await once(sockets, 'close');
    },
  };
}

let server: Awaited<ReturnType<typeof startServer>>;
let connection: ServerConnection;
let states: Connection[];
let refusals: number;
const page = { onLine: true, hidden: false };

function connect(port = server.port): Repo {
  connection = new ServerConnection(`ws://127.0.0.1:${port}`, {
    onState: (state) => states.push(state),
    onRefused: () => (refusals += 1),
  });
  return new Repo({ network: [connection], peerId: 'device' as PeerId });
}

const until = (state: Connection) =>
  vi.waitFor(() => expect(states.at(-1)).toBe(state), { timeout: 10_000, interval: 10 });

describe('reconnection delay', () => {
  it('doubles from half a second to half a minute with random jitter', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const most = Math.min(30_000, 500 * 2 ** attempt);
        const wait = backoffMs(WAIT_MS, attempt, random);
        expect(wait).toBeGreaterThanOrEqual(most / 2);
        expect(wait).toBeLessThanOrEqual(most);
      }),
    );
  });
});

describe('the connection', () => {
  afterAll(ignoreSocketErrors());

  beforeEach(async () => {
    states = [];
    refusals = 0;
    Object.assign(page, { onLine: true, hidden: false });
    vi.stubGlobal('WebSocket', WebSocket);
    vi.stubGlobal('window', new EventTarget());
    vi.stubGlobal('navigator', page);
    vi.stubGlobal(
      'document',
      Object.defineProperties(new EventTarget(), {
        hidden: { get: () => page.hidden },
      }),
    );
    server = await startServer();
  });

  afterEach(async () => {
    connection.disconnect();
    await server.stop();
    vi.unstubAllGlobals();
  });

  it('loads a document and reconnects after the server closed the connection', async () => {
    const handle = server.repo.create({ name: 'Rex' });
    const device = connect();
    const here = await device.find<{ name: string }>(handle.url);
    server.dropAll();
    await until('offline');
    here.change((doc) => void (doc.name = 'Rexy'));
    await until('connected');
    await vi.waitFor(() => expect(handle.doc().name).toBe('Rexy'));
  });

  it('leaves out one document that is nested too deeply, and others and the connection go on', async () => {
    let repo: Repo | null = null;
    const leftOut = new LeftOutDocuments(
      () => ({ repo, friendCards: null, own: null }),
      () => {},
    );
    connection = new ServerConnection(`ws://127.0.0.1:${server.port}`, {
      onState: (state) => states.push(state),
      onRefused: () => (refusals += 1),
      incoming: leftOut,
    });
    repo = new Repo({ network: [connection], peerId: 'device' as PeerId });
    const poisoned = server.repo.create<{ messages: Record<string, unknown> }>({ messages: {} });
    const other = server.repo.create({ text: 'one' });
    const [here, otherHere] = await Promise.all([
      repo.find<{ messages: Record<string, unknown> }>(poisoned.url),
      repo.find<{ text: string }>(other.url),
    ]);
    // 16 kB, which would take a device minutes and all its memory.
    const { core, changes } = nestMaps(A.save(here.doc()), 8_000, 'messages');
    const { documentId } = parseAutomergeUrl(poisoned.url);
    const message = { type: 'sync', documentId };
    server.send({ ...message, data: writeSyncMessage(core.getHeads(), changes, false) });
    await vi.waitFor(() => expect(leftOut.has(documentId)).toBe(true));
    expect(here.doc()).toEqual({ messages: {} });
    other.change((doc) => void (doc.text = 'two'));
    await vi.waitFor(() => expect(otherHere.doc().text).toBe('two'));
    // The whole of one that is not here: nobody waits for it.
    const unknown = parseAutomergeUrl(new Repo({}).create({}).url).documentId;
    const looked = repo.find(unknown);
    server.send({
      type: 'sync',
      documentId: unknown,
      data: writeSyncMessage(core.getHeads(), [core.save()], false),
    });
    await expect(looked).rejects.toThrow('unavailable');
    core.free();
    expect(states).not.toContain('offline');
    // A server that was mended sends what may be applied, over the next connection.
    server.dropAll();
    await until('offline');
    await until('connected');
    poisoned.change((doc) => void (doc.messages['m1'] = { text: 'hello' }));
    await vi.waitFor(() => expect(here.doc().messages).toHaveProperty('m1'));
  });

  it('waits for a server that is not running, without checking the session while offline', async () => {
    const { port } = server;
    await server.stop();
    reachability.set(false);
    connect(port);
    await until('offline');
    expect(states).not.toContain('connected');
    expect(refusals).toBe(0);
    server = await startServer(port);
    window.dispatchEvent(new Event('online'));
    await until('connected');
  });

  it('reports a rejected connection so that the session can be checked', async () => {
    const { port } = server;
    await server.stop();
    connect(port);
    await until('offline');
    expect(refusals).toBe(1);
    server = await startServer(port);
  });

  it('closes a socket that is still connecting without an unhandled error', async () => {
    connect();
    await vi.waitFor(() => expect(states).toEqual(['connecting']), { interval: 0 });
    window.dispatchEvent(new Event('offline'));
    expect(states).toEqual(['connecting', 'offline']);
    window.dispatchEvent(new Event('online'));
    await until('connected');
  });

  it('disconnects at once when the network is lost and drops messages sent meanwhile', async () => {
    connect();
    await until('connected');
    window.dispatchEvent(new Event('offline'));
    expect(states.at(-1)).toBe('offline');
    expect(() =>
      connection.send({
        type: 'sync',
        senderId: 'device' as PeerId,
        targetId: 'server' as PeerId,
        data: new Uint8Array([1]),
      }),
    ).not.toThrow();
  });

  it('announces the server to the Repo once per connection, after announcing its disconnection', async () => {
    connect();
    const peerEvents: string[] = [];
    connection.on('peer-candidate', () => peerEvents.push('here'));
    connection.on('peer-disconnected', () => peerEvents.push('gone'));
    await until('connected');
    window.dispatchEvent(new Event('offline'));
    await until('connected');
    server.dropAll();
    await until('offline');
    expect(peerEvents).toEqual(['here', 'gone', 'here', 'gone']);
  });

  it('reconnects when a phone wakes up, but not after a short switch to another app', async () => {
    connect();
    await until('connected');
    const look = (hidden: boolean) => {
      page.hidden = hidden;
      document.dispatchEvent(new Event('visibilitychange'));
    };
    const before = states.length;
    look(true);
    look(false);
    expect(states).toHaveLength(before);
    const slept = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    page.hidden = false;
    document.dispatchEvent(new Event('visibilitychange'));
    slept.mockRestore();
    expect(states.at(-1)).toBe('connecting');
    await until('connected');
  });
});

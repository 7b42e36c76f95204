import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
// Also loads the WebAssembly, which the tests take for granted.
import '@automerge/automerge-repo';
import type { Chunk, StorageKey } from '@automerge/automerge-repo';
import { WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import { runNetworkAdapterTests } from '@automerge/automerge-repo/helpers/tests/network-adapter-tests.js';
import { runStorageAdapterTests } from '@automerge/automerge-repo/helpers/tests/storage-adapter-tests.js';
import { afterAll, beforeEach, describe, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import {
  READY,
  ServerConnection,
} from '../../../client/platform/sync/connection/server-connection.ts';
import { ChunkStorage } from '../../../client/platform/sync/storage/chunk-storage.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';
import { ignoreSocketErrors } from '../../ignore-socket-errors.ts';

/** automerge-repo's own acceptance tests of adapters, against ours. */

/** The tests expect the order of the first saves, which no adapter promises, and automerge-repo's own on IndexedDB doesn't have. */
class InOrderOfSaves extends ChunkStorage {
  readonly #saved: string[] = [];

  override save(key: StorageKey, data: Uint8Array): Promise<void> {
    this.#saved.push(key.join());
    return super.save(key, data);
  }

  override async loadRange(prefix: StorageKey): Promise<Chunk[]> {
    const at = ({ key }: Chunk) => this.#saved.indexOf(key.join());
    return (await super.loadRange(prefix)).toSorted((a, b) => at(a) - at(b));
  }
}

describe('storing chunks', () => {
  runStorageAdapterTests(async () => {
    freshIndexedDb();
    vi.stubGlobal('localStorage', { getItem: () => null });
    const adapter = new InOrderOfSaves(await openDatabase('ann'), () => {}, new Set());
    return { adapter, teardown: () => adapter.close() };
  }, 'on the device');
});

// automerge-repo's tests give connections 50 ms, which a busy machine exceeds.
describe('the connection', { retry: 5 }, () => {
  afterAll(ignoreSocketErrors());
  const { withinMs } = READY;
  afterAll(() => void (READY.withinMs = withinMs));
  beforeEach(() => {
    // On a busy machine, connecting takes longer.
    READY.withinMs = 20 * withinMs;
    vi.stubGlobal('WebSocket', WebSocket);
    vi.stubGlobal('window', new EventTarget());
    vi.stubGlobal('navigator', { onLine: true });
    vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  });

  // Two devices, and a stock server between them: ours creates the documents itself.
  runNetworkAdapterTests(async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(sockets, 'listening');
    const { port } = sockets.address() as AddressInfo;
    const newDevice = () => new ServerConnection(`ws://127.0.0.1:${port}`, { onState() {} });
    const devices = [newDevice(), newDevice()] as const;
    const server = new WebSocketServerAdapter(sockets as never);
    return {
      adapters: [devices[0], server, devices[1]],
      teardown() {
        for (const device of devices) device.disconnect();
        server.disconnect();
        sockets.close();
      },
    };
  }, 'to a server');
});

import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Repo } from '@automerge/automerge-repo';
import { WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import { NodeFSStorageAdapter } from '@automerge/automerge-repo-storage-nodefs';
import { WebSocketServer } from 'ws';

// The server that automerge-repo ships: its Repo, its sockets, its files.
const wss = new WebSocketServer({ port: 0, host: '127.0.0.1' });
const repo = new Repo({
  network: [new WebSocketServerAdapter(wss as never)],
  storage: new NodeFSStorageAdapter(mkdtempSync(join(tmpdir(), 'leashwise-stock-'))),
  sharePolicy: async () => false,
});
wss.once('listening', () => process.send?.({ port: (wss.address() as AddressInfo).port }));
// Guarded: documents that never become ready would end the process after a minute.
process.on('unhandledRejection', () => {});
process.once('disconnect', () => void repo.shutdown().finally(() => process.exit(0)));

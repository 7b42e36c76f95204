import type { AddressInfo } from 'node:net';
import { Repo } from '@automerge/automerge-repo';
import { WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import { WebSocketServer } from 'ws';

// automerge-repo's own server, as its readme sets it up, but for storage: it keeps nothing, which is in its favour.
const wss = new WebSocketServer({ port: 0, host: '127.0.0.1' });
new Repo({
  network: [new WebSocketServerAdapter(wss as never)],
  sharePolicy: async () => false,
});
wss.once('listening', () => process.send?.({ port: (wss.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit(0));

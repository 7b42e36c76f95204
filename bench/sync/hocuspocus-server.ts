import { Server } from '@hocuspocus/server';

// Without extensions it stores nothing, which is to its advantage.
const server = new Server({ port: 0, address: '127.0.0.1', quiet: true, stopOnSignals: false });
await server.listen();
process.send?.({ port: server.address.port });
process.once('disconnect', () => process.exit(0));

import { readEnv } from './env.ts';
import { startSyncServer } from './server.ts';

const server = await startSyncServer(readEnv(process.env));
process.send?.({ ready: true, port: server.port, internalPort: server.internalPort });
const stop = () => void server.close().then(() => process.exit(0));
process.once('SIGTERM', stop).once('SIGINT', stop).once('disconnect', stop);

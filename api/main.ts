import { readEnv } from './env.ts';
import { startApi } from './server.ts';

const server = await startApi(readEnv(process.env));
process.send?.({ ready: true, port: server.port });
const stop = () => void server.close().then(() => process.exit(0));
process.once('SIGTERM', stop).once('SIGINT', stop).once('disconnect', stop);

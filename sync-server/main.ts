import { runServer } from '#shared/server/run-server.ts';
import { readEnv } from './env.ts';
import { startSyncServer } from './server.ts';

await runServer(
  () => startSyncServer(readEnv(process.env), { isOwnProcess: true }),
  ({ port, internalPort }) => ({ port, internalPort }),
);

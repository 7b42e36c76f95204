import { runServer } from '#shared/run-server.ts';
import { readEnv } from './env.ts';
import { startApi } from './server.ts';

await runServer(
  () => startApi(readEnv(process.env)),
  ({ port }) => ({ port }),
);

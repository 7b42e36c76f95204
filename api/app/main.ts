import { runServer } from '#shared/server/run-server.ts';
import { sandboxWarning } from '#shared/server/server-env.ts';
import { readEnv } from '../platform/env.ts';
import { startApi } from './server.ts';

await runServer(
  () => {
    const env = readEnv(process.env);
    const warning = sandboxWarning(env);
    if (warning) process.stderr.write(`${warning}\n`);
    return startApi(env);
  },
  ({ port }) => ({ port }),
);

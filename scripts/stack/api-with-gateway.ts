import { runServer } from '#shared/server/run-server.ts';
import { sandboxWarning } from '#shared/server/server-env.ts';
import { startApi } from '../../api/app/server.ts';
import { readEnv } from '../../api/platform/env.ts';
import { handOverSockets } from '../../gateway/hand-over.ts';
import { startGateway } from '../../gateway/server.ts';
import { gatewaySettings } from '../../gateway/settings.ts';
import { gatewayEnv } from '../../gateway/variables.ts';

/** The API node of `npm start` when it is the only one: with nothing to balance, it talks to browsers itself (decision 275). */
await runServer(
  async () => {
    const variables = gatewayEnv.parse(process.env);
    const settings = gatewaySettings(variables);
    // HOST is where browsers come from.
    const env = readEnv({ ...process.env, HOST: '127.0.0.1' });
    const warning = sandboxWarning(env);
    if (warning) process.stderr.write(`${warning}\n`);
    return startApi(env, undefined, (answer, shared) =>
      startGateway({
        ...settings,
        ...shared,
        api: answer,
        sync: handOverSockets(),
      }),
    );
  },
  ({ port }) => ({ port }),
);

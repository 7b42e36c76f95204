import { runServer } from '#shared/server/run-server.ts';
import { startBalancer } from './balancer.ts';
import { gatewaySettings } from './settings.ts';
import { gatewayEnv } from './variables.ts';

const env = gatewayEnv.parse(process.env);
const settings = {
  ...gatewaySettings(env),
  apiPorts: env.API_PORT,
  syncPorts: env.SYNC_PORT,
  metricsPort: env.METRICS_PORT,
};

await runServer(
  () => startBalancer(settings),
  () => ({ port: env.PORT }),
);

import { Metrics } from '#shared/server/metrics.ts';
import { proxyTo } from './proxy.ts';
import { HEALTH_PATH, startGateway, type Gateway, type GatewaySettings } from './server.ts';

interface BalancerSettings extends Omit<GatewaySettings, 'api' | 'sync' | 'metrics'> {
  /** Of the API nodes and the sync nodes on this machine. */
  apiPorts: number[];
  syncPorts: number[];
  /** The port of the metrics, on loopback only. */
  metricsPort?: number | undefined;
  /** How long an idle connection to a server stays open. */
  idleMs?: number;
}

/** Starts a gateway that forwards /api to the API nodes and /sync to the sync nodes. @throws when it can listen on none of the hosts */
export async function startBalancer(settings: BalancerSettings): Promise<Gateway> {
  const api = proxyTo({ ...settings, ports: settings.apiPorts, healthPath: HEALTH_PATH });
  const sync = proxyTo({ ...settings, ports: settings.syncPorts, healthPath: '/health' });
  const metrics = new Metrics('gateway');
  const gateway = await startGateway({
    ...settings,
    api: (...call) => void api.request(...call),
    sync: (...call) => void sync.upgrade(...call),
    metrics,
  });
  metrics.gauge('gateway_sockets', 'Open sockets of devices.', () => gateway.sockets());
  const stopMetrics = await metrics.serve(settings.metricsPort, '127.0.0.1');
  return {
    ...gateway,
    async close(finishMs) {
      await stopMetrics();
      await gateway.close(finishMs);
      api.close();
      sync.close();
    },
  };
}

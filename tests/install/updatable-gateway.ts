import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBalancer } from '../../gateway/balancer.ts';

/** A gateway of one test, in front of servers that others use, too. */
export interface UpdatableGateway {
  origin: string;
  /** Cuts off all devices: of the engines, only Chromium can be cut off by its driver. */
  disconnect(): Promise<void>;
  reconnect(): Promise<void>;
  /** Replaces the app by a newer version. */
  update(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a gateway with a copy of the built client. @param origin where devices reach its port, such as through TLS */
export async function startUpdatableGateway({
  port,
  apiPort,
  syncPort,
  origin = `http://localhost:${port}`,
}: {
  port: number;
  apiPort: number;
  syncPort: number;
  origin?: string;
}): Promise<UpdatableGateway> {
  const clientDir = await mkdtemp(join(tmpdir(), 'leashwise-client-'));
  await cp('dist/client', clientDir, { recursive: true });
  const start = () =>
    startBalancer({
      port,
      hosts: ['127.0.0.1', '::1'],
      clientDir,
      apiPorts: [apiPort],
      syncPorts: [syncPort],
      trustedHops: 0,
      publicOrigin: origin,
      isLocalOnly: true,
      googlePay: false,
      tileSource: null,
    });
  let gateway: Awaited<ReturnType<typeof start>> | null = await start();
  const disconnect = async () => {
    await gateway?.close();
    gateway = null;
  };
  const reconnect = async () => {
    gateway ??= await start();
  };
  return {
    origin,
    disconnect,
    reconnect,
    async update() {
      await disconnect();
      const worker = join(clientDir, 'service-worker.js');
      await writeFile(worker, `${await readFile(worker, 'utf8')}\n// newer`);
      for (const compressed of ['.br', '.gz']) await rm(worker + compressed, { force: true });
      await reconnect();
    },
    async close() {
      await disconnect();
      await rm(clientDir, { recursive: true, force: true });
    },
  };
}

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../scripts/stack/ports.ts';
import { installPackages } from '../../scripts/test/debian-packages.ts';
import { startTestStack } from '../stack.ts';
import { engines } from './engines.ts';

/** The servers of a product, whose gateway each test starts and stops itself. */
interface Servers {
  /** Of the gateway. */
  port: number;
  /** Where devices reach it. */
  origin: string;
  apiPort: number;
  syncPort: number;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Over https with a certificate that nobody signed. */
    products: Record<'http' | 'https', Servers>;
  }
}

const run = promisify(execFile);

/** Installs the engines where they are missing, and starts the product once for all journeys. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = engines.flatMap((engine) => engine.missing());
  if (missing.length > 0) await installPackages(...new Set(missing));
  const folder = await mkdtemp(join(tmpdir(), 'leashwise-tls-'));
  const [port, tlsPort, behindTls] = [await freePort(), await freePort(), await freePort()];
  const http = await startServers(port, `http://localhost:${port}`);
  const https = await startServers(behindTls, `https://localhost:${tlsPort}`);
  const tls = await startTls(folder, tlsPort, behindTls);
  project.provide('products', { http: http.servers, https: https.servers });
  return async () => {
    tls.close();
    await Promise.all([http.stop(), https.stop(), rm(folder, { recursive: true })]);
  };
}

async function startServers(port: number, origin: string) {
  const { ports, stop } = await startTestStack({ PUBLIC_ORIGIN: origin });
  const servers: Servers = { port, origin, apiPort: ports.api, syncPort: ports.sync };
  return { servers, stop };
}

/** Ends TLS in front of a port, as Caddy does in production. */
async function startTls(folder: string, port: number, target: number): Promise<Server> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost';
  const name = '-addext subjectAltName=DNS:localhost';
  await run('openssl', [...`${request} ${name}`.split(' '), '-keyout', key, '-out', cert]);
  // For the processes of the tests, which start after this.
  process.env['NODE_EXTRA_CA_CERTS'] = cert;
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, (near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      from
        .on('error', () => {})
        .once('close', () => to.destroy())
        .pipe(to);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

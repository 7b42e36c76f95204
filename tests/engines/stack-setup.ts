import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { installPackages } from '../../scripts/test/debian-packages.ts';
import { freePort } from '../../scripts/stack/ports.ts';
import { startTestStack } from '../stack.ts';
import { engines } from './engines.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The product whose gateway each test starts and stops itself. */
    product: { port: number; apiPort: number; syncPort: number };
    /** A second one, over https with a certificate that nobody signed, and an access code of it. */
    secure: { origin: string; code: string };
  }
}

const run = promisify(execFile);

/** Installs the engines where they are missing, and starts the product once for all journeys. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = engines.flatMap((engine) => engine.missing());
  if (missing.length > 0) await installPackages(...new Set(missing));
  const [port, tlsPort, behindTls] = [await freePort(), await freePort(), await freePort()];
  const origin = `https://localhost:${tlsPort}`;
  const plain = await startTestStack({ PUBLIC_ORIGIN: `http://localhost:${port}` });
  const secure = await startTestStack({ PUBLIC_ORIGIN: origin }, behindTls);
  const tls = await startTls(tlsPort, behindTls);
  const admin = ['--import', 'tsx', 'scripts/cli/admin.ts', 'access-code'];
  const env = { ...process.env, DATA_DIR: secure.dataDir };
  const code = (await run(process.execPath, admin, { env })).stdout.trim();
  project.provide('product', { port, apiPort: plain.ports.api, syncPort: plain.ports.sync });
  project.provide('secure', { origin, code });
  return async () => {
    tls.close();
    await Promise.all([plain.stop(), secure.stop()]);
  };
}

/** Ends TLS in front of a port, as Caddy does in production. */
async function startTls(port: number, target: number): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'leashwise-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost';
  const name = '-addext subjectAltName=DNS:localhost';
  await run('openssl', [...`${request} ${name}`.split(' '), '-keyout', key, '-out', cert]);
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
  await rm(folder, { recursive: true });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

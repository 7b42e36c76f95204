import { createServer } from 'node:net';

/** Below the range that the system gives to outgoing connections, so that a restarted process finds its port free. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Whether a port can be listened on at an address of this machine. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, host, () => server.close(() => done(true)));
  });
}

/** Returns a free loopback port that no other process is likely to take in the meantime. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 1_000; tries++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${LOWEST} and ${HIGHEST}`);
}

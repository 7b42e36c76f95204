import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A device's way to a server, which adds the cookie that a browser would send, and counts what passes, both ways. */
export class MeteredLine {
  bytes = 0;
  /** The time of the last message, as `performance.now()`. */
  lastAt = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer();

  constructor(to: string, cookie: string) {
    const { port, hostname, pathname } = new URL(to);
    this.#server.on('upgrade', (request: IncomingMessage, near: Socket) => {
      const far = connect(Number(port), hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.setNoDelay(true);
        one
          .on('error', () => {})
          .on('close', () => {
            this.#sockets.delete(one);
            other.destroy();
          })
          .on('data', (some) => {
            this.bytes += some.length;
            this.lastAt = performance.now();
          });
      }
      const headers = Object.entries({ ...request.headers, cookie });
      far.write(
        `GET ${pathname} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      );
      near.pipe(far).pipe(near);
    });
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

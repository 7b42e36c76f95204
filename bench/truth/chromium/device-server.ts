import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { staticFiles } from '../../../gateway/static.ts';
import type { Network } from '../../../tests/chat/simulation/browser-globals.ts';

/** How often a call that waits looks whether it may go on, in ms. */
const LOOK_MS = 50;

/**
 * What a device in a real browser sees of the product, at an origin of its own: the built client, the API, and the sync server
 * through the device's line. It can be without a network.
 */
export class DeviceServer {
  /** Null while no history is played. */
  network: Network | null = null;
  /** No call of the API is answered before, by `performance.now()`. */
  callsHeldUntil = 0;
  /** The calls that the API refused, or did not answer. */
  refused: string[] = [];
  #isOnline = true;
  readonly #publicOrigin: string;
  readonly #server = createServer();
  readonly #sockets = new Set<Socket>();

  /** @param clientDir a built client */
  constructor(clientDir: string, publicOrigin: string) {
    this.#publicOrigin = publicOrigin;
    const files = staticFiles(clientDir, { googlePay: false, tileSource: null });
    this.#server
      .on('connection', (socket: Socket) => {
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy()).on('close', () => this.#sockets.delete(socket));
      })
      .on('request', (request: IncomingMessage, response: ServerResponse) => {
        if (!this.#isOnline) request.destroy();
        else if (request.url?.startsWith('/api/')) void this.#forward(request, response);
        else files(request, response);
      })
      .on('upgrade', (request: IncomingMessage, near: Socket) => this.#join(request, near));
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** Known once it is open. */
  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    if (!isOnline) for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.setOnline(false);
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { network } = this;
    if (!network) return void request.destroy();
    for (let left = this.#held(); left > 0; left = this.#held())
      await wait(Math.min(left, LOOK_MS));
    if (request.destroyed) return;
    const { host } = new URL(this.#publicOrigin);
    const { origin } = request.headers;
    const { headers } = request;
    const sent = ask(network.origin + request.url, {
      method: request.method,
      headers: { ...headers, host, ...(origin && { origin: this.#publicOrigin }) },
    });
    sent
      .on('response', (answer) => {
        const { statusCode = 502 } = answer;
        if (statusCode >= 400) this.refused.push(`${request.method} ${request.url}: ${statusCode}`);
        response.writeHead(statusCode, answer.headers);
        answer.on('error', () => response.destroy()).pipe(response);
      })
      // As behind a gateway whose server is down.
      .on('error', (error) => {
        this.refused.push(`${request.method} ${request.url}: ${error.message}`);
        if (response.headersSent) response.destroy();
        else response.writeHead(503).end();
      });
    response.on('close', () => sent.destroy());
    request.pipe(sent);
  }

  #held = (): number => this.callsHeldUntil - performance.now();

  /** Leads a socket to the line, which knows the session. */
  #join(request: IncomingMessage, near: Socket): void {
    if (!this.#isOnline || !this.network) return void near.destroy();
    const [host, port] = this.network.address.split(':');
    const far = connect(Number(port), host);
    for (const socket of [near, far])
      socket
        .on('error', () => socket.destroy())
        .on('close', () => {
          near.destroy();
          far.destroy();
        });
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    far.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('')}\r\n`);
    near.pipe(far).pipe(near);
  }
}

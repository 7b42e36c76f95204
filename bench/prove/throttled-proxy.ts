import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** How bad a network is; nothing set is a good one. */
export interface Network {
  /** One way, in ms. */
  delayMs?: number;
  bytesPerSecond?: number;
  /** The share of packets that are lost. TCP sends them again later and later, which is all that an application notices. */
  loss?: number;
  /** Connections are reset at random after this time on average, in ms. */
  resetAfterMs?: number;
  /** Nothing passes, without an error. */
  isSilent?: boolean;
}

export interface ThrottledProxy {
  port: number;
  /** Applies to open connections too. */
  set(network: Network): void;
  close(): void;
}

const PACKET_BYTES = 1_400;
/** When TCP sends a lost packet again, and again. */
const RETRANSMIT_MS = 300;
const QUEUE_MAX_BYTES = 64 * 1024;

/** Forwards TCP connections to a port on this machine through a network that can be made worse at any time. */
export async function startThrottledProxy(
  target: number,
  random: () => number,
): Promise<ThrottledProxy> {
  let network: Network = {};
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      forward(from, to, () => network, random);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setInterval(() => {
    const { resetAfterMs } = network;
    if (resetAfterMs === undefined) return;
    for (const socket of sockets) if (random() < 250 / resetAfterMs) socket.resetAndDestroy();
  }, 250);
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      network = next;
    },
    close() {
      clearInterval(timer);
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function forward(from: Socket, to: Socket, network: () => Network, random: () => number): void {
  /** When the line is free for the next packet. */
  let freeAt = 0;
  let queued = 0;
  let ended = false;
  const waiting: Buffer[] = [];

  const passLater = (packet: Buffer) => {
    const { delayMs = 0, bytesPerSecond, loss = 0, isSilent } = network();
    // Kept until something passes again.
    if (isSilent) return void setTimeout(passLater, RETRANSMIT_MS, packet);
    const sendMs = bytesPerSecond ? (packet.length / bytesPerSecond) * 1000 : 0;
    let lostMs = 0;
    for (let times = 0; times < 6 && random() < loss; times++) lostMs += RETRANSMIT_MS * 2 ** times;
    freeAt = Math.max(freeAt, performance.now()) + sendMs + lostMs;
    setTimeout(pass, freeAt + delayMs - performance.now(), packet);
  };
  const pass = (packet: Buffer) => {
    queued -= packet.length;
    if (!to.destroyed) to.write(packet);
    if (from.isPaused() && queued < QUEUE_MAX_BYTES) from.resume();
    next();
  };
  /** One packet at a time, so that they arrive in order. */
  const next = () => {
    const packet = waiting.shift();
    if (packet) passLater(packet);
    else if (ended) to.end();
    else isBusy = false;
  };
  let isBusy = false;
  from.on('data', (data: Buffer) => {
    queued += data.length;
    for (let at = 0; at < data.length; at += PACKET_BYTES)
      waiting.push(data.subarray(at, at + PACKET_BYTES));
    if (queued >= QUEUE_MAX_BYTES) from.pause();
    if (isBusy) return;
    isBusy = true;
    next();
  });
  from.once('end', () => {
    ended = true;
    if (!isBusy) to.end();
  });
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { cbor } from '@automerge/automerge-repo';
import { WebSocket, WebSocketServer } from 'ws';

/** Returns numbers from 0 up to 1, reproducible by seed. */
export type Random = () => number;

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The probabilities of frame faults. */
const LOST = 0.02;
const TWICE = 0.04;
const REORDERED = 0.05;
const LATE_MS = 6;

/** A frame with a document's bytes that the server sent to the device. */
export interface Received {
  document: string;
  at: number;
}

/**
 * The link of a device to the sync server, which can delay, lose, double, and reorder frames, and be cut. It
 * adds the headers of a browser and records the documents received.
 */
export class Link {
  readonly received: Received[] = [];
  /** Whether frames are delayed, lost, doubled, and reordered. */
  isFaulty = false;
  /** Whether what the server sends is lost. */
  isDeaf = false;
  /** Bytes per second in each direction; null for no limit. */
  rate: number | null = null;
  readonly #server = createServer();
  readonly #sockets = new Set<WebSocket>();
  readonly #random: Random;
  #target: () => { port: number; cookie: string; origin: string };
  #isCut = false;
  /** Until when nothing passes, in ms. */
  #heldUntil = 0;

  constructor(random: Random, target: () => { port: number; cookie: string; origin: string }) {
    this.#random = random;
    this.#target = target;
    new WebSocketServer({ server: this.#server }).on('connection', (clientSocket) =>
      this.#join(clientSocket),
    );
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.terminate();
  }

  restore(): void {
    this.#isCut = false;
  }

  /** Lets nothing pass for a while, in either direction, as a server that is frozen. Connections stay open. */
  hold(ms: number): void {
    this.#heldUntil = Date.now() + ms;
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(clientSocket: WebSocket): void {
    const { port, cookie, origin } = this.#target();
    const serverSocket = new WebSocket(`ws://127.0.0.1:${port}/sync`, {
      perMessageDeflate: false,
      headers: { cookie, origin },
    });
    const end = () => {
      for (const socket of [clientSocket, serverSocket]) {
        this.#sockets.delete(socket);
        socket.terminate();
      }
    };
    for (const socket of [clientSocket, serverSocket]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    const isOpen = new Promise((resolve) => serverSocket.once('open', resolve));
    this.#carry(clientSocket, serverSocket, isOpen, end, () => {});
    this.#carry(serverSocket, clientSocket, isOpen, end, (frame) => this.#note(frame), true);
    if (this.#isCut) end();
  }

  /** Forwards frames in order, except for the simulated faults. */
  #carry(
    from: WebSocket,
    to: WebSocket,
    isOpen: Promise<unknown>,
    end: () => void,
    note: (frame: Buffer) => void,
    isToDevice = false,
  ): void {
    let last: Promise<unknown> = isOpen;
    let delayed: Buffer | null = null;
    const deliver = (frame: Buffer) => {
      if (isToDevice && this.isDeaf) return;
      if (to.readyState === WebSocket.OPEN) to.send(frame);
    };
    const pass = async (frame: Buffer) => {
      for (let left = this.#left(); left > 0; left = this.#left()) await wait(left);
      if (this.rate !== null) await wait((frame.length / this.rate) * 1_000);
      const [fate, late] = [this.#random(), this.#random()];
      if (!this.isFaulty) {
        if (delayed) deliver(delayed);
        delayed = null;
        deliver(frame);
        return;
      }
      await wait(late * LATE_MS);
      // A connection ends soon after a network loses data.
      if (fate < LOST) return void setTimeout(end, LATE_MS * 4);
      if (fate < LOST + REORDERED && !delayed) return void (delayed = frame);
      deliver(frame);
      if (fate > 1 - TWICE) deliver(frame);
      if (delayed) deliver(delayed);
      delayed = null;
    };
    from.on('message', (frame: Buffer) => {
      note(frame);
      last = last.then(() => pass(frame));
    });
  }

  #left = (): number => this.#heldUntil - Date.now();

  #note(frame: Buffer): void {
    const message = cbor.decode<{ type?: string; documentId?: string }>(frame);
    if ((message.type === 'sync' || message.type === 'ephemeral') && message.documentId)
      this.received.push({ document: message.documentId, at: Date.now() });
  }
}

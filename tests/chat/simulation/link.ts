import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { cbor } from '@automerge/automerge-repo';
import { WebSocket, WebSocketServer } from 'ws';

/** Numbers from 0 up to 1, the same ones for a seed. */
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

/** What may become of a frame, in parts of 1. */
const LOST = 0.02;
const TWICE = 0.04;
const OVERTAKEN = 0.05;
const LATE_MS = 6;

/** A frame with a document's bytes that the server sent to the device. */
export interface Received {
  document: string;
  at: number;
}

/**
 * A device's way to the sync server, frame by frame: late, lost, doubled and overtaken ones, and no network at all. It
 * adds what a browser sends by itself, and notes whose bytes have come through.
 */
export class Link {
  readonly received: Received[] = [];
  /** Whether frames come late, lost, doubled and overtaken. */
  isFaulty = false;
  readonly #server = createServer();
  readonly #sockets = new Set<WebSocket>();
  readonly #random: Random;
  #target: () => { port: number; cookie: string; origin: string };
  #isCut = false;

  constructor(random: Random, target: () => { port: number; cookie: string; origin: string }) {
    this.#random = random;
    this.#target = target;
    new WebSocketServer({ server: this.#server }).on('connection', (near) => this.#join(near));
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

  async close(): Promise<void> {
    this.cut();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near: WebSocket): void {
    const { port, cookie, origin } = this.#target();
    const far = new WebSocket(`ws://127.0.0.1:${port}/sync`, {
      perMessageDeflate: false,
      headers: { cookie, origin },
    });
    const end = () => {
      for (const socket of [near, far]) {
        this.#sockets.delete(socket);
        socket.terminate();
      }
    };
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    const isOpen = new Promise((resolve) => far.once('open', resolve));
    this.#carry(near, far, isOpen, end, () => {});
    this.#carry(far, near, isOpen, end, (frame) => this.#note(frame));
    if (this.#isCut) end();
  }

  /** Passes frames on, one after the other but for what this network does to them. */
  #carry(
    from: WebSocket,
    to: WebSocket,
    isOpen: Promise<unknown>,
    end: () => void,
    note: (frame: Buffer) => void,
  ): void {
    let last: Promise<unknown> = isOpen;
    let held: Buffer | null = null;
    const deliver = (frame: Buffer) => {
      if (to.readyState === WebSocket.OPEN) to.send(frame);
    };
    const pass = async (frame: Buffer) => {
      const [fate, late] = [this.#random(), this.#random()];
      if (!this.isFaulty) {
        if (held) deliver(held);
        held = null;
        deliver(frame);
        return;
      }
      await wait(late * LATE_MS);
      // What a network has lost, the connection does not outlive for long.
      if (fate < LOST) return void setTimeout(end, LATE_MS * 4);
      if (fate < LOST + OVERTAKEN && !held) return void (held = frame);
      deliver(frame);
      if (fate > 1 - TWICE) deliver(frame);
      if (held) deliver(held);
      held = null;
    };
    from.on('message', (frame: Buffer) => {
      note(frame);
      last = last.then(() => pass(frame));
    });
  }

  #note(frame: Buffer): void {
    const message = cbor.decode<{ type?: string; documentId?: string }>(frame);
    if ((message.type === 'sync' || message.type === 'ephemeral') && message.documentId)
      this.received.push({ document: message.documentId, at: Date.now() });
  }
}

import type { WebSocket } from 'ws';
import { cborDataMessage, cborOpenMap, encodeCbor, type Encodable } from './cbor.ts';
import { SEND_BUFFER_MAX_BYTES, SEND_BUFFER_SOFT_BYTES } from './limits.ts';
import type { EphemeralSource } from './device.ts';

/** What goes out on a socket, as automerge-repo's messages from this server to the peer at the other end. */
export class Outgoing {
  #targetId = '';
  /** How every sync message begins. */
  #syncHead: Buffer = Buffer.alloc(0);
  readonly #socket: WebSocket;
  readonly #senderId: string;
  readonly #onSlow: () => void;

  /** @param onSlow told when the other end reads so slowly that it has to be cut off */
  constructor(socket: WebSocket, senderId: string, onSlow: () => void) {
    this.#socket = socket;
    this.#senderId = senderId;
    this.#onSlow = onSlow;
  }

  /** Who the peer says it is. */
  addressTo(targetId: string): void {
    this.#targetId = targetId;
    this.#syncHead = cborOpenMap({ type: 'sync', ...this.#addressed() }, ['documentId', 'data']);
  }

  send(type: string, fields: Record<string, Encodable>): void {
    this.#write(encodeCbor({ type, ...this.#addressed(), ...fields }));
  }

  sync(documentId: string, message: Uint8Array): void {
    this.#write(cborDataMessage(this.#syncHead, documentId, message));
  }

  /** Passes on somebody's ephemeral message, unless the socket is slow. */
  relay(documentId: string, { peerId, count, sessionId }: EphemeralSource, data: Uint8Array): void {
    if (this.#socket.bufferedAmount > SEND_BUFFER_SOFT_BYTES) return;
    this.send('ephemeral', { senderId: peerId, documentId, count, sessionId, data });
  }

  #addressed() {
    return { senderId: this.#senderId, targetId: this.#targetId };
  }

  #write(frame: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > SEND_BUFFER_MAX_BYTES) return this.#onSlow();
    this.#socket.send(frame);
  }
}

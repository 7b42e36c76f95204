import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as A from '@automerge/automerge';
import { decode, Encoder } from 'cbor-x';
import { WebSocket } from 'ws';
import { readSyncMessage } from '#shared/sync/sync-message.ts';
import {
  loadCore,
  newSyncState,
  type CoreDocument,
  type CoreSyncState,
} from '../../sync-server/core/documents/automerge-core.ts';
import { writeSyncMessage } from '../../sync-server/core/protocol/sync-message.ts';

const EMPTY = A.save(A.init());

/** Automerge's wasm object, with the methods that a device needs to write. */
interface WritableCore extends CoreDocument {
  putObject(object: string, key: string, value: unknown[]): string;
  getWithType(object: string, key: string): [string, string] | null;
  length(list: string): number;
  insert(list: string, index: number, value: string, type: 'str'): void;
}

interface Message {
  type: string;
  documentId: string;
  senderId: string;
  data: Uint8Array;
}

interface Open {
  core: WritableCore;
  state: CoreSyncState;
  list: string | null;
  there: (() => void) | null;
  arrived: ((heads: string[]) => void) | null;
}

const encoder = new Encoder({ tagUint8Array: false, useRecords: false });

/**
 * A minimal device, so that thousands fit on one machine with the server: automerge-repo's protocol over Automerge's
 * core, without a Repo.
 */
export class AutomergeDevice {
  readonly #socket: WebSocket;
  readonly #peerId = `device-${randomUUID()}`;
  readonly #documents = new Map<string, Open>();
  #server = '';

  constructor(url: string, cookie: string) {
    this.#socket = new WebSocket(url, { perMessageDeflate: false, headers: { cookie } });
    // The loss of a server shows in missing messages.
    this.#socket.on('error', () => {});
    this.#socket.on('message', (frame) => this.#receive(decode(frame as Buffer) as Message));
  }

  async join(): Promise<this> {
    await once(this.#socket, 'open');
    this.#send({
      type: 'join',
      peerMetadata: { isEphemeral: true },
      supportedProtocolVersions: ['1'],
    });
    while (!this.#server) await once(this.#socket, 'message');
    return this;
  }

  /** Makes a document on this device and sends it. */
  create(documentId: string): void {
    const open = this.#add(documentId);
    open.list = open.core.putObject('_root', 'messages', []);
    open.core.commit(null, 0);
    this.#answer(documentId, open, 'sync');
  }

  /** Asks for a document. @returns when it is there */
  async open(documentId: string): Promise<void> {
    const open = this.#add(documentId);
    const there = new Promise<void>((resolve) => (open.there = resolve));
    this.#answer(documentId, open, 'request');
    await there;
  }

  /** Adds a message. @returns the heads of the document with it */
  append(documentId: string, text: string): string[] {
    const open = this.#documents.get(documentId)!;
    open.list ??=
      open.core.getWithType('_root', 'messages')?.[1] ??
      open.core.putObject('_root', 'messages', []);
    open.core.insert(open.list, open.core.length(open.list), text, 'str');
    open.core.commit(null, 0);
    const heads = open.core.getHeads();
    this.#sync(documentId, writeSyncMessage(heads, [open.core.getLastLocalChange()!], false));
    return heads;
  }

  /**
   * From now on, only confirms received changes, like a device that keeps up, without applying them, so that the
   * devices don't distort the measurement.
   * @param arrived receives the heads that the server announces
   */
  watch(documentId: string, arrived: (heads: string[]) => void): void {
    this.#documents.get(documentId)!.arrived = arrived;
  }

  async close(): Promise<void> {
    if (this.#socket.readyState !== WebSocket.CLOSED) {
      this.#socket.close();
      await once(this.#socket, 'close');
    }
    for (const { core, state } of this.#documents.values()) {
      state.free();
      core.free();
    }
  }

  #add(documentId: string): Open {
    const core = loadCore(EMPTY) as WritableCore;
    const open = { core, state: newSyncState(), list: null, there: null, arrived: null };
    this.#documents.set(documentId, open);
    return open;
  }

  #receive(message: Message): void {
    if (message.type === 'peer') this.#server = message.senderId;
    // A server that lost it again must not hold up the rest.
    if (message.type === 'doc-unavailable') this.#documents.get(message.documentId)?.there?.();
    const open = message.type === 'sync' && this.#documents.get(message.documentId);
    if (!open) return;
    const { heads, chunks } = readSyncMessage(message.data);
    if (open.arrived) {
      open.arrived(heads);
      if (chunks.length > 0) this.#sync(message.documentId, writeSyncMessage(heads, [], false));
      return;
    }
    open.core.receiveSyncMessage(open.state, message.data);
    if (heads.length > 0) open.there?.();
    this.#answer(message.documentId, open, 'sync');
  }

  #answer(documentId: string, open: Open, type: 'sync' | 'request'): void {
    const data = open.core.generateSyncMessage(open.state);
    if (data) this.#sync(documentId, data, type);
  }

  #sync(documentId: string, data: Uint8Array, type = 'sync'): void {
    this.#send({ type, documentId, data });
  }

  #send(fields: Record<string, unknown>): void {
    this.#socket.send(
      encoder.encode({ ...fields, senderId: this.#peerId, targetId: this.#server || 'server' }),
    );
  }
}

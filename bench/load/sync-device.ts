import { randomUUID } from 'node:crypto';
import { next as A } from '@automerge/automerge';
import { decode, Encoder } from 'cbor-x';
import { WebSocket } from 'ws';
import { isMatch, stateDigest, writeMarks } from '#shared/sync/state-digest.ts';
import { readSyncMessage } from '#shared/sync/sync-message.ts';
import { NO_TIME } from '../../client/platform/sync/state/document-state.ts';
import { writeSyncMessage } from '../../sync-server/core/protocol/sync-message.ts';

const encoder = new Encoder({ tagUint8Array: false, useRecords: false });
/** The first message of a device without the document. */
const NOTHING_YET = A.generateSyncMessage(A.init(), A.initSyncState())[1]!;
const PATIENCE_MS = 30_000;

interface Message {
  type: string;
  documentId?: string;
  senderId: string;
  data?: Uint8Array;
}

/** A change that the server has not announced yet. */
interface Expected {
  head: string;
  arrived: () => void;
}

/** A document that a device writes. */
export interface OwnDocument<T> {
  doc: A.Doc<T>;
  /**
   * Changes it and sends the change.
   * @param seenBy the devices that get it
   * @returns when the server has announced it to all of them
   */
  write(change: (draft: T) => void, seenBy: readonly SyncDevice[]): Promise<void>;
  /**
   * Like `write`, but only sets entries of maps, and leaves `doc` as it is: showing each change takes more time than making it, which
   * the product would lack.
   * @param entries by the name of the map, and the key
   */
  set(
    entries: Record<string, Record<string, unknown>>,
    seenBy: readonly SyncDevice[],
  ): Promise<void>;
}

/** Where a device connects, and the headers of its requests. */
interface Login {
  origin: string;
  headers(): Record<string, string>;
}

/** The state of a document by which a device asks whether it has changed. */
export type Marks = Map<string, string>;

/**
 * A device of an owner, so light that thousands fit on one machine with the server: automerge-repo's protocol without a Repo. It
 * applies no changes of others, but confirms them, like a device that keeps up.
 */
export class SyncDevice {
  readonly marks: Marks = new Map();
  readonly #socket: WebSocket;
  readonly #peerId = `device-${randomUUID()}`;
  readonly #expected = new Map<string, Expected[]>();
  readonly #waiting: { fits: (message: Message) => boolean; resolve: (found: Message) => void }[] =
    [];
  #server = '';

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    // Lost connections show as changes that never arrive.
    socket.on('error', () => {});
    socket.on('message', (frame) => this.#receive(decode(frame as Buffer) as Message));
  }

  /** Connects and joins. @throws when the server refuses */
  static async connect({ origin, headers }: Login): Promise<SyncDevice> {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/sync`, {
      perMessageDeflate: false,
      headers: { ...headers(), origin },
    });
    const device = new SyncDevice(socket);
    await new Promise<void>((resolve, reject) =>
      socket.once('open', resolve).once('error', reject),
    );
    const joined = device.#next(({ type }) => type === 'peer');
    device.#send({
      type: 'join',
      peerMetadata: { isEphemeral: true },
      supportedProtocolVersions: ['1'],
    });
    device.#server = (await joined).senderId;
    return device;
  }

  /** Opens a document like a device that has no part of it. @returns a sync message with all of it */
  async open(documentId: string): Promise<Uint8Array> {
    const arrived = this.#next((message) => message.documentId === documentId);
    this.#sync(documentId, NOTHING_YET, 'request');
    const { type, data } = await arrived;
    if (type !== 'sync' || !data) throw new Error(`The server answered ${type} to a request`);
    const mark = stateDigest(documentId, readSyncMessage(data).heads);
    if (mark) this.marks.set(documentId, mark);
    return data;
  }

  /** Opens documents that the device has; those that have changed are opened like new ones. */
  async reopen(known: Marks): Promise<void> {
    const compared = this.#next(({ type }) => type === 'compared');
    this.#send({ type: 'compare', data: writeMarks([...known.values()]) });
    const { data = new Uint8Array() } = await compared;
    const changed = [...known.keys()].filter((_, i) => !isMatch(data, i));
    await Promise.all(changed.map((id) => this.open(id)));
  }

  /** Opens a document that this device may write. */
  async load<T>(documentId: string): Promise<OwnDocument<T>> {
    const data = await this.open(documentId);
    const [doc] = A.receiveSyncMessage(A.init<T>(), A.initSyncState(), data);
    const sendChange = async (head: string, bytes: Uint8Array, seenBy: readonly SyncDevice[]) => {
      const seen = seenBy.map((device) => device.#expect(documentId, head));
      this.#sync(documentId, writeSyncMessage([head], [bytes], false));
      await Promise.all(seen);
    };
    const own: OwnDocument<T> = {
      doc,
      write: async (change, seenBy) => {
        const before = own.doc;
        own.doc = A.change(before, NO_TIME, change);
        const [head] = A.getHeads(own.doc);
        const bytes = A.getLastLocalChange(own.doc);
        // Nothing changed.
        if (!head || !bytes || own.doc === before) return;
        await sendChange(head, bytes, seenBy);
      },
      set: async (maps, seenBy) => {
        const backend = A.getBackend(own.doc);
        for (const [name, entries] of Object.entries(maps))
          for (const [key, value] of Object.entries(entries))
            if (typeof value === 'number') backend.put(`/${name}`, key, value, 'int');
            else backend.putObjectFromHydrate(`/${name}`, key, value);
        const head = backend.commit(null, NO_TIME.time);
        const bytes = backend.getLastLocalChange();
        if (head && bytes) await sendChange(head, bytes, seenBy);
      },
    };
    return own;
  }

  close(): void {
    this.#socket.terminate();
  }

  #expect(documentId: string, head: string): Promise<void> {
    const expected = this.#expected.get(documentId) ?? [];
    this.#expected.set(documentId, expected);
    return patient((arrived) => expected.push({ head, arrived }));
  }

  #next(fits: (message: Message) => boolean): Promise<Message> {
    return patient((resolve) => this.#waiting.push({ fits, resolve }));
  }

  #receive(message: Message): void {
    const { type, documentId, data } = message;
    if (type === 'sync' && documentId && data) {
      const { heads, chunks } = readSyncMessage(data);
      const expected = this.#expected.get(documentId) ?? [];
      // In the order in which they were written: a server that has one has those before it.
      const last = expected.findLastIndex(({ head }) => heads.includes(head));
      for (const { arrived } of expected.splice(0, last + 1)) arrived();
      if (chunks.length > 0) this.#sync(documentId, writeSyncMessage(heads, [], false));
    }
    const at = this.#waiting.findIndex(({ fits }) => fits(message));
    if (at !== -1) this.#waiting.splice(at, 1)[0]?.resolve(message);
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

/** @throws when it takes too long */
function patient<T>(start: (resolve: (value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`nothing arrived within ${PATIENCE_MS / 1000} s`)),
      PATIENCE_MS,
    );
    start((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}

import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { deflateRawSync } from 'node:zlib';
import { next as A } from '@automerge/automerge';
import { generateAutomergeUrl, parseAutomergeUrl } from '@automerge/automerge-repo';
import { decode, Encoder } from 'cbor-x';
import { WebSocket } from 'ws';
import { documentLimits } from '#shared/sync/limits.ts';
import { loadCore, type CoreDocument } from '../../sync-server/core/documents/automerge-core.ts';
import type { TestApi, TestPerson } from '../api.ts';

const encoder = new Encoder({ tagUint8Array: false, useRecords: false });

/** The first message of a device without the document. */
const NOTHING_YET = A.generateSyncMessage(A.init(), A.initSyncState())[1]!;

export const madeUpId = (): string => parseAutomergeUrl(generateAutomergeUrl()).documentId;

const MAGIC = Buffer.from([0x85, 0x6f, 0x4a, 0x83]);

function leb128(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    if (left <= 0x7f) return Buffer.from(bytes);
  }
}

/** A chunk in Automerge's format with a correct checksum for any body. */
export function chunkOf(type: number, body: Uint8Array): Buffer {
  const rest = Buffer.concat([Buffer.from([type]), leb128(body.length), body]);
  const hash = createHash('sha256').update(rest).digest();
  return Buffer.concat([MAGIC, hash.subarray(0, 4), rest]);
}

/** A change, compressed like Automerge compresses large ones. */
export function deflated(change: Uint8Array): Buffer {
  const small = deflateRawSync(chunkParts(change).body);
  return Buffer.concat([change.subarray(0, 8), Buffer.from([2]), leb128(small.length), small]);
}

/** The type and the body of a chunk. */
export function chunkParts(chunk: Uint8Array): { type: number; body: Buffer } {
  let at = 9;
  while (chunk[at]! > 0x7f) at++;
  return { type: chunk[8]!, body: Buffer.from(chunk.subarray(at + 1)) };
}

export interface Answer {
  type: string;
  documentId?: string;
  data?: Uint8Array;
  senderId: string;
  [field: string]: unknown;
}

/** A device that sends arbitrary messages on its own socket. */
export class RawDevice {
  readonly peerId: string;
  readonly answers: Answer[] = [];
  readonly closed: Promise<number>;
  readonly socket: WebSocket;
  #listeners: (() => void)[] = [];

  constructor(socket: WebSocket, peerId: string = `raw-${randomUUID()}`) {
    this.socket = socket;
    this.peerId = peerId;
    this.closed = once(socket, 'close').then(([code]) => code as number);
    socket.on('error', () => {});
    socket.on('message', (data) => {
      this.answers.push(decode(data as Buffer) as Answer);
      for (const listener of this.#listeners.splice(0)) listener();
    });
  }

  /** Connects and joins. */
  async join(): Promise<this> {
    if (this.socket.readyState === this.socket.CONNECTING) await once(this.socket, 'open');
    this.send({
      type: 'join',
      peerMetadata: { isEphemeral: true },
      supportedProtocolVersions: ['1'],
    });
    await this.next((answer) => answer.type === 'peer');
    return this;
  }

  send(fields: Record<string, unknown>): void {
    this.sendBytes(encoder.encode({ senderId: this.peerId, targetId: 'server', ...fields }));
  }

  sendBytes(bytes: Uint8Array | string): void {
    this.socket.send(bytes);
  }

  sync(documentId: string, message: A.DecodedSyncMessage | Uint8Array, type = 'sync'): void {
    const data = message instanceof Uint8Array ? message : A.encodeSyncMessage(message);
    this.send({ type, documentId, data });
  }

  /** Requests a document like a device that has no part of it. */
  request(documentId: string): void {
    this.sync(documentId, NOTHING_YET, 'request');
  }

  /** Sends chunks that claim to lead to these heads. */
  push(documentId: string, heads: A.Heads, chunks: Uint8Array[], type: 'v1' | 'v2'): void {
    this.sync(documentId, {
      heads,
      need: [],
      have: [],
      changes: chunks,
      type,
      supportedCapabilities: undefined,
    } as never);
  }

  /** Waits until the server refuses a message about a document. @returns the reason */
  async refusal(documentId: string): Promise<unknown> {
    const isRefused = (answer: Answer) =>
      answer.type === 'refused' && answer.documentId === documentId;
    const refused = await this.next(isRefused);
    this.answers.splice(this.answers.indexOf(refused), 1);
    return refused['reason'];
  }

  /** Sends the last local change of a document and waits until the server confirms it. */
  async keep(documentId: string, doc: A.Doc<unknown>): Promise<void> {
    const heads = A.getHeads(doc);
    this.push(documentId, heads, [A.getLastLocalChange(doc)!], 'v1');
    await this.next(
      (answer) =>
        answer.documentId === documentId &&
        answer.type === 'sync' &&
        heads.every((head) => A.decodeSyncMessage(answer.data!).heads.includes(head)),
    );
  }

  /** Waits for the first answer that fits. */
  async next(fits: (answer: Answer) => boolean): Promise<Answer> {
    for (;;) {
      const found = this.answers.find(fits);
      if (found) return found;
      const ended = await Promise.race([
        new Promise<null>((resolve) => this.#listeners.push(() => resolve(null))),
        this.closed,
      ]);
      if (ended !== null) throw new Error(`closed with ${ended} instead of an answer`);
    }
  }

  /** Loads a document from the server. */
  async read<T>(documentId: string): Promise<A.Doc<T>> {
    this.request(documentId);
    const answer = await this.next((one) => one.documentId === documentId);
    if (answer.type !== 'sync') throw new Error(answer.type);
    return A.receiveSyncMessage(A.init<T>(), A.initSyncState(), answer.data!)[0];
  }

  close(): void {
    this.socket.terminate();
  }
}

/** A joined device of a person who is signed in at the API. */
export const rawDeviceOf = (api: TestApi, { jar }: TestPerson): Promise<RawDevice> =>
  new RawDevice(
    new WebSocket(`ws://127.0.0.1:${api.syncPort}/sync`, {
      headers: { cookie: jar.header, origin: api.env['PUBLIC_ORIGIN'] ?? '' },
    }),
  ).join();

/**
 * Fills the owner's document from a device and closes the device.
 * @param room the number of operations that still fit afterward
 */
export async function fill(device: RawDevice, documentId: string, room: number): Promise<void> {
  let doc = await device.read<Record<string, Record<string, number>>>(documentId);
  const { operations, operationsPerChange } = documentLimits.account;
  const full = operations - room;
  // The object that holds them is an operation too.
  doc = A.change(doc, (draft) => void (draft['part'] = {}));
  await device.keep(documentId, doc);
  for (let left = full - A.stats(doc).numOps; left > 0; left = full - A.stats(doc).numOps) {
    doc = A.change(doc, (draft) => {
      // A few keys, again and again.
      for (let i = 0; i < Math.min(left, operationsPerChange); i++)
        draft['part']![`k${i % 100}`] = left - i;
    });
    device.answers.length = 0;
    await device.keep(documentId, doc);
  }
  device.close();
}

type WritableCore = CoreDocument & {
  putObject(object: string, key: string, value: object): string;
  commit(message: null, time: number): void;
};

/**
 * Nests maps in one change, one operation each: the public interface refuses to do that at great depths.
 * @param field the map at the top of the document in which they are; by default, the document itself
 * @returns the document with them, which the caller frees
 */
export function nestMaps(
  saved: Uint8Array,
  depth: number,
  field?: string,
): { core: CoreDocument; before: string[]; changes: Uint8Array[] } {
  const core = loadCore(saved) as WritableCore;
  const before = core.getHeads();
  let object = field ? (core.getWithType('/', field)![1] as string) : '/';
  for (let i = 0; i < depth; i++) object = core.putObject(object, 'a', {});
  core.commit(null, 0);
  return { core, before, changes: core.getChanges(before) };
}

/** An unsigned LEB128 number as it is written in run-length columns. */
const signedLeb128 = (value: number): number[] => {
  const bytes = [...leb128(value)];
  // The sign is the second highest bit.
  if (bytes.at(-1)! & 0x40) bytes.splice(-1, 1, bytes.at(-1)! | 0x80, 0);
  return bytes;
};

/** A change of a few bytes that sets the same key many times, which the sync server refuses and Automerge takes long to apply. */
export function repeatedOperations(count: number): Buffer {
  const run = (...value: number[]) => [...signedLeb128(count), ...value];
  const columns: [spec: number, data: number[]][] = [
    [0x15, run(1, 'a'.charCodeAt(0))],
    [0x34, [...leb128(count)]],
    [0x42, run(1)],
    [0x56, run(0)],
    [0x70, run(0)],
  ];
  const actor = [16, ...Array<number>(16).fill(7)];
  // No dependencies; the first change and operation of its actor, without time, message and other actors.
  const head = [0, ...actor, 1, 1, 0, 0, 0];
  const described = columns.flatMap(([spec, data]) => [spec, data.length]);
  const body = [...head, columns.length, ...described, ...columns.flatMap(([, data]) => data)];
  return chunkOf(1, Buffer.from(body));
}

/** A message of automerge-repo's wire protocol: a CBOR map in a binary WebSocket frame. */
export type ClientMessage =
  | { type: 'join'; senderId: string; versions: string[] | null }
  | { type: 'sync' | 'request'; senderId: string; documentId: string; data: Uint8Array }
  | {
      type: 'ephemeral';
      senderId: string;
      documentId: string;
      data: Uint8Array;
      count: number;
      sessionId: string;
    }
  /** Our own extension of the protocol: asks which documents are unchanged; see shared/sync/state-digest.ts. */
  | { type: 'compare'; senderId: string; data: Uint8Array }
  /** Known to automerge-repo, but not used by this server. */
  | { type: 'ignored'; senderId: string };

const IGNORED = new Set([
  'doc-unavailable',
  'remote-subscription-change',
  'remote-heads-changed',
  'leave',
  'error',
]);
const ID_MAX = 256;
const DEPTH_MAX = 4;
const ENTRIES_MAX = 1024;
const DOCUMENT_ID = /^[1-9A-HJ-NP-Za-km-z]{16,64}$/;

/**
 * Parses one frame.
 * @throws when it is not a message of the protocol
 */
export function readMessage(frame: Uint8Array): ClientMessage {
  const map = new CborReader(frame).readMessageMap();
  const type = map.get('type');
  const senderId = textField(map, 'senderId', ID_MAX);
  if (type === 'join') {
    const versions = map.get('supportedProtocolVersions');
    return {
      type,
      senderId,
      versions: Array.isArray(versions)
        ? versions.filter((version) => typeof version === 'string')
        : null,
    };
  }
  if (type === 'sync' || type === 'request')
    return { type, senderId, documentId: documentIdField(map), data: bytesField(map) };
  if (type === 'compare') return { type, senderId, data: bytesField(map) };
  if (type === 'ephemeral') {
    const count = map.get('count');
    if (typeof count !== 'number' || !Number.isFinite(count)) throw new Error('count is missing');
    return {
      type,
      senderId,
      documentId: documentIdField(map),
      data: bytesField(map),
      count,
      sessionId: textField(map, 'sessionId', ID_MAX),
    };
  }
  if (typeof type === 'string' && IGNORED.has(type)) return { type: 'ignored', senderId };
  throw new Error('unknown type of message');
}

function textField(map: Map<string, unknown>, name: string, max: number): string {
  const value = map.get(name);
  if (typeof value !== 'string' || value.length === 0 || value.length > max)
    throw new Error(`${name} is missing`);
  return value;
}

function documentIdField(map: Map<string, unknown>): string {
  const value = map.get('documentId');
  if (typeof value !== 'string' || !DOCUMENT_ID.test(value))
    throw new Error('documentId is missing');
  return value;
}

function bytesField(map: Map<string, unknown>): Uint8Array {
  const value = map.get('data');
  if (!(value instanceof Uint8Array)) throw new Error('data is missing');
  return value;
}

/**
 * Reads only the subset of CBOR that automerge-repo's messages use: no tags except for typed arrays, no shared
 * structures, and no length that exceeds the frame.
 */
class CborReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(frame: Uint8Array) {
    this.#bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  }

  /**
   * Reads a map with text keys that fills the whole frame.
   * @throws when the frame contains anything else
   */
  readMessageMap(): Map<string, unknown> {
    const value = this.#value(0);
    if (!(value instanceof Map)) throw new Error('not a map');
    if (this.#at !== this.#bytes.length) throw new Error('more than one value');
    return value as Map<string, unknown>;
  }

  #value(depth: number): unknown {
    if (depth > DEPTH_MAX) throw new Error('too deep');
    const head = this.#bytes.readUInt8(this.#at++);
    const major = head >> 5;
    const info = head & 31;
    if (major === 7) return this.#simple(info);
    const length = this.#length(info);
    switch (major) {
      case 0:
        return length;
      case 1:
        return -1 - length;
      case 2:
        return this.#take(length);
      case 3:
        return this.#text(length);
      case 4: {
        if (length > ENTRIES_MAX) throw new Error('too many entries');
        const list: unknown[] = [];
        for (let i = 0; i < length; i++) list.push(this.#value(depth + 1));
        return list;
      }
      case 5: {
        if (length > ENTRIES_MAX) throw new Error('too many entries');
        const map = new Map<string, unknown>();
        for (let i = 0; i < length; i++) {
          const key = this.#value(depth + 1);
          if (typeof key !== 'string') throw new Error('map key is not text');
          map.set(key, this.#value(depth + 1));
        }
        return map;
      }
      default:
        // Tag 64 marks a byte string as a Uint8Array.
        if (length !== 64) throw new Error('unknown tag');
        return this.#value(depth + 1);
    }
  }

  #length(info: number): number {
    if (info < 24) return info;
    const at = this.#at;
    switch (info) {
      case 24:
        this.#at += 1;
        return this.#bytes.readUInt8(at);
      case 25:
        this.#at += 2;
        return this.#bytes.readUInt16BE(at);
      case 26:
        this.#at += 4;
        return this.#bytes.readUInt32BE(at);
      case 27:
        this.#at += 8;
        return Number(this.#bytes.readBigUInt64BE(at));
      default:
        throw new Error('indefinite length');
    }
  }

  #simple(info: number): unknown {
    const at = this.#at;
    switch (info) {
      case 20:
        return false;
      case 21:
        return true;
      case 22:
        return null;
      case 23:
        return undefined;
      case 26:
        this.#at += 4;
        return this.#bytes.readFloatBE(at);
      case 27:
        this.#at += 8;
        return this.#bytes.readDoubleBE(at);
      default:
        throw new Error('unknown value');
    }
  }

  #text(length: number): string {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('value exceeds the frame');
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('value exceeds the frame');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}

const HEAD_MAX_BYTES = 5;

/** Writes a CBOR head (major type and length). @returns the offset after it */
function putHead(out: Buffer, at: number, major: number, length: number): number {
  if (length < 24) return out.writeUInt8((major << 5) | length, at);
  if (length < 0x100) return out.writeUInt8(length, out.writeUInt8((major << 5) | 24, at));
  if (length < 0x10000) return out.writeUInt16BE(length, out.writeUInt8((major << 5) | 25, at));
  return out.writeUInt32BE(length, out.writeUInt8((major << 5) | 26, at));
}

function cborHead(major: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD_MAX_BYTES);
  return head.subarray(0, putHead(head, 0, major, length));
}

export type Encodable = string | number | boolean | Uint8Array | { [key: string]: Encodable };

/** Encodes a value as CBOR. */
export function encodeCbor(value: Encodable): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([cborHead(3, text.length), text]);
  }
  if (typeof value === 'boolean') return Buffer.from([value ? 0xf5 : 0xf4]);
  if (typeof value === 'number') {
    if (Number.isInteger(value) && value >= 0 && value <= 0xffffffff) return cborHead(0, value);
    const double = Buffer.allocUnsafe(9);
    double[0] = 0xfb;
    double.writeDoubleBE(value, 1);
    return double;
  }
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value]);
  const entries = Object.entries(value);
  const parts = entries.flatMap(([key, entry]) => [encodeCbor(key), encodeCbor(entry)]);
  return Buffer.concat([cborHead(5, entries.length), ...parts]);
}

/**
 * Encodes a map without the entries of its last keys, so that the part that is equal in all messages to a peer is
 * encoded only once.
 */
export function encodeMapStart(
  fields: Record<string, Encodable>,
  lastKeys: string[],
): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(fields);
  const parts = entries.flatMap(([key, entry]) => [encodeCbor(key), encodeCbor(entry)]);
  // A copy: it is kept for as long as the peer is connected, and the pool of small buffers that it comes from takes 64 kB.
  return new Uint8Array(Buffer.concat([cborHead(5, entries.length + lastKeys.length), ...parts]));
}

const DOCUMENT_ID_KEY = encodeCbor('documentId');
const DATA_KEY = encodeCbor('data');

/**
 * Completes a map that lacks only `documentId` and `data`. Most messages are of this form, so it is written without
 * intermediate buffers.
 * @param documentId in ASCII
 */
export function encodeDocumentMessage(
  head: Uint8Array,
  documentId: string,
  data: Uint8Array,
): Buffer {
  const { length } = documentId;
  const message = Buffer.allocUnsafe(
    head.length +
      DOCUMENT_ID_KEY.length +
      HEAD_MAX_BYTES +
      length +
      DATA_KEY.length +
      HEAD_MAX_BYTES +
      data.length,
  );
  message.set(head);
  message.set(DOCUMENT_ID_KEY, head.length);
  let at = putHead(message, head.length + DOCUMENT_ID_KEY.length, 3, length);
  at += message.write(documentId, at, 'latin1');
  message.set(DATA_KEY, at);
  at = putHead(message, at + DATA_KEY.length, 2, data.length);
  message.set(data, at);
  return message.subarray(0, at + data.length);
}

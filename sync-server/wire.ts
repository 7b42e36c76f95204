import { CborReader } from './cbor.ts';

/** automerge-repo's wire protocol: CBOR maps in binary WebSocket frames. */
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
  /** Ours, not automerge-repo's: asks which documents are the same here; see shared/sync/state-digest.ts. */
  | { type: 'compare'; senderId: string; data: Uint8Array }
  /** Known, and of no concern to this server. */
  | { type: 'ignored'; senderId: string };

const IGNORED = new Set([
  'doc-unavailable',
  'remote-subscription-change',
  'remote-heads-changed',
  'leave',
  'error',
]);
const ID_MAX = 256;
const DOCUMENT_ID = /^[1-9A-HJ-NP-Za-km-z]{16,64}$/;

/**
 * Reads one frame.
 * @throws when it is no message of the protocol
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

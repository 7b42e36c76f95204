import type { Message } from '@automerge/automerge-repo/slim';
import * as A from '@automerge/automerge/slim';
import { separateChunks } from '#shared/sync/chunks.ts';
import { FRAME_MAX_BYTES } from '#shared/sync/limits.ts';
import type { RefusalReason } from '#shared/sync/refusals.ts';

/** What the connection does with documents whose changes were refused. */
export interface Refusals {
  add(documentId: string, reason: RefusalReason): void;
  /** Whether changes of a document are not sent now. */
  isHeld(documentId: string): boolean;
}

/** Bytes that are on their way to the server without an answer: few on a slow line, where everything else waits behind them. */
const WINDOW_BYTES = { first: 4 * 1024, most: 256 * 1024 };
/** An answer within `quick` doubles the window; one after `slow` halves it. */
const ANSWER_MS = { quick: 1_000, slow: 4_000 };
/** A larger document is sent as single changes, although they take more bytes, because it would be lost as a whole. */
const WHOLE_MAX_BYTES = 32 * 1024;
/** What a frame has besides its document's message, at most. */
const ENVELOPE_MAX_BYTES = 1024;
/** The type of a chunk follows its magic bytes and its checksum; a whole document has type 0. */
const TYPE_AT = 8;
/** After so many refused changes, the rest of a document waits until it is offered again. */
const REFUSED_MAX = 16;
/** Refusals that may be due to some of the changes in a message. */
const DIVISIBLE: readonly RefusalReason[] = [
  'too_deep',
  'too_large',
  'full',
  'timestamped',
  'invalid',
];

type SyncMessage = ReturnType<typeof A.decodeSyncMessage>;

interface Upload {
  envelope: Message;
  /** The latest of the Repo, whose changes are in `changes`. */
  message: SyncMessage;
  /** As the Repo wrote it, if it has all that is left to send. */
  whole: Uint8Array | null;
  /** What was not sent yet. Each depends only on earlier ones and on what the server has. */
  changes: Uint8Array[];
  /** How many go into a part. */
  most: number;
  /** How many single changes were refused. What depends on them is not sent. */
  refused: number;
  /** What the server has not answered. */
  sent: { changes: Uint8Array[]; bytes: number; at: number } | null;
}

/**
 * Sends changes to the server in parts: the next one of a document after the previous one was answered. A slow line then shows that it
 * works, a broken one loses only the last part, and a message never has to hold all that was written offline.
 */
export class Uploads {
  readonly #send: (message: Message) => void;
  readonly #refusals: Refusals;
  /** By document; the one that was sent last is the last. */
  readonly #uploads = new Map<string, Upload>();
  #window = WINDOW_BYTES.first;

  constructor(send: (message: Message) => void, refusals: Refusals) {
    this.#send = send;
    this.#refusals = refusals;
  }

  /**
   * Takes a message of Automerge's sync protocol if it has changes, or follows some that were not sent yet.
   * @returns whether it did; otherwise, the message can be sent
   */
  take(documentId: string, envelope: Message, data: Uint8Array): boolean {
    const { changes, ...message } = A.decodeSyncMessage(data);
    const upload = this.#uploads.get(documentId);
    const isLeft = upload !== undefined && upload.changes.length > 0;
    if (changes.length === 0 && !isLeft) return false;
    if (changes.length > 0 && this.#refusals.isHeld(documentId)) return true;
    this.#uploads.set(documentId, {
      envelope,
      message: { ...message, changes: [] },
      whole: isLeft ? null : data,
      changes: [...(upload?.changes ?? []), ...changes],
      most: upload?.most ?? Infinity,
      refused: upload?.refused ?? 0,
      sent: upload?.sent ?? null,
    });
    this.#sendMore();
    return true;
  }

  /** Notes that the server said something about a document, which it does for each message with changes. */
  answered(documentId: string): void {
    const upload = this.#uploads.get(documentId);
    if (!upload?.sent) return;
    const took = performance.now() - upload.sent.at;
    if (took < ANSWER_MS.quick) this.#window = Math.min(WINDOW_BYTES.most, this.#window * 2);
    if (took > ANSWER_MS.slow) this.#window = Math.max(WINDOW_BYTES.first, this.#window / 2);
    upload.sent = null;
    if (upload.changes.length === 0) this.#uploads.delete(documentId);
    this.#sendMore();
  }

  /**
   * Notes that the server refused the last part of a document: smaller parts are sent, until a single change is refused. What depends on
   * it is dropped.
   * @returns whether nothing is refused yet, because smaller parts are sent
   */
  refused(documentId: string, reason: RefusalReason): boolean {
    const upload = this.#uploads.get(documentId);
    if (!upload?.sent) return false;
    const [first, ...others] = DIVISIBLE.includes(reason) ? split(upload, upload.sent.changes) : [];
    const isDivided = others.length > 0;
    if (first && isDivided)
      Object.assign(upload, {
        changes: [first, ...others, ...upload.changes],
        most: Math.ceil((1 + others.length) / 2),
        whole: null,
        sent: null,
      });
    else {
      const left =
        first && upload.refused < REFUSED_MAX
          ? independentOf(first, split(upload, upload.changes))
          : [];
      if (left.length > 0)
        Object.assign(upload, {
          changes: left,
          most: Infinity,
          refused: upload.refused + 1,
          sent: null,
        });
      else this.#uploads.delete(documentId);
    }
    this.#sendMore();
    return isDivided;
  }

  /** Forgets what was not sent: the Repo offers it again over the next connection. */
  clear(): void {
    this.#uploads.clear();
    this.#window = WINDOW_BYTES.first;
  }

  #sendMore(): void {
    let onTheWay = 0;
    for (const { sent } of this.#uploads.values()) onTheWay += sent?.bytes ?? 0;
    // One that is sent is visited again, at the end.
    for (const [documentId, upload] of this.#uploads) {
      if (onTheWay >= this.#window) return;
      if (!upload.sent && upload.changes.length > 0)
        onTheWay += this.#sendPart(documentId, upload, this.#window - onTheWay);
    }
  }

  /** @returns the bytes that were sent */
  #sendPart(documentId: string, upload: Upload, room: number): number {
    const { envelope, message, whole, changes } = upload;
    const isWhole = changes.some(isWholeDocument);
    const fits = whole && changes.length <= upload.most;
    let data = whole;
    let part = changes;
    if (!fits || whole.length > (isWhole ? Math.max(room, WHOLE_MAX_BYTES) : room)) {
      const single = split(upload, changes);
      const count = countWithin(single, room, upload.most);
      part = single.slice(0, count);
      upload.changes = single.slice(count);
      data = A.encodeSyncMessage(
        upload.changes.length === 0 && upload.refused === 0
          ? { ...message, changes: part }
          : { heads: headsOf(part), need: [], have: [], changes: part },
      );
    } else upload.changes = [];
    upload.whole = null;
    this.#uploads.delete(documentId);
    if (data!.length > FRAME_MAX_BYTES - ENVELOPE_MAX_BYTES) {
      this.#refusals.add(documentId, 'too_large');
      return 0;
    }
    upload.sent = { changes: part, bytes: data!.length, at: performance.now() };
    this.#uploads.set(documentId, upload);
    this.#send({ ...envelope, data: data! });
    return data!.length;
  }
}

const isWholeDocument = (chunk: Uint8Array) => chunk[TYPE_AT] === 0;

/** Returns single changes: of whole documents, those that the server may not have. */
function split({ message }: Upload, chunks: Uint8Array[]): Uint8Array[] {
  return chunks.flatMap(separateChunks).flatMap((chunk) => {
    if (!isWholeDocument(chunk)) return [chunk];
    const doc = A.load<unknown>(chunk);
    const shared = message.have[0]?.lastSync ?? [];
    const changes = A.getChangesSince(doc, A.hasHeads(doc, shared) ? shared : []);
    A.free(doc);
    return changes;
  });
}

/** @returns how many of the first changes have at most this many bytes; at least one */
function countWithin(changes: Uint8Array[], bytes: number, most: number): number {
  let count = 1;
  let size = changes[0]!.length;
  while (count < Math.min(most, changes.length)) {
    size += changes[count]!.length;
    if (size > bytes) break;
    count++;
  }
  return count;
}

/** The heads of these changes alone: all that a device says to have must have arrived. */
function headsOf(changes: Uint8Array[]): A.Heads {
  const heads = new Set<string>();
  for (const change of changes) {
    const { hash, deps } = A.decodeChange(change);
    for (const dependency of deps) heads.delete(dependency);
    heads.add(hash);
  }
  return [...heads].toSorted();
}

/** Returns those of changes in causal order that depend neither directly nor indirectly on another one. */
function independentOf(change: Uint8Array, changes: Uint8Array[]): Uint8Array[] {
  const dependent = new Set([A.decodeChange(change).hash]);
  return changes.filter((each) => {
    const { hash, deps } = A.decodeChange(each);
    if (!deps.some((dependency) => dependent.has(dependency))) return true;
    dependent.add(hash);
    return false;
  });
}

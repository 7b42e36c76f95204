import type { PartPlace } from '#shared/chat/document.ts';
import { chunksSince, loadCore, saveCore, type CoreDocument } from './automerge-core.ts';
import type { CoreSyncState } from './automerge-core.ts';
import { ChunkError, Violation, type Unpacked } from './chunk-guard.ts';
import {
  DOCUMENT_MAX_BYTES,
  DOCUMENT_MAX_OPS,
  REST_COMPRESSED_MAX_BYTES,
  WAITING_MAX_BYTES,
} from './limits.ts';
import { newsOf, type PartNews } from './part-news.ts';

/** The last step forward, which is what most peers lack. */
interface Step {
  from: string;
  chunks: Uint8Array[];
}

/**
 * What is in an open document. While nobody needs more than its heads it may rest: be kept as it is saved, without Automerge's
 * object, which comes back by itself.
 */
export class Content {
  /** Hashes in hexadecimal. */
  heads: string[];
  headsKey: string;
  /** Told whenever Automerge's object is in memory again. */
  readonly #onWake: (content: Content) => void;
  readonly #room: number;
  #core: CoreDocument | null;
  #resting: Uint8Array | null = null;
  #bytes: number;
  #operations: number;
  #waitingBytes = 0;
  #projectedHeads: string[];
  #fresh: Uint8Array[] | null = null;
  #step: Step | null = null;

  /**
   * @param core freed with this
   * @param room how many times as large as others it may become
   * @param projectedHeads what of it is projected; by default, all
   */
  constructor(
    core: CoreDocument,
    onWake: (content: Content) => void,
    room = 1,
    projectedHeads?: string[],
  ) {
    this.#room = room;
    this.#core = core;
    this.#onWake = onWake;
    this.#bytes = core.saveNoCompress().length;
    this.#operations = core.stats().numOps;
    this.heads = core.getHeads();
    this.headsKey = this.heads.join();
    this.#projectedHeads = projectedHeads ?? this.heads;
    onWake(this);
  }

  /** @throws when it rested and cannot be loaded any more */
  wake(): CoreDocument {
    if (this.#core) return this.#core;
    this.#core = loadCore(this.#resting!);
    this.#resting = null;
    this.#onWake(this);
    return this.#core;
  }

  /**
   * Gives up Automerge's object until it is needed.
   * @returns false when it has to stay, because it knows what saving leaves out
   */
  rest(): boolean {
    const core = this.#core;
    if (!core) return true;
    try {
      if (core.getMissingDeps([]).length > 0) return false;
      this.#resting = saveCore(core, this.#bytes, REST_COMPRESSED_MAX_BYTES);
    } catch {
      // Whoever needs it next finds out, and is told.
      return false;
    }
    this.#core = null;
    this.#step = null;
    core.free();
    return true;
  }

  free(): void {
    this.#core?.free();
    this.#core = null;
    this.#resting = null;
  }

  /** What was taken in and is not on its way to the disk yet. */
  get hasFresh(): boolean {
    return this.#fresh !== null;
  }

  takeFresh(): Uint8Array {
    const fresh = this.#fresh ?? [];
    this.#fresh = null;
    return fresh.length === 1 ? fresh[0]! : Buffer.concat(fresh);
  }

  /** @throws ChunkError when it would become too large */
  apply(chunks: Uint8Array[], unpacked: Unpacked): void {
    const core = this.wake();
    this.#makeRoom(core, unpacked);
    const before = this.heads;
    if (unpacked.isOneChange) core.applyChanges(chunks);
    else core.loadIncremental(Buffer.concat(chunks));
    this.#bytes += unpacked.bytes;
    this.#operations += unpacked.operations;
    // A copy, which holds on to nothing else that came with it.
    const change = unpacked.isOneChange ? [new Uint8Array(chunks[0]!)] : null;
    this.#advance(core, before, change, unpacked.bytes);
  }

  /** Whether a change of this hash is in the document. */
  knows(hash: string): boolean {
    return this.heads.includes(hash) || this.wake().getChangeByHash(hash) !== null;
  }

  /** @throws when there is no such change */
  change(hash: string): Uint8Array {
    const change = this.wake().getChangeByHash(hash);
    if (!change) throw new Error('no such change');
    return change;
  }

  /** Chunks of all that is not among the ancestors of these heads. */
  changesSince(heads: readonly string[]): Uint8Array[] {
    const from = heads.join();
    if (from === this.headsKey) return [];
    if (from === '') return [this.save()];
    if (from === this.#step?.from) return [...this.#step.chunks];
    return chunksSince(this.wake(), heads, () => this.save());
  }

  /** Automerge's own side of the protocol; see Peer. */
  receiveInFull(state: CoreSyncState, message: Uint8Array): void {
    const core = this.wake();
    const before = this.heads;
    core.receiveSyncMessage(state, message);
    this.#advance(core, before, null, 0);
  }

  generateInFull(state: CoreSyncState): Uint8Array | null {
    return this.wake().generateSyncMessage(state);
  }

  /** The plain value: text as strings. */
  value(): unknown {
    return this.wake().materialize('/');
  }

  /** The switch in an account, as it is; undefined while it was never set. */
  get sharing(): unknown {
    return this.wake().get('/', 'is_location_sharing_enabled');
  }

  /** What a part has got since this was last asked; at first, since it was opened. */
  takeNews(part: { id: string; ownerUserId: string }, place: PartPlace): PartNews | null {
    const from = this.#projectedHeads;
    this.#projectedHeads = this.heads;
    return newsOf(this.wake(), part, place, from);
  }

  save(): Uint8Array {
    return saveCore(this.wake(), this.#bytes);
  }

  /** Chunks that another process made durable: known from now on, not written again. */
  learn(chunks: Uint8Array): void {
    const core = this.wake();
    core.loadIncremental(chunks);
    this.#step = null;
    this.heads = core.getHeads();
    this.headsKey = this.heads.join();
  }

  /** Whether a failure may have left in it what is not in its heads. */
  mayHoldLeftovers(): boolean {
    if (this.#waitingBytes > WAITING_MAX_BYTES || !this.#core) return true;
    return this.#core.getHeads().join() !== this.headsKey;
  }

  /** @param change what was taken in, when it was one change */
  #advance(core: CoreDocument, before: string[], change: Uint8Array[] | null, bytes: number): void {
    const heads = core.getHeads();
    const key = heads.join();
    const lacksNothing = change && key !== this.headsKey && this.#waitingBytes === 0;
    const missing = !lacksNothing && core.getMissingDeps([]).length > 0;
    if (key !== this.headsKey) {
      const chunks = lacksNothing ? change : [core.saveSince(before)];
      this.#step = { from: this.hasFresh ? '' : this.headsKey, chunks };
      if (this.#fresh) this.#fresh.push(...chunks);
      else this.#fresh = [...chunks];
      this.heads = heads;
      this.headsKey = key;
    }
    this.#waitingBytes = missing ? this.#waitingBytes + bytes : 0;
    if (this.#waitingBytes > WAITING_MAX_BYTES)
      throw new Violation('too many changes without what they depend on');
  }

  #makeRoom(core: CoreDocument, { bytes, operations }: Unpacked): void {
    if (this.#hasRoom(bytes, operations)) return;
    // What was counted so far is too high where the same change came twice.
    this.#bytes = core.saveNoCompress().length;
    this.#operations = core.stats().numOps;
    if (!this.#hasRoom(bytes, operations))
      throw new ChunkError('the document would become too large');
  }

  #hasRoom(bytes: number, operations: number): boolean {
    return (
      this.#bytes + bytes <= DOCUMENT_MAX_BYTES * this.#room &&
      this.#operations + operations <= DOCUMENT_MAX_OPS * this.#room
    );
  }
}

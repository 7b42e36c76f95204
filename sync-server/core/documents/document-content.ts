import {
  PROJECTED_FIELDS,
  readProjectedAccount,
  type ProjectedAccount,
} from '#shared/account/projected-account.ts';
import type { SegmentPlace } from '#shared/chat/document.ts';
import { readOperations, type ChangeOperation } from '#shared/sync/change-operations.ts';
import type { ChunkStats } from '#shared/sync/chunks.ts';
import { documentExcess } from '#shared/sync/document-bounds.ts';
import { HEADS_MERGED_ABOVE, isEpochDue, type DocumentLimits } from '#shared/sync/limits.ts';
import { ObjectPlaces, type FoundPlaces } from '#shared/sync/object-places.ts';
import { Refusal } from '#shared/sync/refusals.ts';
import { stateDigest } from '#shared/sync/state-digest.ts';
import { EVICTED_COMPRESSED_MAX_BYTES, WAITING_MAX_BYTES } from '../limits.ts';
import { bodyOf, openChange, operationsOf } from '../protocol/sync-message.ts';
import {
  actorOf,
  chunksSince,
  loadCore,
  saveCore,
  type CoreDocument,
  type CoreSyncState,
} from './automerge-core.ts';
import { currentDocument } from './current-document.ts';
import {
  collectChanges,
  noteTouched,
  type SegmentChanges,
  type Touched,
} from './segment-changes.ts';

/**
 * The Automerge document of an `OpenDocument`. While only its heads are needed, it can be stored serialized; the Automerge
 * object is created again on demand.
 */
export class DocumentContent {
  /** Hashes in hexadecimal. */
  heads: string[];
  headsKey: string;
  readonly #onLoad: (content: DocumentContent) => void;
  readonly #limits: DocumentLimits;
  readonly #documentId: string;
  #core: CoreDocument | null;
  #serialized: Uint8Array | null = null;
  #bytes: number;
  #waitingBytes = 0;
  #projectedHeads: string[];
  /** What changes since then touch; null if that is unknown. Only of kinds of which something is projected by what changed. */
  #touched: Touched | null = null;
  readonly #isTouchNoted: boolean;
  #unsaved: Uint8Array[] | null = null;
  /** The changes of the last step, which most peers lack. */
  #lastStep: { from: string; chunks: Uint8Array[] } | null = null;
  /** Of the Automerge object: see `#replaceCore`. */
  #places: FoundPlaces | null = null;

  /**
   * @param core freed with this
   * @param onLoad called whenever the Automerge object is created
   * @param options.projectedHeads the state that is projected; by default, all of it
   * @param options.documentId which document the watchdog sees while it is serialized
   * @param options.isTouchNoted whether what changes touch will be taken
   */
  constructor(
    core: CoreDocument,
    limits: DocumentLimits,
    onLoad: (content: DocumentContent) => void,
    {
      projectedHeads,
      documentId = '',
      isTouchNoted = false,
    }: { projectedHeads?: string[]; documentId?: string; isTouchNoted?: boolean } = {},
  ) {
    this.#documentId = documentId;
    this.#limits = limits;
    this.#core = core;
    this.#onLoad = onLoad;
    this.#bytes = core.saveNoCompress().length;
    this.heads = core.getHeads();
    this.headsKey = this.heads.join();
    this.#projectedHeads = projectedHeads ?? this.heads;
    this.#isTouchNoted = isTouchNoted;
    if (isTouchNoted && !projectedHeads) this.#touched = new Map();
    onLoad(this);
  }

  get isLoaded(): boolean {
    return this.#core !== null;
  }

  /** Returns the Automerge object. @throws when it was serialized and cannot be loaded */
  load(): CoreDocument {
    if (this.#core) return this.#core;
    this.#core = loadCore(this.#serialized!);
    this.#serialized = null;
    this.#onLoad(this);
    return this.#core;
  }

  /**
   * Serializes the Automerge object until it is needed again.
   * @returns false if that would lose changes whose dependencies are missing
   */
  evict(): boolean {
    const core = this.#core;
    if (!core) return true;
    try {
      if (core.getMissingDeps([]).length > 0) return false;
      this.#serialized = currentDocument.during(this.#documentId, () =>
        saveCore(core, this.#bytes, EVICTED_COMPRESSED_MAX_BYTES),
      );
    } catch {
      // The next caller gets the error.
      return false;
    }
    this.#replaceCore(null);
    this.#lastStep = null;
    return true;
  }

  free(): void {
    this.#replaceCore(null);
    this.#serialized = null;
  }

  get hasUnsaved(): boolean {
    return this.#unsaved !== null;
  }

  /** Returns the changes that were applied since the last call. */
  takeUnsaved(): Uint8Array {
    const unsaved = this.#unsaved ?? [];
    this.#unsaved = null;
    return unsaved.length === 1 ? unsaved[0]! : Buffer.concat(unsaved);
  }

  /** @throws Refusal when the document may not have the changes, or an error of Automerge */
  apply(chunks: Uint8Array[], stats: ChunkStats): void {
    if (stats.largestChange > this.#limits.operationsPerChange)
      throw new Refusal('too_large', 'too many operations in a change');
    const core = this.load();
    const before = this.heads;
    if (stats.isOneChange) core.applyChanges(chunks);
    else core.loadIncremental(Buffer.concat(chunks));
    // A copy, so that the whole frame can be freed.
    const change = stats.isOneChange ? [new Uint8Array(chunks[0]!)] : null;
    this.#advance(core, before, change, stats.bytes);
    this.mergeHeads();
  }

  /**
   * Merges the heads if there are many: each message about the document contains them all. Nodes that merge the same heads make the
   * same change.
   */
  mergeHeads(): void {
    const before = this.heads;
    if (before.length <= HEADS_MERGED_ABOVE) return;
    const core = this.load();
    const merging = core.fork(actorOf('merge', before));
    try {
      merging.emptyChange(null, 0);
      const changes = merging.getChanges(before);
      core.applyChanges(changes);
      this.#advance(core, before, changes, 0);
    } catch (error) {
      // A document that is full is not merged: what the device sent before has been accepted.
      if (!(error instanceof Refusal) || !this.restore(false)) throw error;
    } finally {
      merging.free();
    }
  }

  hasChange(hash: string): boolean {
    return this.heads.includes(hash) || this.load().getChangeByHash(hash) !== null;
  }

  /** @throws when there is no such change */
  change(hash: string): Uint8Array {
    const change = this.load().getChangeByHash(hash);
    if (!change) throw new Error('no such change');
    return change;
  }

  /** Returns chunks with all changes that are not ancestors of these heads. */
  changesSince(heads: readonly string[]): Uint8Array[] {
    const from = heads.join();
    if (from === this.headsKey) return [];
    if (from === '') return [this.save()];
    if (from === this.#lastStep?.from) return [...this.#lastStep.chunks];
    return chunksSince(this.load(), heads, () => this.save());
  }

  /** Applies a message with Automerge's own protocol state; see `DocumentPeer`. */
  receiveInFull(state: CoreSyncState, message: Uint8Array): void {
    const core = this.load();
    const before = this.heads;
    core.receiveSyncMessage(state, message);
    this.#advance(core, before, null, 0);
    this.mergeHeads();
  }

  generateInFull(state: CoreSyncState): Uint8Array | null {
    return this.load().generateSyncMessage(state);
  }

  /** Returns the plain value, with texts as strings. */
  value(): unknown {
    return this.load().materialize('/');
  }

  /** Returns the plain value of one field at the top; undefined if there is none. A document can be large. */
  field(name: string): unknown {
    const core = this.load();
    const [type, value] = core.getWithType('/', name) ?? [];
    return type === 'map' || type === 'list' ? core.materialize(value as string) : value;
  }

  /** What the card's row has of an account. */
  get account(): ProjectedAccount {
    return readProjectedAccount(
      Object.fromEntries(PROJECTED_FIELDS.map((name) => [name, this.field(name)])),
    );
  }

  /** Has the next projection begin at the start. */
  forgetProjected(): void {
    this.#projectedHeads = [];
    this.#touched = null;
  }

  /** Returns what changes touch since the last call; at first, since what is projected. Null if that is unknown. */
  takeTouched(): Touched | null {
    const touched = this.#touched;
    this.#projectedHeads = this.heads;
    this.#touched = this.#isTouchNoted ? new Map() : null;
    return touched;
  }

  takeSegmentChanges(
    segment: { id: string; ownerUserId: string },
    place: SegmentPlace,
  ): SegmentChanges | null {
    const from = this.#projectedHeads;
    return collectChanges(this.load(), segment, place, this.takeTouched() ?? from);
  }

  save(): Uint8Array {
    return saveCore(this.load(), this.#bytes);
  }

  /**
   * Applies chunks that another process has already stored.
   * @returns `behind` if it had nothing that the other process lacked, so the other one projected this state
   */
  applyStored(chunks: Uint8Array): 'unchanged' | 'behind' | 'merged' {
    let core = this.load();
    const [before, beforeKey] = [this.heads, this.headsKey];
    const wasComplete = core.getMissingDeps([]).length === 0;
    // Changes of devices that waited for their dependencies are not stored yet.
    const hadWaiting = this.#waitingBytes > 0;
    const isProjected = this.#projectedHeads.join() === beforeKey;
    core.loadIncremental(chunks);
    if (hadWaiting) core = this.#withoutExcess(core, before, chunks);
    const heads = core.getHeads();
    const key = heads.join();
    if (key === beforeKey) return 'unchanged';
    this.heads = heads;
    this.headsKey = key;
    this.#touched = null;
    this.#bytes += chunks.length;
    const isBehind = !before.some((head) => heads.includes(head));
    const isStep = isBehind && wasComplete && !this.hasUnsaved;
    this.#lastStep = isStep ? { from: beforeKey, chunks: [chunks] } : null;
    if (hadWaiting) {
      this.#unsaved = [...(this.#unsaved ?? []), core.saveSince(before)];
      if (core.getMissingDeps([]).length === 0) this.#waitingBytes = 0;
      return 'merged';
    }
    if (isBehind && isProjected) {
      this.#projectedHeads = heads;
      if (this.#isTouchNoted) this.#touched = new Map();
    }
    return isBehind ? 'behind' : 'merged';
  }

  /** The number of operations, which grows with every change. */
  get operations(): number {
    return this.load().stats().numOps;
  }

  /** Whether it has used up so much of its limits that another document should replace it. */
  get isEpochDue(): boolean {
    return isEpochDue(this.load().stats(), this.#bytes, this.#limits);
  }

  /** Returns the former heads with this digest; null if the document had none, or several at a time. */
  headsOf(documentId: string, digest: string): string[] | null {
    const hash = this.load()
      .topoHistoryTraversal()
      .findLast((each) => stateDigest(documentId, [each]) === digest);
    return hash === undefined ? null : [hash];
  }

  /**
   * Removes what a failed task may have left: changes that are not in `heads`, and too many that wait.
   * @param hasPanicked whether Automerge may have stopped in the middle of a change
   * @returns false if that is not possible
   */
  restore(hasPanicked: boolean): boolean {
    const core = this.#core;
    if (!core) return false;
    try {
      const isTooMuch = this.#waitingBytes > WAITING_MAX_BYTES;
      if (!hasPanicked && !isTooMuch && core.getHeads().join() === this.headsKey) return true;
      const restored = core.fork(undefined, this.heads);
      this.#replaceCore(restored);
      this.#waitingBytes = 0;
      return restored.getHeads().join() === this.headsKey;
    } catch {
      // The object cannot be used any more.
      return false;
    }
  }

  /**
   * Drops changes of devices that waited for stored ones, if the document may not have them: the devices offer them again.
   * @returns the document without them
   */
  #withoutExcess(core: CoreDocument, before: string[], chunks: Uint8Array): CoreDocument {
    try {
      const bytes = this.#bytes;
      const changes = core.getChanges(before);
      checkThatTheyLoad(changes, core.getHeads());
      this.#check(core, changes.map(bodyOf));
      this.#bytes = Math.max(bytes, this.#bytes - chunks.length);
      return core;
    } catch {
      const former = core.fork(undefined, before);
      this.#replaceCore(former);
      this.#waitingBytes = 0;
      former.loadIncremental(chunks);
      return former;
    }
  }

  #replaceCore(core: CoreDocument | null): void {
    this.#core?.free();
    this.#core = core;
    this.#places = null;
  }

  /** @param change the applied change, if it was a single one */
  #advance(core: CoreDocument, before: string[], change: Uint8Array[] | null, bytes: number): void {
    const heads = core.getHeads();
    const key = heads.join();
    const isComplete = change && key !== this.headsKey && this.#waitingBytes === 0;
    const isMissingDependencies = !isComplete && core.getMissingDeps([]).length > 0;
    this.#waitingBytes = isMissingDependencies ? this.#waitingBytes + bytes : 0;
    // Before anything of it is to be stored.
    if (this.#waitingBytes > WAITING_MAX_BYTES)
      throw new Refusal('incomplete', 'too many changes without their dependencies');
    if (key !== this.headsKey) {
      const stored = core.getChanges(before);
      // Otherwise it might not be loaded again, such as with a wrong checksum, which Automerge doesn't look at here.
      const isAsReceived =
        isComplete && stored.length === 1 && Buffer.compare(stored[0]!, change[0]!) === 0;
      if (!isAsReceived) checkThatTheyLoad(stored, heads);
      const { operations, places } = this.#check(core, stored.map(bodyOf));
      if (this.#touched) noteTouched(this.#touched, operations, places);
      const chunks = isAsReceived ? change : [core.saveSince(before)];
      // What is not saved yet was not sent either, so peers lack it with this.
      const earlier = this.hasUnsaved ? (this.#lastStep ?? { from: '', chunks: [] }) : null;
      this.#lastStep = {
        from: earlier ? earlier.from : this.headsKey,
        chunks: earlier ? [...earlier.chunks, ...chunks] : chunks,
      };
      if (this.#unsaved) this.#unsaved.push(...chunks);
      else this.#unsaved = [...chunks];
      this.heads = heads;
      this.headsKey = key;
    }
  }

  /**
   * Checks new changes before they are stored.
   * @param bodies of the changes
   * @returns their operations
   * @throws Refusal when they exceed the limits
   */
  #check(
    core: CoreDocument,
    bodies: readonly Uint8Array[],
  ): { operations: ChangeOperation[][]; places: ObjectPlaces } {
    let bytes = bodies.reduce((sum, { length }) => sum + length, this.#bytes);
    // The sum is too high, because a document is smaller than its changes.
    if (bytes > this.#limits.bytes) bytes = core.saveNoCompress().length;
    const operations = bodies.map(readOperations);
    this.#places ??= new Map();
    const places = new ObjectPlaces(core, () => operationsOf(core.getChanges([])), this.#places);
    const excess = documentExcess(operations, {
      places,
      core,
      limits: this.#limits,
      bytes,
      headsBefore: this.heads.length,
    });
    if (excess) throw new Refusal(excess.reason, excess.message);
    this.#bytes = bytes;
    return { operations, places };
  }
}

/**
 * Automerge applies some damaged changes that it stores otherwise, so that the saved document cannot be loaded: a device could make a
 * document of its friends unreadable. The stored form of such a change has a hash that no head and no other change refers to.
 * @param stored changes as Automerge stores them
 * @throws Refusal
 */
function checkThatTheyLoad(stored: readonly Uint8Array[], heads: readonly string[]): void {
  const changes = stored.map(openChange);
  const known = new Set(heads);
  for (const { dependencies } of changes) for (const each of dependencies) known.add(each);
  if (!changes.every(({ hash }) => known.has(hash)))
    throw new Refusal('invalid', 'a change that cannot be loaded again');
}

import { MongoError } from 'mongodb';
import { documentKinds } from '#shared/document-kinds.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { Refusal } from '#shared/sync/refusals.ts';
import { stateDigest, readMarks, encodeMatches } from '#shared/sync/state-digest.ts';
import type { Permission, PermissionSnapshot } from '../../core/access/document-permissions.ts';
import type { PassiveSubscriber } from '../../core/documents/document-nodes.ts';
import { QuarantinedDocument, UnreadableDocument } from '../../core/documents/load-document.ts';
import type { EphemeralSource, OpenDocument } from '../../core/documents/open-document.ts';
import {
  COST_OF_FOLLOWING,
  COST_OF_MARK,
  COST_OF_REFUSAL,
  DOCUMENTS_PER_SOCKET,
  EPHEMERAL_MAX_BYTES,
  FREE_LOAD_MS,
  REFUSALS_PER_SOCKET,
  SNAPSHOT_REUSED_MS,
} from '../../core/limits.ts';
import { measureAndCharge } from '../../core/measure-and-charge.ts';
import {
  readDeviceMessage,
  validateChunks,
  writeSyncMessage,
} from '../../core/protocol/sync-message.ts';
import type { ClientMessage } from '../client-messages.ts';
import { DocumentPeer, type Incoming } from './document-peer.ts';
import type { DocumentsConnection, DocumentsHost } from './documents-host.ts';

type SyncOrRequest = Extract<ClientMessage, { type: 'sync' | 'request' }>;

/** A document on the device, and the mark of its state there. */
interface Claim {
  documentId: string;
  mark: string;
}

/**
 * The documents of one connection. Each is in one of these states:
 * - open: the device synchronizes it (`#open` contains the messages that wait for it to be loaded, then the peer);
 * - subscribed: the device has the state that is stored. Nothing is loaded; when another device opens the document, this one
 *   joins it (`#subscribed` is null while the permission is being looked up);
 * - quarantined: it is not loaded. The device was sent what is stored, and its changes are refused;
 * - refused: it does not exist, or the user may not read it.
 */
export class ConnectionDocuments implements PassiveSubscriber {
  readonly #host: DocumentsHost;
  readonly #connection: DocumentsConnection;
  readonly #open = new Map<string, Incoming[] | DocumentPeer>();
  readonly #subscribed = new Map<string, { permission: Permission; mark: string } | null>();
  readonly #quarantined = new Set<string>();
  readonly #refused = new Set<string>();
  #snapshot: Promise<PermissionSnapshot> | null = null;
  /** While documents are compared, the client may rely on a permission to any of them. */
  #isComparing = false;
  #lastComparison: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param snapshot the documents that the user may read, looked up while the client connects */
  constructor(
    host: DocumentsHost,
    connection: DocumentsConnection,
    snapshot: Promise<PermissionSnapshot>,
  ) {
    this.#host = host;
    this.#connection = connection;
    void this.#reuse(snapshot);
  }

  /** Whether the client has the document open, or received that it is unavailable. */
  reliesOnPermission(documentId: string): boolean {
    return (
      this.#isComparing ||
      this.#open.has(documentId) ||
      this.#subscribed.has(documentId) ||
      this.#quarantined.has(documentId) ||
      this.#mayBeRefused(documentId)
    );
  }

  isQuarantined(documentId: string): boolean {
    return this.#quarantined.has(documentId);
  }

  /** Handles a message of Automerge's sync protocol, and opens its document if necessary. */
  sync(message: SyncOrRequest): void {
    try {
      this.#sync(message);
    } catch (error) {
      this.#refuse(message.documentId, error, message.type === 'request');
    }
  }

  #sync({ documentId, data, type }: SyncOrRequest): void {
    const message = readDeviceMessage(data);
    const open = this.#open.get(documentId);
    if (type === 'sync' && open instanceof DocumentPeer && open.acknowledges(message)) return;
    const stats = validateChunks(message.chunks);
    const incoming = { message, data, stats, startsOver: type === 'request' };
    if (open instanceof DocumentPeer) this.#deliver(open, incoming);
    else if (open) open.push(incoming);
    else if (this.#quarantined.has(documentId)) {
      // What is stored was sent before.
      if (incoming.startsOver || message.chunks.length > 0)
        throw new Refusal('unavailable', 'the document is in quarantine');
    } else {
      if (!this.#hasRoom(1)) throw new Refusal('too_many', 'too many documents');
      this.#unsubscribe(documentId);
      const waiting = [incoming];
      this.#open.set(documentId, waiting);
      void this.#openDocument(documentId, waiting);
    }
  }

  /**
   * Answers which documents of the client are unchanged here, and subscribes to those: see shared/sync/state-digest.ts.
   * @throws when the bytes are not marks, or there are too many in one message
   */
  compare(data: Uint8Array): void {
    const marks = readMarks(data);
    this.#connection.charge(marks.length * COST_OF_MARK);
    this.#lastComparison = this.#lastComparison.then(() => this.#answerComparison(marks));
  }

  /**
   * Forwards an ephemeral message to the other devices that have the document. Only writers may send them: otherwise two
   * readers of a friend's card could talk to each other through it, even if one has blocked the other. Too large ones are dropped.
   */
  forwardEphemeral(message: Extract<ClientMessage, { type: 'ephemeral' }>): void {
    const { documentId, data, senderId, count, sessionId } = message;
    if (data.length > EPHEMERAL_MAX_BYTES) return;
    const source = { peerId: senderId, count, sessionId };
    const own = this.#open.get(documentId);
    if (own instanceof DocumentPeer) {
      if (!own.mayWrite) return;
      for (const peer of own.document.peers)
        if (peer !== own) peer.device.sendEphemeral(documentId, source, data);
    } else if (this.#subscribed.get(documentId)?.permission.mayWrite) {
      for (const other of this.#host.documents.subscribersOf(documentId))
        if (other !== this) other.sendEphemeral(documentId, source, data);
    } else return;
    this.#host.documents.sendEphemeral(documentId, source, data);
  }

  sendEphemeral(documentId: string, source: EphemeralSource, data: Uint8Array): void {
    this.#connection.sendEphemeral(documentId, source, data);
  }

  /** Called when a document that is subscribed to was loaded. */
  documentOpened(document: OpenDocument): void {
    const subscribed = this.#subscribed.get(document.id);
    this.#unsubscribe(document.id);
    if (!subscribed) return;
    if (stateDigest(document.id, document.content.heads) === subscribed.mark)
      return this.#join(document, subscribed.permission).setUpToDate();
    // Another node changed it.
    const heads = document.content.headsOf(document.id, subscribed.mark);
    if (heads) return this.#join(document, subscribed.permission).setHas(heads);
    // The document was not in the state that was compared: the client has to synchronize it.
    this.#connection.close(closeCodes.tryAgainLater, 'start over');
  }

  /**
   * Whether the connection has exactly the permissions that it should have. Documents that are being opened don't count: they look
   * up their permission again.
   * @param ids documents to check; by default, all
   * @param permissions the current permissions to these documents
   */
  async hasPermissions(
    permissions: ReadonlyMap<string, Permission>,
    ids?: readonly string[],
  ): Promise<boolean> {
    await this.#lastComparison;
    if (!ids && this.#refused.size >= REFUSALS_PER_SOCKET) return false;
    if (!ids && [...this.#quarantined].some((id) => !permissions.has(id))) return false;
    const checked = ids ?? [...this.#open.keys(), ...this.#subscribed.keys(), ...this.#refused];
    return checked.every((id) => {
      const now = permissions.get(id);
      const peer = this.#open.get(id);
      if (peer instanceof DocumentPeer) return peer.mayWrite === now?.mayWrite;
      if (peer) return true;
      const subscribed = this.#subscribed.get(id);
      if (subscribed) return subscribed.permission.mayWrite === now?.mayWrite;
      return !this.#mayBeRefused(id) || now === undefined;
    });
  }

  /** Refused documents are remembered up to a limit. */
  #mayBeRefused(documentId: string): boolean {
    return this.#refused.has(documentId) || this.#refused.size >= REFUSALS_PER_SOCKET;
  }

  leaveAll(): void {
    this.#isClosed = true;
    this.#snapshot = null;
    for (const id of this.#subscribed.keys()) this.#unsubscribe(id);
    for (const open of this.#open.values())
      if (open instanceof DocumentPeer) open.document.removePeer(open);
    this.#open.clear();
  }

  /** @param isRequested whether the client waits for the document: stock clients only understand that it is unavailable */
  #refuse(documentId: string, error: unknown, isRequested = false): void {
    const open = this.#open.get(documentId);
    if (open instanceof DocumentPeer) open.refused();
    this.#connection.refuse(documentId, error);
    if (isRequested) this.#connection.send('doc-unavailable', { documentId });
  }

  async #openDocument(documentId: string, waiting: Incoming[]): Promise<void> {
    const { documents, permissions } = this.#host;
    const { userId } = this.#connection;
    let document: OpenDocument | null = null;
    // Usual documents take less, and a device that starts loads thousands.
    const charge = (ms: number) => ms > FREE_LOAD_MS && this.#connection.chargeTime(ms);
    const load = async () =>
      this.#isClosed ? null : documents.open(documentId, { userId, charge });
    try {
      for (;;) {
        const hasChanged = permissions.watch(documentId);
        const permission = await this.#permissionTo(documentId);
        if (permission) document ??= await this.#connection.loadInTurn(load);
        if (this.#isClosed) return;
        if (hasChanged()) continue;
        if (!document || !permission) return this.#sendUnavailable(documentId);
        const peer = this.#join(document, permission);
        for (const incoming of waiting) this.#deliver(peer, incoming);
        return;
      }
    } catch (error) {
      if (error instanceof QuarantinedDocument) void this.#sendStored(documentId, waiting);
      else if (error instanceof UnreadableDocument)
        this.#refuseUnreadable(documentId, waiting, error);
      else this.#closeAfterFailure(error, { document: documentId });
    } finally {
      document?.release();
    }
  }

  /** Sends what is stored of a document in quarantine, as it is, unless the device has it, and refuses its changes. */
  async #sendStored(documentId: string, waiting: Incoming[]): Promise<void> {
    const { readStored, permissions } = this.#host;
    try {
      const hasChanged = permissions.watch(documentId);
      const permission = await permissions.of(this.#connection.userId, documentId);
      const stored = permission && (await readStored(documentId, this.#inTurn));
      if (this.#isClosed) return;
      if (hasChanged()) return void this.#openDocument(documentId, waiting);
      if (!stored) return this.#sendUnavailable(documentId);
      this.#open.delete(documentId);
      this.#quarantined.add(documentId);
      const { heads = [] } = waiting.at(-1)?.message ?? {};
      const has = new Set(heads);
      // Without chunks, it says that the device has all.
      const lacks = stored.heads.every((head) => has.has(head)) ? [] : stored.chunks;
      this.#connection.sendSync(
        documentId,
        writeSyncMessage(stored.heads, lacks, !permission.mayWrite),
      );
      if (waiting.some(({ message }) => message.chunks.length > 0))
        this.#refuse(documentId, new Refusal('unavailable', 'the document is in quarantine'));
    } catch (error) {
      if (error instanceof MongoError) this.#closeAfterFailure(error, { document: documentId });
      else this.#refuseUnreadable(documentId, waiting, error);
    }
  }

  #join(document: OpenDocument, { mayWrite }: Permission): DocumentPeer {
    const peer = new DocumentPeer(document, this.#connection, mayWrite);
    document.addPeer(peer);
    this.#open.set(document.id, peer);
    return peer;
  }

  #deliver(peer: DocumentPeer, incoming: Incoming): void {
    const { document } = peer;
    const { userId } = this.#connection;
    const freeMs = incoming.message.chunks.length > 0 ? 0 : FREE_LOAD_MS;
    const charge = (ms: number) => void (ms > freeMs && this.#connection.chargeTime(ms));
    const receive = () => {
      if (this.#isClosed) return;
      try {
        if (documentKinds[document.kind].othersRead) this.#refuseTimes(incoming);
        measureAndCharge(charge, () => peer.receive(incoming));
      } catch (error) {
        measureAndCharge(
          (ms) => this.#connection.chargeTime(ms),
          () => document.recover(error),
        );
        this.#refuse(document.id, error);
      }
    };
    document.enqueue(receive, undefined, { userId, charge });
  }

  /** Runs work for the user when it is their turn, and charges them the time that it takes. */
  readonly #inTurn = <T>(work: () => T): Promise<T> => {
    const { userId } = this.#connection;
    const charge = (ms: number) => this.#connection.chargeTime(ms);
    return this.#host.documents.turns.run(userId, () => measureAndCharge(charge, work));
  };

  /** Timestamps would reveal to readers when the owner walks or sleeps (decision 235). @throws Refusal */
  #refuseTimes({ stats }: Incoming): void {
    if (stats.latestTime > this.#host.timesUntil)
      throw new Refusal('timestamped', 'changes with timestamps');
  }

  #hasRoom(more: number): boolean {
    return this.#open.size + this.#subscribed.size + more <= DOCUMENTS_PER_SOCKET;
  }

  #sendUnavailable(documentId: string): void {
    this.#open.delete(documentId);
    if (this.#refused.size < REFUSALS_PER_SOCKET) this.#refused.add(documentId);
    this.#connection.send('doc-unavailable', { documentId });
    this.#connection.charge(COST_OF_REFUSAL);
  }

  #refuseUnreadable(documentId: string, waiting: Incoming[], error: unknown): void {
    this.#open.delete(documentId);
    this.#connection.log.warn({ err: error, document: documentId }, 'failed to read a document');
    const isRequested = waiting.some(({ startsOver }) => startsOver);
    this.#refuse(documentId, new Refusal('unavailable', 'cannot be read'), isRequested);
  }

  #closeAfterFailure(error: unknown, about: { document?: string }): void {
    this.#connection.log.warn({ err: error, ...about }, 'failed to open or compare a document');
    this.#connection.close(closeCodes.tryAgainLater, 'not available now');
  }

  async #answerComparison(marks: string[]): Promise<void> {
    this.#isComparing = true;
    try {
      const snapshot = await (this.#snapshot ??
        this.#reuse(this.#host.permissions.snapshotOf(this.#connection.userId)));
      const claims = this.#hasRoom(marks.length)
        ? await this.#inTurn(() => this.#claimsOf(marks, snapshot.permissions))
        : marks.map(() => null);
      const subscribed = new Set(await this.#subscribeTo(claims, snapshot));
      this.#connection.charge(subscribed.size * COST_OF_FOLLOWING);
      const verdicts = claims.map((claim) => claim !== null && subscribed.has(claim));
      this.#connection.send('compared', { data: encodeMatches(verdicts) });
    } catch (error) {
      this.#closeAfterFailure(error, {});
    } finally {
      this.#isComparing = false;
    }
  }

  /**
   * Maps marks to the documents that they may belong to. Only documents that the user may read are considered, so the marks of other
   * people's documents get the same answer as marks that do not exist.
   */
  #claimsOf(marks: string[], readable: Map<string, Permission>): (Claim | null)[] {
    const ids = new Map<string | null, string>();
    const { documents } = this.#host;
    for (const [id, { mark }] of readable) ids.set(documents.markInMemory(id) ?? mark, id);
    return marks.map((mark) => {
      const documentId = ids.get(mark);
      return documentId === undefined ? null : { documentId, mark };
    });
  }

  /** A client that starts compares its documents in several messages within a second. */
  #reuse(snapshot: Promise<PermissionSnapshot>): Promise<PermissionSnapshot> {
    const forget = () => {
      if (this.#snapshot === snapshot) this.#snapshot = null;
    };
    this.#snapshot = snapshot;
    snapshot.then(() => setTimeout(forget, SNAPSHOT_REUSED_MS).unref(), forget);
    return snapshot;
  }

  /** Subscribes to the documents whose claims are true. @returns those claims */
  async #subscribeTo(
    claims: (Claim | null)[],
    { permissions: known, isCurrent }: PermissionSnapshot,
  ): Promise<Claim[]> {
    const checked = claims.filter(
      (claim): claim is Claim => claim !== null && !this.#open.has(claim.documentId),
    );
    const ids = [...new Set(checked.map(({ documentId }) => documentId))];
    for (const id of ids) this.#subscribed.set(id, null);
    // Before the marks are read, so that no change is missed in between.
    const watch = this.#host.documents.watch(ids);
    try {
      const permissions = isCurrent() ? known : await this.#permissionsTo(ids);
      // Do not look at unreadable documents: the response time would reveal whether they exist.
      const readable = ids.filter((id) => permissions.has(id));
      const withChanges = await this.#host.documents.withChangesInLog(readable);
      // Read the snapshots after the log, as when loading a document.
      const stored = await this.#permissionsTo(readable.filter((id) => !withChanges.has(id)));
      const isCurrentState = (claim: Claim) => {
        const permission = permissions.get(claim.documentId);
        const mark = stored.get(claim.documentId)?.mark ?? null;
        const isUnchanged = !watch.changed.has(claim.documentId);
        return !!permission && isUnchanged && this.#subscribe(claim, permission, mark);
      };
      return await this.#inTurn(() => checked.filter(isCurrentState));
    } finally {
      watch.end();
      for (const id of ids) if (this.#subscribed.get(id) === null) this.#subscribed.delete(id);
    }
  }

  /** A device that starts opens what has changed: those permissions were looked up while it connected. */
  async #permissionTo(documentId: string): Promise<Permission | null> {
    const snapshot = await this.#snapshot?.catch(() => null);
    const known = snapshot?.isCurrent() && snapshot.permissions.get(documentId);
    return known || this.#host.permissions.of(this.#connection.userId, documentId);
  }

  async #permissionsTo(documentIds: string[]): Promise<Map<string, Permission>> {
    const { userId } = this.#connection;
    const found = await Promise.all(documentIds.map((id) => this.#host.permissions.of(userId, id)));
    const known = found.flatMap((permission, i) =>
      permission ? [[documentIds[i]!, permission] as const] : [],
    );
    return new Map(known);
  }

  /**
   * Subscribes to a document if the device has its current state.
   * @param storedMark the mark of the snapshot; null if the log has changes, too
   */
  #subscribe({ documentId, mark }: Claim, permission: Permission, storedMark: string | null) {
    // The document was opened in the meantime, or claimed twice in one message.
    if (this.#isClosed || this.#subscribed.get(documentId) !== null) return false;
    const { documents } = this.#host;
    const open = documents.inMemory(documentId);
    if (open) {
      if (!open.isDurable || stateDigest(documentId, open.content.heads) !== mark) return false;
      this.#subscribed.delete(documentId);
      this.#join(open, permission).setUpToDate();
      return true;
    }
    if ((documents.markInMemory(documentId) ?? storedMark) !== mark) return false;
    this.#subscribed.set(documentId, { permission, mark });
    documents.subscribe(documentId, this);
    return true;
  }

  #unsubscribe(documentId: string): void {
    if (this.#subscribed.delete(documentId)) this.#host.documents.unsubscribe(documentId, this);
  }
}

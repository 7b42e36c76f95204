import { markOf } from '#shared/sync/state-digest.ts';
import type { Device, EphemeralSource } from './device.ts';
import type { DocumentFollower, Documents } from './documents.ts';
import { LIST_KEPT_MS } from './limits.ts';
import type { OpenDocument } from './open-document.ts';
import type { Listed, Right, Rights } from './rights.ts';

/** What a device that follows documents needs to be able to do. */
interface Follower extends Pick<Device, 'userId' | 'relay'> {
  /** Takes part in an open document of which it has everything. */
  join(document: OpenDocument, right: Right): void;
  /** Begins anew: a document turned out to be in another state than it was in. */
  startOver(): void;
}

/** A document that a device has, and in which state. */
interface Claim {
  documentId: string;
  mark: string;
}

/** What is followed: null while its right is still being looked up, then in which state the device has it. */
type Followed = { right: Right; mark: string } | null;

/**
 * The documents that a device has in the state in which they are on the disk. Nothing is loaded for them: when somebody else
 * has one opened, the device joins those who are told of changes.
 */
export class Following implements DocumentFollower {
  readonly #documents: Documents;
  readonly #rights: Rights;
  readonly #device: Follower;
  readonly #followed = new Map<string, Followed>();
  /** What its user might read a moment ago: to look for something in. */
  #list: Promise<Listed> | null = null;
  /** A right that changes meanwhile may be to anything. */
  #isComparing = false;
  #comparing: Promise<unknown> = Promise.resolve();
  #isOver = false;

  /** @param listed what its user may read, looked up while the device is still about to connect */
  constructor(
    { documents, rights }: { documents: Documents; rights: Rights },
    device: Follower,
    listed: Promise<Listed>,
  ) {
    this.#documents = documents;
    this.#rights = rights;
    this.#device = device;
    void this.#keep(listed);
  }

  get size(): number {
    return this.#followed.size;
  }

  /** Whether it may be acting on a right to the document. */
  has(documentId: string): boolean {
    return this.#isComparing || this.#followed.has(documentId);
  }

  /**
   * Compares documents on a device with what is on the disk; answers come in the order of the questions.
   * @param marks of documents in the state in which the device has them
   * @param isOpen documents that the device synchronises in the usual way already
   * @returns for each mark whether it is that of a document, and the device is told of its changes from now on. Marks of
   * documents that are somebody else's, nobody's, or differ are answered alike: no others than this user's are looked at
   * @throws when that cannot be told now
   */
  compare(marks: string[], isOpen: (documentId: string) => boolean): Promise<boolean[]> {
    const compared = this.#comparing.then(async () => {
      this.#isComparing = true;
      try {
        const { rights: readable, isCurrent } = await this.#readable();
        const claims = this.#claimsOf(marks, readable);
        const asked = claims.filter(
          (claim): claim is Claim => claim !== null && !isOpen(claim.documentId),
        );
        const held = new Set(await this.#hold(asked, isCurrent() ? readable : null));
        return claims.map((claim) => claim !== null && held.has(claim));
      } finally {
        this.#isComparing = false;
      }
    });
    this.#comparing = compared.catch(() => {});
    return compared;
  }

  /** Which documents may be meant; whether they are is found out then. */
  #claimsOf(marks: string[], readable: Map<string, Right>): (Claim | null)[] {
    const ids = new Map<string | null, string>();
    for (const [id, { mark }] of readable) ids.set(this.#markNow(id) ?? mark, id);
    return marks.map((mark) => {
      const documentId = ids.get(mark);
      return documentId === undefined ? null : { documentId, mark };
    });
  }

  /** Null where that is not known without the disk. */
  #markNow(documentId: string): string | null {
    const open = this.#documents.inMemory(documentId);
    return open ? markOf(documentId, open.content.heads) : this.#documents.restingMark(documentId);
  }

  /** A device that starts finds its documents one after the other, and asks several times in a second. */
  #readable(): Promise<Listed> {
    return this.#list ?? this.#keep(this.#rights.listOf(this.#device.userId));
  }

  #keep(list: Promise<Listed>): Promise<Listed> {
    const forget = () => {
      if (this.#list === list) this.#list = null;
    };
    this.#list = list;
    list.then(() => setTimeout(forget, LIST_KEPT_MS).unref(), forget);
    return list;
  }

  /**
   * @param known what is so this moment, where it was looked up
   * @returns those of the claims that hold
   */
  async #hold(claims: Claim[], known: Map<string, Right> | null): Promise<Claim[]> {
    const ids = [...new Set(claims.map(({ documentId }) => documentId))];
    for (const id of ids) this.#followed.set(id, null);
    try {
      const rights = known ?? (await this.#rightsTo(ids));
      // What may not be read is not looked at, lest the time tell whether it is there.
      const readable = ids.filter((id) => rights.has(id));
      const movedOn = await this.#documents.movedOnOf(readable);
      // The snapshots once more, after the log, as when a document is loaded.
      const resting = await this.#rightsTo(readable.filter((id) => !movedOn.has(id)));
      return claims.filter((claim) => {
        const right = rights.get(claim.documentId);
        const saved = resting.get(claim.documentId)?.mark ?? null;
        return !!right && this.#settle(claim, right, saved);
      });
    } finally {
      for (const id of ids) if (this.#followed.get(id) === null) this.#followed.delete(id);
    }
  }

  /** Told by `documents` when one that is followed is in memory again. */
  opened(document: OpenDocument): void {
    const followed = this.#followed.get(document.id);
    this.leave(document.id);
    if (!followed) return;
    if (markOf(document.id, document.content.heads) === followed.mark)
      this.#device.join(document, followed.right);
    else this.#device.startOver();
  }

  /** Passes an ephemeral message of who may write on to whoever else follows the document that nobody has open. */
  relay(documentId: string, from: EphemeralSource, data: Uint8Array): void {
    if (!this.#followed.get(documentId)?.right.mayWrite) return;
    for (const other of this.#documents.followersOf(documentId))
      if (other !== this) other.relayed(documentId, from, data);
  }

  relayed(documentId: string, from: EphemeralSource, data: Uint8Array): void {
    this.#device.relay(documentId, from, data);
  }

  /** Follows a document no longer, such as one that the device synchronises in the usual way. */
  leave(documentId: string): void {
    if (this.#followed.delete(documentId)) this.#documents.unfollow(documentId, this);
  }

  leaveAll(): void {
    this.#isOver = true;
    this.#list = null;
    for (const id of this.#followed.keys()) this.leave(id);
  }

  async #rightsTo(documentIds: string[]): Promise<Map<string, Right>> {
    const { userId } = this.#device;
    const rights = await Promise.all(documentIds.map((id) => this.#rights.of(userId, id)));
    const held = new Map<string, Right>();
    for (const [i, right] of rights.entries()) if (right) held.set(documentIds[i]!, right);
    return held;
  }

  /** @param saved the mark of the snapshot, where it says all */
  #settle({ documentId, mark }: Claim, right: Right, saved: string | null): boolean {
    // Left meanwhile, or claimed twice in one message.
    if (this.#isOver || this.#followed.get(documentId) !== null) return false;
    const open = this.#documents.inMemory(documentId);
    if (open) {
      if (!open.isDurable || markOf(documentId, open.content.heads) !== mark) return false;
      this.#followed.delete(documentId);
      this.#device.join(open, right);
      return true;
    }
    if ((this.#documents.restingMark(documentId) ?? saved) !== mark) return false;
    this.#followed.set(documentId, { right, mark });
    this.#documents.follow(documentId, this);
    return true;
  }
}

import { stateOf, type Claim } from '#shared/sync/comparison.ts';
import type { Documents } from './documents.ts';
import type { OpenDocument } from './open-document.ts';
import type { Device, EphemeralSource } from './peer.ts';
import type { Right, Rights } from './rights.ts';

/** What a device that follows documents needs to be able to do. */
interface Follower extends Pick<Device, 'userId' | 'relay'> {
  /** Takes part in an open document of which it has everything. */
  join(document: OpenDocument, right: Right): void;
  /** Begins anew: a document turned out to be in another state than it was in. */
  startOver(): void;
}

/** What is followed: whether its right is still being looked up, and in which state the device has it. */
type Followed = { right: Right; state: string } | null;

/**
 * The documents that a device has in the state in which they are on the disk. Nothing is loaded for them: when somebody else
 * has one opened, the device joins those who are told of changes.
 */
export class Following {
  readonly #documents: Documents;
  readonly #rights: Rights;
  readonly #device: Follower;
  readonly #followed = new Map<string, Followed>();
  #comparing: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor({ documents, rights }: { documents: Documents; rights: Rights }, device: Follower) {
    this.#documents = documents;
    this.#rights = rights;
    this.#device = device;
  }

  get size(): number {
    return this.#followed.size;
  }

  has(documentId: string): boolean {
    return this.#followed.has(documentId);
  }

  /**
   * Compares documents on a device with what is on the disk; answers come in the order of the questions.
   * @param isOpen documents that the device synchronises in the usual way already
   * @returns for each claim whether it holds and the device is told of changes from now on. Ids that are somebody
   * else's, nobody's, or of documents that differ are answered alike
   * @throws when that cannot be told now
   */
  compare(claims: Claim[], isOpen: (documentId: string) => boolean): Promise<boolean[]> {
    const compared = this.#comparing.then(async () => {
      const asked = claims.filter(({ documentId }) => !isOpen(documentId));
      const held = new Set(await this.#hold(asked));
      return claims.map((claim) => held.has(claim));
    });
    this.#comparing = compared.catch(() => {});
    return compared;
  }

  /** @returns those of the claims that hold */
  async #hold(claims: Claim[]): Promise<Claim[]> {
    const ids = [...new Set(claims.map(({ documentId }) => documentId))];
    for (const id of ids) this.#followed.set(id, null);
    try {
      const rights = await this.#rightsTo(ids);
      // What may not be read is not looked at, lest the time tell whether it is there.
      const movedOn = await this.#documents.movedOnOf([...rights.keys()]);
      // The snapshots once more, after the log, as when a document is loaded.
      const resting = await this.#rightsTo([...rights.keys()].filter((id) => !movedOn.has(id)));
      return claims.filter((claim) => {
        const right = rights.get(claim.documentId);
        const heads = resting.get(claim.documentId)?.heads;
        return !!right && this.#settle(claim, right, heads ? stateOf(heads) : null);
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
    if (stateOf(document.content.heads) === followed.state) this.#device.join(document, followed.right);
    else this.#device.startOver();
  }

  /** Passes an ephemeral message on to whoever else follows the document that nobody has open. */
  relay(documentId: string, from: EphemeralSource, data: Uint8Array): void {
    if (!this.#followed.get(documentId)) return;
    for (const other of this.#documents.followersOf(documentId))
      if (other !== this) other.#device.relay(documentId, from, data);
  }

  /** Follows a document no longer, such as one that the device synchronises in the usual way. */
  leave(documentId: string): void {
    if (this.#followed.delete(documentId)) this.#documents.unfollow(documentId, this);
  }

  leaveAll(): void {
    this.#isOver = true;
    for (const id of this.#followed.keys()) this.leave(id);
  }

  async #rightsTo(documentIds: string[]): Promise<Map<string, Right>> {
    const { userId } = this.#device;
    const rights = await Promise.all(documentIds.map((id) => this.#rights.of(userId, id)));
    const held = new Map<string, Right>();
    for (const [i, right] of rights.entries()) if (right) held.set(documentIds[i]!, right);
    return held;
  }

  /** @param saved the state of the snapshot, where it says all */
  #settle({ documentId, state }: Claim, right: Right, saved: string | null): boolean {
    // Left meanwhile, or claimed twice in one message.
    if (this.#isOver || this.#followed.get(documentId) !== null) return false;
    const open = this.#documents.inMemory(documentId);
    if (open) {
      if (!open.isDurable || stateOf(open.content.heads) !== state) return false;
      this.#followed.delete(documentId);
      this.#device.join(open, right);
      return true;
    }
    if ((this.#documents.restingState(documentId) ?? saved) !== state) return false;
    this.#followed.set(documentId, { right, state });
    this.#documents.follow(documentId, this);
    return true;
  }
}

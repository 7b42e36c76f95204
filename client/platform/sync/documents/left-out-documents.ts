import type { DocumentId, Repo } from '@automerge/automerge-repo/slim';
import type { Doc } from '@automerge/automerge/slim';
import { Refusal, type RefusalReason } from '#shared/sync/refusals.ts';
import { ReceivedBounds } from '../bounds/received-bounds.ts';
import type { Incoming } from '../connection/server-connection.ts';
import type { FriendCards } from './friend-cards.ts';
import type { OwnDocuments } from './own-documents.ts';

/** What is open on this device; null before. */
interface Open {
  repo: Pick<Repo, 'handles'> | null;
  friendCards: Pick<FriendCards, 'has'> | null;
  own: Pick<OwnDocuments, 'kindOf'> | null;
}

/** The documents of which something arrived that may not be applied. What this device has of them stays as it is. */
export class LeftOutDocuments implements Incoming {
  readonly #bounds: ReceivedBounds;
  readonly #onChange: () => void;
  readonly #reasons = new Map<string, RefusalReason>();

  /**
   * @param onChange called after a document was left out, or is not any more
   */
  constructor(open: () => Open, onChange: () => void) {
    this.#bounds = new ReceivedBounds({
      kindOf: (id) => {
        const url = `automerge:${id}`;
        const isCard = open().friendCards?.has(url) ?? false;
        return open().own?.kindOf(url) ?? (isCard ? 'friend_card' : 'segment');
      },
      docOf: (id) => {
        const handle = open().repo?.handles[id as DocumentId];
        return handle?.isReady() ? (handle.doc() as Doc<unknown>) : null;
      },
    });
    this.#onChange = onChange;
  }

  check(documentId: string, data: Uint8Array): Promise<void> | null {
    return this.#bounds.check(documentId, data);
  }

  leaveOut(documentId: string, error: unknown): void {
    console.error('A document was left out', documentId, error);
    this.#reasons.set(documentId, error instanceof Refusal ? error.reason : 'invalid');
    this.#onChange();
  }

  /** Something of a document arrived that may be applied, after the server mended it. */
  arrived(documentId: string): void {
    if (this.#reasons.delete(documentId)) this.#onChange();
  }

  readonly has = (documentId: string): boolean => this.#reasons.has(documentId);

  get isEmpty(): boolean {
    return this.#reasons.size === 0;
  }
}

import { askerIn, versionIn } from '#shared/friends/document.ts';
import type { UserDocuments } from '../documents/user-documents.ts';
import type { StoredCall } from './outbox-store.ts';

/** Over a connection that held so long, and whose server has nothing that is not here, the contacts document has come. */
const SETTLED_MS = 10_000;

type People = Pick<UserDocuments, 'getDocument' | 'getSyncState'>;

/** Whom a call is about, in whose contacts document entry it shows; undefined of others. */
function personIn({ name, input }: StoredCall, contacts: unknown): string | undefined {
  const { body = {}, params = {} } = input as Partial<Record<string, Record<string, string>>>;
  if (name === 'friends.request') return body['receiver_user_id'];
  if (name === 'friends.respond') return askerIn(contacts, body['request_id'] ?? '') ?? '';
  if (name === 'friends.remove') return params['friendUserId'];
  if (name === 'blocks.create') return body['blocked_user_id'];
  if (name === 'blocks.delete') return params['blockedUserId'];
  return undefined;
}

/**
 * Calls that the server has done, and which this device's contacts document does not say yet: the answer comes by HTTP, the contacts document by the
 * WebSocket, which may be away for longer, or not be open at all.
 */
export class AnsweredCalls {
  private readonly documents: People;
  private readonly onSettled: () => void;
  /** By idempotency key: what the contacts document said before. */
  private readonly before = new Map<string, number>();
  private settling = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onSettled told when what is looked at must have come, though nothing tells which */
  constructor(documents: People, onSettled: () => void) {
    this.documents = documents;
    this.onSettled = onSettled;
  }

  /** Whether a contacts document is to say what this call does. */
  isAwaited(call: StoredCall): boolean {
    return personIn(call, null) !== undefined;
  }

  /** To be told before each attempt: what changes from here on is its answer. */
  note(call: StoredCall): void {
    const version = this.versionFor(call);
    if (version === null) this.before.delete(call.idempotencyKey);
    else this.before.set(call.idempotencyKey, version);
  }

  /**
   * To be asked whenever the documents or the calls changed.
   * @param answered those that are shown until the contacts document says the same
   * @returns those of them of which it has spoken since
   */
  seen<C extends StoredCall>(answered: readonly C[]): C[] {
    this.review(answered);
    return answered.filter((call) => {
      const version = this.versionFor(call);
      const before = this.before.get(call.idempotencyKey);
      if (version === null || version === before) return false;
      if (before !== undefined) return true;
      // Answered before the contacts document was open: it is as it was when this device was last connected.
      this.before.set(call.idempotencyKey, version);
      return false;
    });
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private review(answered: readonly StoredCall[]): void {
    const { connection, isConfirmed } = this.documents.getSyncState();
    const keys = answered.map(({ idempotencyKey }) => idempotencyKey).join();
    if (connection !== 'connected' || !isConfirmed || keys !== this.settling) this.stop();
    this.settling = keys;
    if (connection !== 'connected' || !isConfirmed || keys === '') return;
    this.timer ??= setTimeout(this.onSettled, SETTLED_MS);
  }

  /** @returns null while the contacts document is not open */
  private versionFor(call: StoredCall): number | null {
    const { status, doc } = this.documents.getDocument('contacts');
    return status === 'ready' ? versionIn(doc, personIn(call, doc) ?? '') : null;
  }
}

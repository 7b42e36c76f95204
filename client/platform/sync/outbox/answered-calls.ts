import { askerIn, versionIn } from '#shared/friends/document.ts';
import type { UserDocuments } from '../documents/user-documents.ts';
import type { CallName } from './outbox-calls.ts';

export interface StoredCall {
  name: string;
  input: { failure?: string };
  /** The same for all attempts, so that the server acts once. */
  idempotencyKey: string;
  /** When the user made it, in ms. */
  at: number;
  /** Describes its subject to the user, such as a name that the call does not contain. */
  label: string;
  /** Until when it isn’t sent, in ms, so that the user can take it back. */
  heldUntil?: number;
  /** Whether the server has answered. The call is stored until a document shows its effect, and not sent again. */
  isAnswered?: boolean;
}

export interface OutboxRow extends StoredCall {
  /** Its place in the order. */
  key: number;
}

/** After so long over a connection with everything confirmed, the contacts document must be up to date. */
const SETTLED_MS = 10_000;

type People = Pick<UserDocuments, 'getDocument' | 'getSyncState'>;

/** Calls whose effect is in other documents than the contacts. */
const IN_MESSAGES = new Set<string>(['messages.edit', 'messages.unsend'] satisfies CallName[]);

/** Returns the user whose entry in the contacts document shows the effect of a call; undefined for other calls. */
function personIn({ name, input }: StoredCall, contacts: unknown): string | undefined {
  const { body = {}, params = {} } = input as Partial<Record<string, Record<string, string>>>;
  if (name === 'friends.request') return body['receiver_user_id'];
  if (name === 'friends.respond') return askerIn(contacts, body['request_id'] ?? '') ?? '';
  if (name === 'friends.withdraw') return params['receiverUserId'];
  if (name === 'friends.remove') return params['friendUserId'];
  if (name === 'blocks.create') return body['blocked_user_id'];
  if (name === 'blocks.delete') return params['blockedUserId'];
  return undefined;
}

/**
 * Tracks calls that the server has answered before their effect is in this device's documents: the answer comes by HTTP, documents by
 * WebSocket, which may be disconnected.
 */
export class AnsweredCalls {
  readonly #documents: People;
  readonly #onSettled: () => void;
  /** By idempotency key: the version of the entry before the call. */
  readonly #before = new Map<string, number>();
  #settling = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onSettled called when the effects of all answered calls must have arrived */
  constructor(documents: People, onSettled: () => void) {
    this.#documents = documents;
    this.#onSettled = onSettled;
  }

  /** Whether a document will show the effect of a call. */
  isAwaited(call: StoredCall): boolean {
    return IN_MESSAGES.has(call.name) || personIn(call, null) !== undefined;
  }

  /** Called before each attempt: later changes of the contacts document show its effect. */
  note(call: StoredCall): void {
    const version = this.#versionFor(call);
    if (version === null) this.#before.delete(call.idempotencyKey);
    else this.#before.set(call.idempotencyKey, version);
  }

  /**
   * Called after each change of the documents or the calls.
   * @param answered calls whose effect may not have arrived
   * @returns those whose effect has arrived
   */
  seen<C extends StoredCall>(answered: readonly C[]): C[] {
    this.#review(answered);
    return answered.filter((call) => {
      const version = this.#versionFor(call);
      const before = this.#before.get(call.idempotencyKey);
      if (version === null || version === before) return false;
      if (before !== undefined) return true;
      // Answered before the contacts document was open: take its stored version as the one before.
      this.#before.set(call.idempotencyKey, version);
      return false;
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #review(answered: readonly StoredCall[]): void {
    const { connection, isConfirmed } = this.#documents.getSyncState();
    const keys = answered.map(({ idempotencyKey }) => idempotencyKey).join();
    if (connection !== 'connected' || !isConfirmed || keys !== this.#settling) this.stop();
    this.#settling = keys;
    if (connection !== 'connected' || !isConfirmed || keys === '') return;
    this.#timer ??= setTimeout(this.#onSettled, SETTLED_MS);
  }

  /** @returns null while the contacts document is not open, and for calls about something else */
  #versionFor(call: StoredCall): number | null {
    if (IN_MESSAGES.has(call.name)) return null;
    const { status, doc } = this.#documents.getDocument('contacts');
    return status === 'ready' ? versionIn(doc, personIn(call, doc) ?? '') : null;
  }
}

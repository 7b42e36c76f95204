import { askerIn, versionIn } from '#shared/friends/document.ts';
import type { UserDocuments } from '../documents/user-documents.ts';
import type { LocalDatabase, Write } from '../storage/local-database.ts';

export interface StoredCall {
  name: string;
  input: { failure?: string };
  /** One for all attempts, so that the server does it once. */
  idempotencyKey: string;
  /** When it was made, in ms. */
  at: number;
  /** What it is about, for people, such as a name that the call does not carry. */
  label: string;
  /** Whether the server has done it: kept until the contacts document says so too, and not sent again. */
  isAnswered?: boolean;
}

export interface OutboxRow extends StoredCall {
  /** Its place in the order, given by the database; what could not be kept has the place of the one before it. */
  key: number;
  isKept: boolean;
}

/** The calls as one user's database has them. A browser that keeps nothing is heard on the console, and goes on. */
export class OutboxStore {
  private readonly database: Promise<LocalDatabase | null>;

  constructor(database: Promise<LocalDatabase | null>) {
    this.database = database;
  }

  /** @returns its key; null where the browser does not keep it */
  async add(call: StoredCall): Promise<number | null> {
    let key: IDBValidKey | null = null;
    const isKept = await this.write(async (store) => (key = await store.add(call)), 'keep');
    return isKept ? Number(key) : null;
  }

  /** @returns what all tabs have kept, first to last; null where that cannot be read */
  async readAll(): Promise<OutboxRow[] | null> {
    const database = await this.database;
    if (!database) return null;
    try {
      const [keys, kept] = await database.read('outbox', (store) =>
        Promise.all([
          store.getAllKeys() as Promise<number[]>,
          store.getAll() as Promise<StoredCall[]>,
        ]),
      );
      return kept.map((call, i) => ({ ...call, key: keys[i] ?? 0, isKept: true }));
    } catch (error) {
      console.warn('Failed to read pending calls', error);
      return null;
    }
  }

  async noteAnswered({ key, isKept, ...call }: OutboxRow): Promise<void> {
    if (isKept)
      await this.write((store) => store.put({ ...call, isAnswered: true }, key), 'forget');
  }

  async remove({ key, isKept }: OutboxRow): Promise<void> {
    if (isKept) await this.write((store) => store.delete(key), 'forget');
  }

  private async write(write: Write, what: 'keep' | 'forget'): Promise<boolean> {
    const database = await this.database;
    if (!database) return false;
    try {
      await database.commit('outbox', [write]);
      return true;
    } catch (error) {
      console.warn(`This device could not ${what} a call`, error);
      return false;
    }
  }
}

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

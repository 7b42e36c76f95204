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

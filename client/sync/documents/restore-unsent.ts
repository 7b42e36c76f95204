import { prefixOf } from '../../storage-keys.ts';
import {
  openDatabase,
  type DatabaseEvents,
  type LocalDatabase,
  type Store,
  type WritableStore,
} from '../storage/local-database.ts';
import { readUnsent, reduceUnsent, type UnsentChanges } from './unsent-changes.ts';

/** Changes of documents that wait until their document is on this device again. */
export class RestoredChanges {
  private readonly waiting: UnsentChanges[];

  constructor(waiting: UnsentChanges[]) {
    this.waiting = waiting;
  }

  /** Of which documents something waits. */
  get documentIds(): string[] {
    return [...new Set(this.waiting.flatMap(({ documents }) => Object.keys(documents)))];
  }

  /** What waits for a document, oldest first. */
  of(documentId: string): Uint8Array[] {
    return this.waiting.flatMap(({ documents }) => documents[documentId] ?? []);
  }

  /** Forgets what waits for a document: it is in it, and on this device's disk. */
  async done(documentId: string): Promise<void> {
    for (const unsent of this.waiting) {
      if (!unsent.documents[documentId]) continue;
      const { [documentId]: _, ...documents } = unsent.documents;
      unsent.documents = documents;
      await reduceUnsent(unsent);
    }
  }
}

/**
 * Opens the database of one user, with what an earlier session left unsent in it before anything reads it.
 * @param events as for `openDatabase`
 * @param onRestored receives what is left to be put into documents
 * @returns null where the browser keeps nothing
 */
export async function openWithUnsent(
  userId: string,
  events: Partial<DatabaseEvents>,
  onRestored: (restored: RestoredChanges) => void,
): Promise<LocalDatabase | null> {
  try {
    const database = await openDatabase(userId, events);
    await restoreUnsent(database, userId).then(onRestored, (error: unknown) =>
      // It waits for the next start.
      console.error('Failed to restore unsent changes', error),
    );
    return database;
  } catch (error) {
    console.warn('This browser stores nothing on this device', error);
    return null;
  }
}

/**
 * Puts back what an earlier session of the same user left unsent: calls, pictures and recordings into the user's
 * database, before anything reads it. May be repeated: a call is known by its idempotency key.
 */
async function restoreUnsent(database: LocalDatabase, userId: string): Promise<RestoredChanges> {
  const left: UnsentChanges[] = [];
  for (const unsent of await readUnsent(userId)) {
    await putBackRows(database, unsent.rows);
    putBackValues(userId, unsent);
    const rest = { ...unsent, rows: [], values: {} };
    await reduceUnsent(rest);
    if (Object.keys(rest.documents).length > 0) left.push(rest);
  }
  return new RestoredChanges(left);
}

async function putBackRows(database: LocalDatabase, rows: UnsentChanges['rows']): Promise<void> {
  const calls = await database.read('outbox', (store): Promise<{ idempotencyKey: string }[]> =>
    store.getAll(),
  );
  const known = new Set(calls.map(({ idempotencyKey }) => idempotencyKey));
  const writesOf = (name: Store) =>
    rows
      .filter(({ store }) => store === name)
      .filter(({ value }) => !known.has((value as { idempotencyKey: string }).idempotencyKey))
      .map(
        ({ key, value }) =>
          (store: WritableStore) =>
            name === 'outbox' ? store.add(value) : store.put(value, key),
      );
  for (const name of ['outbox', 'pictures', 'sounds'] as const)
    await database.commit(name, writesOf(name));
}

function putBackValues(userId: string, { values }: UnsentChanges): void {
  try {
    for (const [name, value] of Object.entries(values)) {
      const key = prefixOf(userId) + name;
      if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
    }
  } catch (error) {
    console.warn('Failed to restore unsent calls', error);
  }
}

import { z } from 'zod';
import { readCache, writeCache } from '../../../platform/local-cache.ts';
import { oncePer } from '../../../platform/once-per.ts';
import { CONVERSATIONS } from '../../../platform/storage-keys.ts';
import type { DocumentsLifetime } from '../../../platform/sync/documents/documents-part.ts';
import type { ShownConversation } from '../types.ts';

const summaries = z.array(
  z.object({
    friend_user_id: z.string(),
    name: z.string(),
    preview: z.string(),
    isOwn: z.boolean(),
    last_activity: z.string(),
    last_id: z.string().optional(),
    unread_count: z.number(),
  }),
);

/** While messages pour in, the list is stored at most this often. */
const SAVE_EVERY_MS = 500;

/** The list of conversations, stored on this device so that it is there before any document is open. */
export class Summaries {
  readonly #userId: string;
  #rows: Map<string, ShownConversation> | null = null;
  #shown: readonly ShownConversation[] = [];
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(userId: string) {
    this.#userId = userId;
  }

  /** Returns all, the last active first: the same array until it changes. */
  get(): readonly ShownConversation[] {
    this.#read();
    return this.#shown;
  }

  of(friendUserId: string): ShownConversation | undefined {
    return this.#read().get(friendUserId);
  }

  set(row: ShownConversation): void {
    const before = this.of(row.friend_user_id);
    if (before && JSON.stringify(before) === JSON.stringify(row)) return;
    this.#read().set(row.friend_user_id, row);
    this.#changed();
  }

  /** Removes a conversation whose last message was removed. */
  remove(friendUserId: string): void {
    this.keepOnly(new Set([...this.#read().keys()].filter((id) => id !== friendUserId)));
  }

  /** Updates the names of friends. */
  rename(names: ReadonlyMap<string, string>): void {
    for (const [id, row] of this.#read()) this.set({ ...row, name: names.get(id) ?? row.name });
  }

  /** Removes all others. */
  keepOnly(friendUserIds: ReadonlySet<string>): void {
    const rows = this.#read();
    const removed = [...rows.keys()].filter((id) => !friendUserIds.has(id));
    if (removed.length === 0) return;
    for (const id of removed) rows.delete(id);
    this.#changed();
    this.#save();
  }

  /** Stores nothing from here on: after a logout, nothing may be written again. */
  close(): void {
    this.#stopWaiting();
    this.#isClosed = true;
  }

  #read(): Map<string, ShownConversation> {
    if (!this.#rows) {
      const stored = readCache(summaries, this.#userId, CONVERSATIONS) ?? [];
      this.#rows = new Map(stored.map((row) => [row.friend_user_id, row]));
      this.#arrange();
    }
    return this.#rows;
  }

  #changed(): void {
    this.#arrange();
    if (this.#isClosed || this.#timer) return;
    this.#timer = setTimeout(this.#save, SAVE_EVERY_MS);
    // The page may be discarded after the user has left the app.
    document.addEventListener('visibilitychange', this.#save);
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    document.removeEventListener('visibilitychange', this.#save);
  }

  #arrange(): void {
    this.#shown = [...(this.#rows?.values() ?? [])].toSorted((a, b) =>
      a.last_activity < b.last_activity ? 1 : a.last_activity > b.last_activity ? -1 : 0,
    );
  }

  readonly #save = (): void => {
    if (this.#isClosed) return;
    this.#stopWaiting();
    writeCache(this.#userId, CONVERSATIONS, this.#shown);
  };
}

/** Returns the list of conversations of a user as it was last, also before any document is open. */
export const summariesOf = oncePer((owner: DocumentsLifetime) => {
  const list = new Summaries(owner.userId);
  owner.onClose(() => list.close());
  return list;
});

import { z } from 'zod';
import { CONVERSATIONS } from '../../storage-keys.ts';
import { readCache, writeCache } from '../../local-cache.ts';
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

/** While messages pour in, the list is kept this often. */
const KEEP_EVERY_MS = 500;

/** The list of conversations, kept on this device so that it is there before any document is open. */
export class Summaries {
  private readonly userId: string;
  private rows: Map<string, ShownConversation> | null = null;
  private shown: readonly ShownConversation[] = [];
  private isClosed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(userId: string) {
    this.userId = userId;
  }

  /** The last active one first; the same array until it changes. */
  get(): readonly ShownConversation[] {
    this.read();
    return this.shown;
  }

  of(friendUserId: string): ShownConversation | undefined {
    return this.read().get(friendUserId);
  }

  set(row: ShownConversation): void {
    const before = this.of(row.friend_user_id);
    if (before && JSON.stringify(before) === JSON.stringify(row)) return;
    this.read().set(row.friend_user_id, row);
    this.changed();
  }

  /** Forgets one, at once: its last message was taken away. */
  remove(friendUserId: string): void {
    this.keepOnly(new Set([...this.read().keys()].filter((id) => id !== friendUserId)));
  }

  /** Takes over what friends call themselves now. */
  rename(names: ReadonlyMap<string, string>): void {
    for (const [id, row] of this.read()) this.set({ ...row, name: names.get(id) ?? row.name });
  }

  /** Forgets all but these. */
  keepOnly(friendUserIds: ReadonlySet<string>): void {
    const rows = this.read();
    const gone = [...rows.keys()].filter((id) => !friendUserIds.has(id));
    if (gone.length === 0) return;
    for (const id of gone) rows.delete(id);
    this.changed();
    this.keep();
  }

  /** Keeps nothing any more: after a logout nothing may come back. */
  close(): void {
    this.stopWaiting();
    this.isClosed = true;
  }

  private read(): Map<string, ShownConversation> {
    if (!this.rows) {
      const kept = readCache(summaries, this.userId, CONVERSATIONS) ?? [];
      this.rows = new Map(kept.map((row) => [row.friend_user_id, row]));
      this.arrange();
    }
    return this.rows;
  }

  private changed(): void {
    this.arrange();
    if (this.isClosed || this.timer) return;
    this.timer = setTimeout(this.keep, KEEP_EVERY_MS);
    // Whoever leaves the app may not come back to this page.
    document.addEventListener('visibilitychange', this.keep);
  }

  private stopWaiting(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    document.removeEventListener('visibilitychange', this.keep);
  }

  private arrange(): void {
    this.shown = [...(this.rows?.values() ?? [])].toSorted((a, b) =>
      a.last_activity < b.last_activity ? 1 : a.last_activity > b.last_activity ? -1 : 0,
    );
  }

  private readonly keep = (): void => {
    if (this.isClosed) return;
    this.stopWaiting();
    writeCache(this.userId, CONVERSATIONS, this.shown);
  };
}

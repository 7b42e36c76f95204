import { oncePer } from '../../platform/once-per.ts';
import { Store } from '../../platform/store.ts';
import type { UserDocuments } from '../../platform/sync/documents/user-documents.ts';
import { StoredRows } from '../../platform/sync/storage/stored-rows.ts';
import { takeStoredWalks } from './stored-walks.ts';
import { ended, isWorthStoring, withoutOldNames, type Walk } from './walk.ts';

/** An active walk is written to the disk at most this often, so that a crash loses little. */
const SAVE_MS = 5_000;

type TabMessage = { walk: Walk } | { removed: string[] };

/**
 * The walks of a user on this device, which are not sent anywhere (decision 310). The leading tab records; all tabs show the same.
 */
export class WalkHistory extends Store {
  /** Settles when stored walks have been read. */
  readonly loaded: Promise<void>;
  #walks: readonly Walk[] = [];
  #isLoaded = false;
  readonly #documents: UserDocuments;
  readonly #kept: StoredRows<string>;
  #channel: BroadcastChannel | null = null;
  #savedAt = 0;

  constructor(documents: UserDocuments) {
    super();
    this.#documents = documents;
    this.#kept = new StoredRows(
      documents,
      'walks',
      (id) => this.#walks.find((walk) => walk.id === id),
      () => this.#walks.map(({ id }) => id),
    );
    this.loaded = this.#load();
  }

  /** Follows what other tabs change. @returns how to stop */
  readonly followTabs = (): (() => void) => {
    const channel = new BroadcastChannel(`leashwise-walks-${this.#documents.userId}`);
    this.#channel = channel;
    channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) =>
      'walk' in data ? this.#put(data.walk) : this.#drop(data.removed),
    );
    return () => {
      this.#channel = null;
      channel.close();
    };
  };

  /** Newest first; null until they have been read. */
  readonly getAll = (): readonly Walk[] | null => (this.#isLoaded ? this.#walks : null);

  /** The active walk. */
  readonly getCurrent = (): Walk | null =>
    this.#walks.find(({ endedAt }) => endedAt === null) ?? null;

  /** Changes a walk, or adds it. @param isUrgent whether it is written now, rather than with the next change */
  async save(walk: Walk, isUrgent = true): Promise<void> {
    this.#put(walk);
    if (!isUrgent && Math.abs(Date.now() - this.#savedAt) < SAVE_MS) return;
    this.#savedAt = Date.now();
    this.#channel?.postMessage({ walk } satisfies TabMessage);
    await this.#keep([walk.id]);
  }

  /** Writes the active walk, such as when the page may be closed. */
  async flush(): Promise<void> {
    const current = this.getCurrent();
    if (current) await this.save(current);
  }

  /** Ends the active walk. @returns the walk, or null if there is none or it is too short to store */
  async end(isByOwner: boolean, now = Date.now()): Promise<Walk | null> {
    if (!this.#isLoaded) await this.loaded;
    const current = this.getCurrent();
    if (!current) return null;
    const walk = ended(current, now);
    if (isWorthStoring(walk, isByOwner)) {
      await this.save(walk);
      return walk;
    }
    await this.remove([walk.id]);
    return null;
  }

  async setCompanion(walkId: string, person: Walk['met'][number]): Promise<void> {
    const walk = this.#walks.find(({ id }) => id === walkId);
    if (!walk) return;
    const isThere = walk.met.some(({ user_id }) => user_id === person.user_id);
    const met = isThere
      ? walk.met.map((each) => (each.user_id === person.user_id ? person : each))
      : [...walk.met, person];
    await this.save({ ...walk, met, metCount: Math.max(walk.metCount, met.length) });
  }

  /** Changes what the owner adds to a walk. Undefined removes it. @returns whether it is stored */
  async describe(walkId: string, details: Pick<Walk, 'note' | 'photo'>): Promise<boolean> {
    const walk = this.#walks.find(({ id }) => id === walkId);
    if (walk) await this.save({ ...walk, ...details });
    return this.#kept.flush();
  }

  /** Adds walks of a file that aren't here. @returns how many */
  async add(walks: readonly Walk[]): Promise<number> {
    if (!this.#isLoaded) await this.loaded;
    const known = new Set(this.#walks.map(({ id }) => id));
    const added = walks.filter(({ id }) => !known.has(id));
    for (const walk of added) {
      this.#put(walk);
      this.#channel?.postMessage({ walk } satisfies TabMessage);
    }
    await this.#keep(added.map(({ id }) => id));
    return added.length;
  }

  /** Removes walks from this device. */
  async remove(ids: string[]): Promise<void> {
    this.#drop(ids);
    this.#channel?.postMessage({ removed: ids } satisfies TabMessage);
    await this.#keep(ids);
  }

  async #load(): Promise<void> {
    await this.#kept.read<Walk>((stored) => this.#take([...stored.values()]));
    const kept = await takeStoredWalks(this.#documents.userId).catch((error: unknown) => {
      console.warn('Failed to read kept walks', error);
      return null;
    });
    if (!kept) return;
    await this.add(kept.walks);
    // While the browser refuses to store them, they are only there.
    if (await this.#kept.flush()) await kept.forget();
  }

  #take(stored: readonly Walk[]): void {
    const now = Date.now();
    for (const each of stored) {
      // It changed before it could be read.
      if (this.#walks.some(({ id }) => id === each.id)) continue;
      const walk = withoutOldNames(each, now);
      this.#put(walk);
      if (walk !== each) this.#kept.changed(walk.id);
    }
    this.#isLoaded = true;
    this.notify();
  }

  async #keep(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#kept.changed(id);
    await this.#kept.flush();
  }

  #put(walk: Walk): void {
    const others = this.#walks.filter(({ id }) => id !== walk.id);
    this.#walks = [walk, ...others].toSorted((a, b) => b.startedAt - a.startedAt);
    this.notify();
  }

  #drop(ids: readonly string[]): void {
    this.#walks = this.#walks.filter(({ id }) => !ids.includes(id));
    this.notify();
  }
}

/** Returns the walks of a user on this device. */
export const walksOf = oncePer((documents: UserDocuments) => new WalkHistory(documents));

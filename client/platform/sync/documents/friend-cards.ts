import {
  isValidAutomergeUrl,
  type AutomergeUrl,
  type DocHandle,
  type Repo,
} from '@automerge/automerge-repo/slim';
import { z } from 'zod';
import { readContacts } from '#shared/friends/document.ts';
import { readCard, type Card } from '#shared/profile/document.ts';
import { readCache, writeCache } from '../../local-cache.ts';
import { nextTask } from '../../scheduling/next-task.ts';
import { whenHere } from '../state/document-state.ts';
import type { DocumentRemovals } from '../storage/document-removals.ts';

/** Database store of the cards on this device. */
const urls = z.array(z.string());

interface Followed {
  handle: DocHandle<unknown>;
  doc: unknown;
  card: Card | null;
}

/** The friends' cards on this device: available offline, and removed when the friendship ends. */
export class FriendCards {
  readonly #userId: string;
  readonly #repo: Repo;
  readonly #removals: DocumentRemovals;
  readonly #onChange: () => void;
  readonly #followed = new Map<AutomergeUrl, Followed>();
  #waiting: AutomergeUrl[] = [];
  #isTaking = false;

  constructor(userId: string, repo: Repo, removals: DocumentRemovals, onChange: () => void) {
    this.#userId = userId;
    this.#repo = repo;
    this.#removals = removals;
    this.#onChange = onChange;
  }

  /**
   * Keeps the cards of exactly the friends in a contacts document, and removes all others, even of friendships that ended while
   * the device was off.
   */
  follow(contacts: unknown): void {
    const wanted = readContacts(contacts)
      .friends.map(({ card }) => card)
      .filter((card) => isValidAutomergeUrl(card));
    for (const url of new Set([
      ...this.#followed.keys(),
      ...(readCache(urls, this.#userId, 'friend-cards') ?? []),
    ]))
      if (!wanted.includes(url as AutomergeUrl)) this.#letGo(url as AutomergeUrl);
    writeCache(this.#userId, 'friend-cards', wanted);
    this.#waiting = wanted.filter((url) => !this.#followed.has(url));
    for (const url of this.#waiting) this.#removals.cancel(url);
    void this.#takeWaiting();
  }

  /** Stops loading cards. */
  close(): void {
    this.#waiting = [];
  }

  has(url: string): boolean {
    return this.#followed.has(url as AutomergeUrl);
  }

  /** Returns a friend's card by its URL; null while it isn't on this device. The same object until it changes. */
  get(url: string): Card | null {
    const known = this.#followed.get(url as AutomergeUrl);
    if (!known?.handle.isReady()) return known?.card ?? null;
    const doc = known.handle.doc();
    if (doc !== known.doc) Object.assign(known, { doc, card: readCard(doc) });
    return known.card;
  }

  /** Opens each handle in its own task, because each takes a slow phone 3 ms. */
  async #takeWaiting(): Promise<void> {
    if (this.#isTaking) return;
    this.#isTaking = true;
    for (let url = this.#waiting.shift(); url; url = this.#waiting.shift()) {
      this.#take(url);
      await nextTask();
    }
    this.#isTaking = false;
  }

  #take(url: AutomergeUrl): void {
    const { handle } = this.#repo.findWithProgress<unknown>(url);
    this.#followed.set(url, { handle, doc: null, card: null });
    handle.on('heads-changed', this.#onChange);
    void whenHere(handle).then(this.#onChange);
  }

  #letGo(url: AutomergeUrl): void {
    this.#followed.get(url)?.handle.off('heads-changed', this.#onChange);
    this.#followed.delete(url);
    this.#removals.remove(url);
  }
}

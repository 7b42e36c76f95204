import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { backoffMs } from '#shared/backoff.ts';
import {
  withDays,
  type FriendCardSubject,
  type PublishedCard,
} from '#shared/friends/friend-card.ts';
import { readCard } from '#shared/profile/document.ts';
import { shownCard } from '#shared/profile/shown-names.ts';
import { atMost } from '#shared/server/at-most.ts';
import { batchCalls } from '#shared/server/batches.ts';
import type { CardRow } from '#shared/server/collections.ts';
import { databaseTrouble } from '#shared/server/database-errors.ts';
import { Refusal } from '#shared/sync/refusals.ts';
import type { Database } from '../core/database.ts';
import type { Documents } from '../core/documents/documents.ts';
import { applyNamedChange, namedChange } from '../core/documents/named-changes.ts';
import { FRIEND_CARDS_AT_ONCE, PUBLISHED_AT_ONCE } from '../core/limits.ts';
import type { RefusedProjections } from '../core/storage/refused-projections.ts';

const RETRY_MS = { first: 1_000, longest: 2_000 };
/** Attempts while the database works. A friend card that cannot be written then is updated later, by itself. */
const ATTEMPTS = 3;

interface FriendCardsOptions {
  database: Pick<Database, 'cards' | 'documents'>;
  documents: Documents;
  /** Called with the owner of a card and the milliseconds that updating a friend card took. */
  charge: (userId: string, ms: number) => void;
  refused: Pick<RefusedProjections, 'add'>;
  logger: Logger;
}

/** Updates the friend cards of a user from the projection of the user's card. */
export class FriendCards {
  readonly #documents: Documents;
  readonly #charge: (userId: string, ms: number) => void;
  readonly #refused: Pick<RefusedProjections, 'add'>;
  readonly #log: Logger;
  /** The last task by user. Tasks of a user run one after the other, or an older state could overwrite a newer one. */
  readonly #tasks = new Map<string, Promise<void>>();
  /** Users whose cards will be published but were not read yet. */
  readonly #due = new Set<string>();
  readonly #limited = atMost(PUBLISHED_AT_ONCE);
  /** Cards that are projected together are read together, too. */
  readonly #readCards: (userId: string) => Promise<Map<string, CardRow>>;
  readonly #readFriendCards: (userId: string) => Promise<Map<string, { _id: string }[]>>;
  #isStopped = false;

  constructor({ database, documents, charge, refused, logger }: FriendCardsOptions) {
    this.#documents = documents;
    this.#charge = charge;
    this.#refused = refused;
    this.#log = logger;
    const together = { holdsUpMs: 0, isWholeTurn: true };
    this.#readCards = batchCalls(async (ids: string[]) => {
      const rows = await database.cards.find({ _id: { $in: ids } }).toArray();
      return new Map(rows.map((row) => [row._id, row]));
    }, together);
    this.#readFriendCards = batchCalls(async (ids: string[]) => {
      const rows = await database.documents
        .find(
          { subject_user_id: { $in: ids }, is_frozen: { $ne: true } },
          { projection: { _id: 1, subject_user_id: 1 } },
        )
        .toArray();
      const of = (userId: string) => rows.filter((row) => row.subject_user_id === userId);
      return new Map(ids.map((id) => [id, of(id)]));
    }, together);
  }

  /** Returns the initial content of a friend card that shows this user. */
  async subject(userId: string): Promise<FriendCardSubject> {
    return { user_id: userId, card: (await this.#cardOf(userId)) ?? readCard(null) };
  }

  /** Updates all friend cards of a user soon, except frozen ones; several changes are published together. */
  publish(userId: string): void {
    if (this.#due.has(userId)) return;
    this.#due.add(userId);
    this.#enqueue(userId, () => this.#publishAll(userId)).catch((error: unknown) =>
      this.#log.error({ err: error, user: userId }, 'failed to publish a card'),
    );
  }

  /**
   * Updates one friend card.
   * @throws when it cannot be updated now
   */
  update(userId: string, documentId: string): Promise<void> {
    return this.#enqueue(userId, async () => {
      const card = await this.#cardOf(userId);
      if (card) await this.#write(userId, documentId, card);
    });
  }

  /** Resolves when everything that was requested so far is done; to false if it was stopped before. */
  async settled(): Promise<boolean> {
    await Promise.allSettled(this.#tasks.values());
    return !this.#isStopped;
  }

  /** Publishes nothing more. @returns whether everything that was requested is published */
  stop(): boolean {
    this.#isStopped = true;
    return this.#tasks.size === 0;
  }

  #enqueue(userId: string, work: () => Promise<void>): Promise<void> {
    const previous = this.#tasks.get(userId);
    const task = Promise.allSettled([previous]).then(() => this.#limited(work));
    this.#tasks.set(userId, task);
    const forget = () => {
      if (this.#tasks.get(userId) === task) this.#tasks.delete(userId);
    };
    task.then(forget, forget);
    return task;
  }

  async #publishAll(userId: string): Promise<void> {
    let failures = 0;
    for (let tries = 0; !this.#isStopped; await wait(backoffMs(RETRY_MS, tries++))) {
      try {
        this.#due.delete(userId);
        const card = await this.#cardOf(userId);
        if (!card) return;
        const shown = (await this.#readFriendCards(userId)).get(userId) ?? [];
        const ids = shown.map(({ _id }) => _id);
        const failed = await this.#writeAll(userId, ids, card);
        if (this.#isStopped) return;
        if (failed.size > 0 && ++failures < ATTEMPTS) continue;
        for (const [documentId, error] of failed) await this.#refused.add(documentId, error);
        // Another node may have projected a newer card, which this one may have replaced by an older one.
        if (!this.#documents.nodes.hasOthers) return;
        if (isDeepStrictEqual(await this.#cardOf(userId), card)) return;
      } catch (error) {
        if (!databaseTrouble(error) && ++failures >= ATTEMPTS) throw error;
        this.#log.warn({ err: error, user: userId }, 'failed to publish a card; trying again');
      }
    }
  }

  /** @returns the errors of those that cannot be written although the database works @throws when it does not */
  async #writeAll(
    userId: string,
    documentIds: string[],
    card: PublishedCard,
  ): Promise<Map<string, unknown>> {
    const failed = new Map<string, unknown>();
    const write = (id: string) =>
      this.#write(userId, id, card).catch((error: unknown) => {
        if (databaseTrouble(error)) throw error;
        failed.set(id, error);
      });
    for (let at = 0; at < documentIds.length; at += FRIEND_CARDS_AT_ONCE)
      await Promise.all(documentIds.slice(at, at + FRIEND_CARDS_AT_ONCE).map(write));
    return failed;
  }

  async #write(userId: string, documentId: string, card: PublishedCard): Promise<void> {
    const document = await this.#documents.open(documentId);
    const change = namedChange('friend_card', 'card.publish');
    // It was removed in the meantime.
    if (!document || !change) return;
    try {
      await this.#documents.exclusively(document, () =>
        applyNamedChange(document, change, card, (ms) => this.#charge(userId, ms)),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#log.error({ err: error, document: documentId }, 'a friend card is full');
    } finally {
      document.release();
    }
  }

  async #cardOf(userId: string): Promise<PublishedCard | null> {
    const row = (await this.#readCards(userId)).get(userId);
    if (!row) return null;
    const { display_name, join_date, image_key, about, dogs } = shownCard(row);
    return withDays({ display_name, join_date, image_key, about, dogs });
  }
}

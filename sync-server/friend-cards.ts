import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { MongoError } from 'mongodb';
import { atMost } from '#shared/at-most.ts';
import type { FriendCardSubject, PublishedCard } from '#shared/friends/friend-card.ts';
import { readCard } from '#shared/profile/document.ts';
import { shownCard } from '#shared/profile/shown-names.ts';
import { ChunkError } from './chunk-guard.ts';
import type { Database } from './database.ts';
import type { Documents } from './documents.ts';
import { FRIEND_CARDS_AT_ONCE, PUBLISHED_AT_ONCE } from './limits.ts';
import { applyNamedChange, namedChange } from './named-changes.ts';

const RETRY_MS = 1000;
/** What fails for another reason than the database is given up after so many attempts, until the next change. */
const ATTEMPTS = 3;

/** Keeps friend cards in line with the cards that they show: with their projection, so that a card is read by one rule. */
export class FriendCards {
  readonly #database: Pick<Database, 'cards' | 'documents'>;
  readonly #documents: Documents;
  readonly #pay: (userId: string, ms: number) => void;
  readonly #log: Logger;
  /** The last of what is to be done about somebody's card, by user: one thing after the other, or an older state could win. */
  readonly #turns = new Map<string, Promise<void>>();
  /** Whose cards are to be published and are not yet being read. */
  readonly #due = new Set<string>();
  readonly #limited = atMost(PUBLISHED_AT_ONCE);
  #isStopped = false;

  /** @param pay told whose change of their card took how many milliseconds */
  constructor(
    database: Pick<Database, 'cards' | 'documents'>,
    documents: Documents,
    pay: (userId: string, ms: number) => void,
    log: Logger,
  ) {
    this.#database = database;
    this.#documents = documents;
    this.#pay = pay;
    this.#log = log;
  }

  /** What a friend card of somebody begins with. */
  async subject(userId: string): Promise<FriendCardSubject> {
    return { user_id: userId, card: (await this.#cardOf(userId)) ?? readCard(null) };
  }

  /** Has all friends see somebody's card as it is, soon; what changes until then goes together. */
  publish(userId: string): void {
    if (this.#due.has(userId)) return;
    this.#due.add(userId);
    this.#inTurn(userId, () => this.#publishAll(userId)).catch((error: unknown) =>
      this.#log.error({ err: error, user: userId }, 'a card could not be published'),
    );
  }

  /**
   * Brings one friend card in line. It is among those that `publish` finds by now.
   * @throws when that cannot be done now
   */
  bring(userId: string, documentId: string): Promise<void> {
    return this.#inTurn(userId, async () => {
      const card = await this.#cardOf(userId);
      if (card) await this.#write(userId, documentId, card);
    });
  }

  /** Resolves when everything asked for so far is done; to false when it was stopped before. */
  async settled(): Promise<boolean> {
    await Promise.allSettled(this.#turns.values());
    return !this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
  }

  #inTurn(userId: string, work: () => Promise<void>): Promise<void> {
    const before = this.#turns.get(userId);
    const turn = Promise.allSettled([before]).then(() => this.#limited(work));
    this.#turns.set(userId, turn);
    const forget = () => {
      if (this.#turns.get(userId) === turn) this.#turns.delete(userId);
    };
    turn.then(forget, forget);
    return turn;
  }

  async #publishAll(userId: string): Promise<void> {
    for (let failures = 0; !this.#isStopped; await wait(RETRY_MS)) {
      try {
        this.#due.delete(userId);
        const card = await this.#cardOf(userId);
        if (!card) return;
        const rows = await this.#database.documents
          .find({ subject_user_id: userId }, { projection: { _id: 1 } })
          .toArray();
        for (let at = 0; at < rows.length; at += FRIEND_CARDS_AT_ONCE)
          await Promise.all(
            rows
              .slice(at, at + FRIEND_CARDS_AT_ONCE)
              .map(({ _id }) => this.#write(userId, _id, card)),
          );
        return;
      } catch (error) {
        if (!(error instanceof MongoError) && ++failures >= ATTEMPTS) throw error;
        this.#log.warn({ err: error, user: userId }, 'a card is published again');
      }
    }
  }

  async #write(userId: string, documentId: string, card: PublishedCard): Promise<void> {
    const document = await this.#documents.open(documentId);
    const change = namedChange('friend_card', 'card.publish');
    // Removed meanwhile.
    if (!document || !change) return;
    try {
      await applyNamedChange(document, change, card, (ms) => this.#pay(userId, ms));
    } catch (error) {
      if (!(error instanceof ChunkError)) throw error;
      this.#log.error({ err: error, document: documentId }, 'a friend card is full');
    } finally {
      document.release();
    }
  }

  async #cardOf(userId: string): Promise<PublishedCard | null> {
    const row = await this.#database.cards.findOne({ _id: userId });
    if (!row) return null;
    const { display_name, join_date, dogs } = shownCard(row);
    return { display_name, join_date, dogs };
  }
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { nameWords } from '#shared/invitations/rules.ts';
import { readCard } from '#shared/profile/document.ts';
import type { CardRow } from '#shared/rows.ts';
import type { Database } from './database.ts';

const RETRY_MS = 1000;

/** Keeps `cards` as the card documents say, and tells every server of it. */
export class Projections {
  readonly #database: Pick<Database, 'cards' | 'signals'>;
  readonly #log: Logger;
  #pending = new Map<string, CardRow>();
  #waiters: (() => void)[] = [];
  #busy = false;
  #stopped = false;

  constructor(database: Pick<Database, 'cards' | 'signals'>, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  /** Has a card's value written; several at a time go together. */
  card(documentId: string, userId: string, value: unknown): void {
    const card = readCard(value);
    this.#pending.set(userId, {
      _id: userId,
      document_id: documentId,
      ...card,
      name_words: nameWords(card.display_name),
      updated_at: new Date(),
    });
    if (!this.#busy) {
      this.#busy = true;
      void this.#write();
    }
  }

  /** Resolves when everything asked for so far is written. */
  settled(): Promise<void> {
    if (!this.#busy) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Takes away the projection of a document that is gone. */
  async forget(documentId: string): Promise<void> {
    await this.settled();
    const card = await this.#database.cards.findOneAndDelete(
      { document_id: documentId },
      { projection: { _id: 1 } },
    );
    if (card)
      await this.#database.signals.insertOne({ topic: 'card', user_id: card._id, at: new Date() });
  }

  stop(): void {
    this.#stopped = true;
  }

  async #write(): Promise<void> {
    while (this.#pending.size > 0 && !this.#stopped) {
      const rows = [...this.#pending.values()];
      const waiters = this.#waiters.splice(0);
      this.#pending = new Map();
      try {
        await this.#database.cards.bulkWrite(
          rows.map(({ _id, ...card }) => ({
            replaceOne: { filter: { _id }, replacement: card, upsert: true },
          })),
          { ordered: false },
        );
        const at = new Date();
        await this.#database.signals.insertMany(
          rows.map((row) => ({ topic: 'card', user_id: row._id, at })),
        );
        for (const waiter of waiters) waiter();
      } catch (error) {
        this.#log.warn({ err: error }, 'cards could not be written; trying again');
        for (const row of rows) if (!this.#pending.has(row._id)) this.#pending.set(row._id, row);
        this.#waiters.unshift(...waiters);
        await wait(RETRY_MS);
      }
    }
    this.#busy = false;
    for (const waiter of this.#waiters.splice(0)) waiter();
  }
}

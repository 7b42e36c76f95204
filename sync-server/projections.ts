import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { nameWords } from '#shared/invitations/rules.ts';
import { readCard } from '#shared/profile/document.ts';
import type { CardRow, SignalRow } from '#shared/collections.ts';
import type { Database } from './database.ts';
import { joined, writeNews, type PartNews } from './part-news.ts';

const RETRY_MS = 1000;

type Tables = Pick<Database, 'cards' | 'messages' | 'signals'>;

/** Keeps `cards` and `messages` as the documents say, and tells every server of it, and friends of cards. */
export class Projections {
  readonly #database: Tables;
  readonly #log: Logger;
  readonly #onCard: (userId: string) => void;
  #cards = new Map<string, Omit<CardRow, 'is_location_sharing_enabled'>>();
  #sharing = new Map<string, boolean>();
  #parts = new Map<string, PartNews>();
  #waiters: (() => void)[] = [];
  #busy = false;
  #stopped = false;

  /** @param onCard told whose card was written */
  constructor(database: Tables, log: Logger, onCard: (userId: string) => void) {
    this.#database = database;
    this.#log = log;
    this.#onCard = onCard;
  }

  /** Has a card's value written; several at a time go together. */
  card(documentId: string, userId: string, value: unknown): void {
    const card = readCard(value);
    this.#cards.set(userId, {
      _id: userId,
      document_id: documentId,
      ...card,
      name_words: nameWords(card.display_name),
      updated_at: new Date(),
      is_checked: false,
    });
    this.#start();
  }

  /** Has somebody's location sharing switch written, as their account has it. */
  sharing(userId: string, isEnabled: boolean): void {
    this.#sharing.set(userId, isEnabled);
    this.#start();
  }

  /** Has the news of a part written; those of several go together. */
  part(news: PartNews): void {
    this.#parts.set(news.documentId, joined(this.#parts.get(news.documentId), news));
    this.#start();
  }

  /** Resolves when everything asked for so far is written. */
  settled(): Promise<void> {
    if (!this.#busy) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Takes away the projection of a document that is gone. @param kind where it is known */
  async forget(documentId: string, kind?: DocumentKind): Promise<void> {
    await this.settled();
    if (kind === 'friend_card') return;
    await this.#database.messages.deleteMany({ document_id: documentId });
    if (kind && kind !== 'card') return;
    const card = await this.#database.cards.findOneAndDelete(
      { document_id: documentId },
      { projection: { _id: 1 } },
    );
    if (card) await this.#tell([{ topic: 'card', user_id: card._id }]);
  }

  stop(): void {
    this.#stopped = true;
  }

  #start(): void {
    if (this.#busy) return;
    this.#busy = true;
    void this.#write();
  }

  async #write(): Promise<void> {
    while (this.#cards.size + this.#sharing.size + this.#parts.size > 0 && !this.#stopped) {
      const cards = [...this.#cards.values()];
      const sharing = [...this.#sharing];
      const parts = [...this.#parts.values()];
      const waiters = this.#waiters.splice(0);
      this.#cards = new Map();
      this.#sharing = new Map();
      this.#parts = new Map();
      try {
        await this.#writeCards(cards, sharing);
        await writeNews(this.#database, parts);
        const threads = new Set(
          parts.filter((part) => part.messages.length > 0).map(({ place }) => place.thread_id),
        );
        for (const { _id } of cards) this.#onCard(_id);
        const changed = new Set([...cards.map(({ _id }) => _id), ...sharing.map(([id]) => id)]);
        await this.#tell([
          ...[...changed].map((id) => ({ topic: 'card' as const, user_id: id })),
          ...[...threads].map((id) => ({ topic: 'message' as const, user_id: id })),
        ]);
        for (const waiter of waiters) waiter();
      } catch (error) {
        this.#log.warn({ err: error }, 'projections could not be written; trying again');
        for (const card of cards) if (!this.#cards.has(card._id)) this.#cards.set(card._id, card);
        for (const [id, is] of sharing) if (!this.#sharing.has(id)) this.#sharing.set(id, is);
        for (const part of parts) {
          const newer = this.#parts.get(part.documentId);
          this.#parts.set(part.documentId, newer ? joined(part, newer) : part);
        }
        this.#waiters.unshift(...waiters);
        await wait(RETRY_MS);
      }
    }
    this.#busy = false;
    for (const waiter of this.#waiters.splice(0)) waiter();
  }

  /** Cards first: what is said of the switch of somebody whose row is not there, or gone, is lost. */
  async #writeCards(
    rows: Omit<CardRow, 'is_location_sharing_enabled'>[],
    sharing: [userId: string, isEnabled: boolean][],
  ): Promise<void> {
    if (rows.length + sharing.length === 0) return;
    await this.#database.cards.bulkWrite([
      ...rows.map(({ _id, ...card }) => ({
        updateOne: {
          filter: { _id },
          update: { $set: card, $setOnInsert: { is_location_sharing_enabled: false } },
          upsert: true,
        },
      })),
      ...sharing.map(([_id, is_location_sharing_enabled]) => ({
        updateOne: { filter: { _id }, update: { $set: { is_location_sharing_enabled } } },
      })),
    ]);
  }

  async #tell(signals: Pick<SignalRow, 'topic' | 'user_id'>[]): Promise<void> {
    if (signals.length === 0) return;
    const at = new Date();
    await this.#database.signals.insertMany(signals.map((signal) => ({ ...signal, at })));
  }
}

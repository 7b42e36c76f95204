import { setTimeout as wait } from 'node:timers/promises';
import type { AnyBulkWriteOperation, Document } from 'mongodb';
import type { Logger } from 'pino';
import type { ProjectedAccount } from '#shared/account/projected-account.ts';
import { backoffMs } from '#shared/backoff.ts';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { nameWords } from '#shared/invitations/rules.ts';
import { readCard } from '#shared/profile/document.ts';
import { batchCalls } from '#shared/server/batches.ts';
import type { CardRow, SignalRow } from '#shared/server/collections.ts';
import type { Database } from '../core/database.ts';
import type { SegmentChanges } from '../core/documents/segment-changes.ts';
import { RefusedProjections, writeIsolated } from '../core/storage/refused-projections.ts';
import { markRead, merged, writeMessages } from './messages.ts';

const RETRY_MS = { first: 1_000, longest: 2_000 };
/** How long changes are gathered after a batch has started, so that batches grow with the load. */
const GATHER_MS = 200;
/** The shortest time between two reads of rows. */
const READ_PAUSE_MS = 5;
type Tables = Pick<Database, 'cards' | 'documents' | 'messages' | 'signals'>;

/** When messages that a friend has read are looked for again. */
const READ_AGAIN_MS = [3_000, 30_000];

type ProjectedCard = Omit<CardRow, 'is_location_sharing_enabled'> & { operations: number };
interface WaitingAccount {
  documentId: string;
  account: ProjectedAccount;
  operations: number;
}

/** A row of `cards`, or what one has of the account. */
interface CardWrite {
  documentId: string;
  userId: string;
  operation: AnyBulkWriteOperation<CardRow>;
}

/**
 * Writes `cards` and `messages` from the documents, and signals the changes to all servers. What MongoDB refuses stops nothing else: its
 * document is projected again later.
 */
export class Projections {
  readonly refused: RefusedProjections;
  readonly #database: Tables;
  readonly #log: Logger;
  readonly #onCard: (userId: string) => void;
  /** Whether other nodes may commit what this one projects. */
  hasOtherNodes = false;
  readonly #readAccounts: (userId: string) => Promise<Map<string, number>>;
  #cards = new Map<string, ProjectedCard>();
  #accounts = new Map<string, WaitingAccount>();
  #segments = new Map<string, SegmentChanges>();
  #waiters: (() => void)[] = [];
  #isWriting = false;
  #batchStartedAt = -Infinity;
  #endGathering = () => {};
  #isStopped = false;

  /**
   * @param onCard called with the user whose card was written
   * @param options.onRefused called whenever something cannot be projected
   */
  constructor(
    database: Tables,
    log: Logger,
    onCard: (userId: string) => void,
    { onRefused = () => {} } = {},
  ) {
    this.refused = new RefusedProjections(database, log, onRefused);
    this.#database = database;
    this.#log = log;
    this.#onCard = onCard;
    this.#readAccounts = batchCalls((ids: string[]) => accountOperations(database, ids), {
      pauseMs: READ_PAUSE_MS,
      holdsUpMs: 0,
    });
  }

  /**
   * Writes a card, in one batch with others.
   * @param operations the number of the document's operations
   */
  card(documentId: string, userId: string, value: unknown, operations: number): void {
    const waiting = this.#cards.get(userId);
    if (waiting?.document_id === documentId && waiting.operations > operations) return;
    const card = readCard(value);
    this.#cards.set(userId, {
      _id: userId,
      document_id: documentId,
      ...card,
      name_words: nameWords(card.display_name),
      updated_at: new Date(),
      is_checked: false,
      operations,
    });
    this.#start();
  }

  /** Writes what the row of the card has of an account. */
  account(documentId: string, userId: string, account: ProjectedAccount, operations: number): void {
    if ((this.#accounts.get(userId)?.operations ?? 0) > operations) return;
    this.#accounts.set(userId, { documentId, account, operations });
    this.#start();
  }

  /** Writes what the row of the card has of an account, if it was read from a smaller one: a node of an earlier version wrote less. */
  accountOpened(
    documentId: string,
    userId: string,
    account: ProjectedAccount,
    operations: number,
  ): void {
    const writeIfNewer = async () => {
      const before = (await this.#readAccounts(userId)).get(userId);
      if (before === undefined || before >= operations || this.#isStopped) return;
      this.account(documentId, userId, account, operations);
    };
    writeIfNewer().catch((err: unknown) =>
      this.#log.warn({ err, document: documentId }, 'failed to read a card'),
    );
  }

  /** Writes the changes of a thread segment. */
  segment(changes: SegmentChanges): void {
    this.#segments.set(changes.documentId, merged(this.#segments.get(changes.documentId), changes));
    this.#start();
    if (this.hasOtherNodes && Object.keys(changes.read).length > 0) this.#readAgain(changes);
  }

  /** Projection is skipped for values that may not be durable: another node does it. */
  #readAgain(changes: SegmentChanges): void {
    for (const ms of READ_AGAIN_MS)
      setTimeout(() => {
        if (this.#isStopped) return;
        const { documentId } = changes;
        const again = { ...changes, messages: [] };
        this.#segments.set(documentId, merged(this.#segments.get(documentId), again));
        this.#start();
      }, ms).unref();
  }

  /** Resolves when everything that was requested so far is written. */
  settled(): Promise<void> {
    if (!this.#isWriting) return Promise.resolve();
    this.#endGathering();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Deletes the projection of a removed document. @param kind if it is known */
  async forget(documentId: string, kind?: DocumentKind): Promise<void> {
    await this.settled();
    if (kind === 'friend_card') return;
    await this.#database.messages.deleteMany({ document_id: documentId });
    if (kind && kind !== 'card') return;
    const card = await this.#database.cards.findOneAndDelete(
      { document_id: documentId },
      { projection: { _id: 1 } },
    );
    if (card) await this.#signal([{ topic: 'card', user_id: card._id }]);
  }

  stop(): void {
    this.#isStopped = true;
    this.#endGathering();
  }

  #start(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    void this.#writeBatches();
  }

  /** Resolves when the last batch is a moment ago, or at once when a caller waits for the projections. */
  async #gather(): Promise<void> {
    const pause = this.#batchStartedAt + GATHER_MS - performance.now();
    if (pause > 0 && this.#waiters.length === 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause);
        this.#endGathering = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#endGathering = () => {};
    this.#batchStartedAt = performance.now();
  }

  async #writeBatches(): Promise<void> {
    let failures = 0;
    while (this.#cards.size + this.#accounts.size + this.#segments.size > 0) {
      await this.#gather();
      if (this.#isStopped) break;
      const cards = [...this.#cards.values()];
      const accounts = [...this.#accounts];
      const segments = [...this.#segments.values()];
      const waiters = this.#waiters.splice(0);
      this.#cards = new Map();
      this.#accounts = new Map();
      this.#segments = new Map();
      try {
        await this.#write(cards, accounts, segments);
        for (const resolve of waiters) resolve();
        failures = 0;
      } catch (error) {
        this.#log.warn({ err: error }, 'failed to write projections; trying again');
        for (const card of cards) if (!this.#cards.has(card._id)) this.#cards.set(card._id, card);
        for (const [id, account] of accounts)
          if (!this.#accounts.has(id)) this.#accounts.set(id, account);
        for (const changes of segments) {
          const newer = this.#segments.get(changes.documentId);
          this.#segments.set(changes.documentId, newer ? merged(changes, newer) : changes);
        }
        this.#waiters.unshift(...waiters);
        await wait(backoffMs(RETRY_MS, failures++));
      }
    }
    this.#isWriting = false;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  /** Writes a batch, except for what fails although the database works. @throws when the database does not work */
  async #write(
    cards: ProjectedCard[],
    accounts: [userId: string, waiting: WaitingAccount][],
    segments: SegmentChanges[],
  ): Promise<void> {
    const cardWrites = this.#cardWrites(cards, accounts);
    const messages = segments.flatMap((segment) =>
      segment.messages.map((message) => ({ segment, message })),
    );
    const reading = segments.filter(({ read }) => Object.keys(read).length > 0);
    const refusedCards = await writeIsolated(cardWrites, (some) =>
      this.#database.cards.bulkWrite(some.map(({ operation }) => operation)),
    );
    const refusedMessages = await writeIsolated(messages, (some) =>
      writeMessages(this.#database, some),
    );
    const refusedMarks = await writeIsolated(reading, (some) => markRead(this.#database, some));
    for (const [documentId, error] of new Map([
      ...refusedCards.map(({ item, error }) => [item.documentId, error] as const),
      ...refusedMessages.map(({ item, error }) => [item.segment.documentId, error] as const),
      ...refusedMarks.map(({ item, error }) => [item.documentId, error] as const),
    ]))
      await this.refused.add(documentId, error);
    const refusedRows = new Set(refusedCards.map(({ item }) => item));
    const written = cardWrites.filter((each) => !refusedRows.has(each));
    const changed = new Set(written.map(({ userId }) => userId));
    for (const { _id } of cards) if (changed.has(_id)) this.#onCard(_id);
    const hasMessages = messages.length > refusedMessages.length;
    await this.#signal([
      ...[...changed].map((id) => ({ topic: 'card' as const, user_id: id })),
      ...(hasMessages ? [{ topic: 'message' as const, user_id: '' }] : []),
    ]);
  }

  /** Cards come first: what an account has is dropped for a user without a row. */
  #cardWrites(
    rows: ProjectedCard[],
    accounts: [userId: string, waiting: WaitingAccount][],
  ): CardWrite[] {
    return [
      ...rows.map(({ _id, operations, ...card }) => ({
        documentId: card.document_id,
        userId: _id,
        operation: {
          updateOne: {
            filter: { _id },
            update: newerCard(card, operations),
            upsert: true,
          },
        },
      })),
      ...accounts.map(([userId, { documentId, account, operations }]) => {
        const { push, ...sharing } = account;
        // Earlier versions, which run beside this one during an update, write only the second.
        const $set = {
          ...ifNewer({ push }, 'push_operations', operations),
          ...ifNewer(sharing, 'sharing_operations', operations),
        };
        return {
          documentId,
          userId,
          operation: { updateOne: { filter: { _id: userId }, update: [{ $set }] } },
        };
      }),
    ];
  }

  async #signal(signals: Pick<SignalRow, 'topic' | 'user_id'>[]): Promise<void> {
    if (signals.length === 0) return;
    const at = new Date();
    await this.#database.signals.insertMany(signals.map((signal) => ({ ...signal, at })));
  }
}

/** Returns of how many operations the accounts were whose choices about pushes these users' rows have; -1 for none. */
async function accountOperations(
  { cards }: Pick<Tables, 'cards'>,
  userIds: string[],
): Promise<Map<string, number>> {
  const rows = await cards
    .find({ _id: { $in: userIds } }, { projection: { push: 1, push_operations: 1 } })
    .toArray();
  return new Map(
    rows.map(({ _id, push, push_operations = -1 }) => [
      _id,
      push === undefined ? -1 : push_operations,
    ]),
  );
}

/**
 * Returns fields of a pipeline that leave a row as it is if it was made from a larger document.
 * @param counter the field with the number of operations of the document that the row was made from
 * @param isOther a condition on which the row is replaced in any case
 */
function ifNewer(
  fields: Record<string, unknown>,
  counter: string,
  operations: number,
  isOther: Document | false = false,
): Record<string, Document> {
  const isNewer = { $or: [{ $lte: [{ $ifNull: [`$${counter}`, 0] }, operations] }, isOther] };
  return Object.fromEntries(
    Object.entries({ ...fields, [counter]: operations }).map(([name, value]) => [
      name,
      { $cond: [isNewer, { $literal: value }, `$${name}`] },
    ]),
  );
}

function newerCard(
  card: Omit<CardRow, '_id' | 'is_location_sharing_enabled'>,
  operations: number,
): Document[] {
  const isOther = { $ne: ['$document_id', { $literal: card.document_id }] };
  return [
    {
      $set: {
        ...ifNewer({ ...card }, 'operations', operations, isOther),
        is_location_sharing_enabled: { $ifNull: ['$is_location_sharing_enabled', false] },
      },
    },
  ];
}

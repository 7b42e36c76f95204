import { setTimeout as wait } from 'node:timers/promises';
import type { AnyBulkWriteOperation, Document } from 'mongodb';
import type { Logger } from 'pino';
import { backoffMs } from '#shared/backoff.ts';
import {
  messageId,
  readMessage,
  readVector,
  type SegmentMessage,
  type SegmentPlace,
} from '#shared/chat/document.ts';
import { covers, furthest, type Vector } from '#shared/chat/rules.ts';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { nameWords } from '#shared/invitations/rules.ts';
import { readCard } from '#shared/profile/document.ts';
import type { CardRow, MessageRow, SignalRow } from '#shared/server/collections.ts';
import type { Database } from '../database.ts';
import type { CoreDocument } from '../documents/automerge-core.ts';

const RETRY_MS = { first: 1_000, longest: 2_000 };
/** How long changes are gathered after a batch has started, so that batches grow with the load. */
const GATHER_MS = 40;
/** A query of more alternatives takes MongoDB long to plan. */
const ALTERNATIVES_MAX = 100;
/** Number of earlier texts that are stored of a changed message. The moderation rules checked each of them. */
const FORMER_TEXTS_MAX = 20;

type Tables = Pick<Database, 'cards' | 'messages' | 'signals'>;

/** Changes of a thread segment: messages, and how far its author has read the friend's segment of the same number. */
export interface SegmentChanges {
  documentId: string;
  authorUserId: string;
  place: SegmentPlace;
  messages: SegmentMessage[];
  read: Vector;
  /** The number of the document's operations. */
  operations: number;
}

/** When messages that a friend has read are looked for again. */
const READ_AGAIN_MS = [3_000, 30_000];

type ProjectedCard = Omit<CardRow, 'is_location_sharing_enabled'> & { operations: number };
interface ProjectedSharing {
  isEnabled: boolean;
  operations: number;
}

/** Writes `cards` and `messages` from the documents, and signals the changes to all servers. */
export class Projections {
  readonly #database: Tables;
  readonly #log: Logger;
  readonly #onCard: (userId: string) => void;
  readonly #isShared: boolean;
  #cards = new Map<string, ProjectedCard>();
  #sharing = new Map<string, ProjectedSharing>();
  #segments = new Map<string, SegmentChanges>();
  #waiters: (() => void)[] = [];
  #isWriting = false;
  #batchStartedAt = -Infinity;
  #endGathering = () => {};
  #isStopped = false;

  /**
   * @param onCard called with the user whose card was written
   * @param isShared whether other nodes may write the same rows: then an older state does not replace a newer one
   */
  constructor(database: Tables, log: Logger, onCard: (userId: string) => void, isShared = false) {
    this.#isShared = isShared;
    this.#database = database;
    this.#log = log;
    this.#onCard = onCard;
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

  /** Writes the location sharing setting of an account. */
  sharing(userId: string, isEnabled: boolean, operations: number): void {
    if ((this.#sharing.get(userId)?.operations ?? 0) > operations) return;
    this.#sharing.set(userId, { isEnabled, operations });
    this.#start();
  }

  /** Writes the changes of a thread segment. */
  segment(changes: SegmentChanges): void {
    this.#segments.set(changes.documentId, merged(this.#segments.get(changes.documentId), changes));
    this.#start();
    if (this.#isShared && Object.keys(changes.read).length > 0) this.#readAgain(changes);
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
    while (this.#cards.size + this.#sharing.size + this.#segments.size > 0) {
      await this.#gather();
      if (this.#isStopped) break;
      const cards = [...this.#cards.values()];
      const sharing = [...this.#sharing];
      const segments = [...this.#segments.values()];
      const waiters = this.#waiters.splice(0);
      this.#cards = new Map();
      this.#sharing = new Map();
      this.#segments = new Map();
      try {
        await this.#writeCards(cards, sharing);
        await projectMessages(this.#database, segments, this.#isShared);
        for (const { _id } of cards) this.#onCard(_id);
        const changed = new Set([...cards.map(({ _id }) => _id), ...sharing.map(([id]) => id)]);
        const threads = new Set(
          segments
            .filter(({ messages }) => messages.length > 0)
            .map(({ place }) => place.thread_id),
        );
        await this.#signal([
          ...[...changed].map((id) => ({ topic: 'card' as const, user_id: id })),
          ...[...threads].map((id) => ({ topic: 'message' as const, user_id: id })),
        ]);
        for (const resolve of waiters) resolve();
        failures = 0;
      } catch (error) {
        this.#log.warn({ err: error }, 'failed to write projections; trying again');
        for (const card of cards) if (!this.#cards.has(card._id)) this.#cards.set(card._id, card);
        for (const [id, is] of sharing) if (!this.#sharing.has(id)) this.#sharing.set(id, is);
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

  /** Writes cards first: the setting of a user without a row is dropped. */
  async #writeCards(
    rows: ProjectedCard[],
    sharing: [userId: string, setting: ProjectedSharing][],
  ): Promise<void> {
    if (rows.length + sharing.length === 0) return;
    await this.#database.cards.bulkWrite([
      ...rows.map(({ _id, operations, ...card }) => ({
        updateOne: {
          filter: { _id },
          update: this.#isShared
            ? newerCard(card, operations)
            : { $set: card, $setOnInsert: { is_location_sharing_enabled: false } },
          upsert: true,
        },
      })),
      ...sharing.map(([_id, { isEnabled, operations }]) => {
        const fields = { is_location_sharing_enabled: isEnabled };
        return {
          updateOne: {
            filter: { _id },
            update: this.#isShared
              ? [{ $set: ifNewer(fields, 'sharing_operations', operations) }]
              : { $set: fields },
          },
        };
      }),
    ]);
  }

  async #signal(signals: Pick<SignalRow, 'topic' | 'user_id'>[]): Promise<void> {
    if (signals.length === 0) return;
    const at = new Date();
    await this.#database.signals.insertMany(signals.map((signal) => ({ ...signal, at })));
  }
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

/** Returns the changes of a thread segment since these heads; null if none are projected. Skips invalid messages. */
export function collectChanges(
  core: CoreDocument,
  { id, ownerUserId }: { id: string; ownerUserId: string },
  place: SegmentPlace,
  since: string[],
): SegmentChanges | null {
  const keys = new Set<string>();
  let isRead = false;
  for (const { path } of core.diff(since, core.getHeads())) {
    const [field, key] = path;
    if (field === 'read') isRead = true;
    if (field !== 'messages') continue;
    if (typeof key === 'string') keys.add(key);
    // A manipulated client replaced the whole map.
    else for (const each of Object.keys(asMap(valueAt(core, '/messages')))) keys.add(each);
  }
  const messages = [...keys].flatMap(
    (key) => readMessage(key, valueAt(core, `/messages/${key}`)) ?? [],
  );
  const read = isRead ? readVector(asMap(valueAt(core, '/read'))) : {};
  if (messages.length === 0 && !isRead) return null;
  const { numOps: operations } = core.stats();
  return { documentId: id, authorUserId: ownerUserId, place, messages, read, operations };
}

const asMap = (value: unknown): object =>
  typeof value === 'object' && value !== null ? value : {};

/** Returns undefined if there is no value at the path. */
function valueAt(core: CoreDocument, path: string): unknown {
  try {
    return core.materialize(path);
  } catch {
    return undefined;
  }
}

function merged(older: SegmentChanges | undefined, newer: SegmentChanges): SegmentChanges {
  if (!older) return newer;
  const messages = new Map([...older.messages, ...newer.messages].map((each) => [each.key, each]));
  return {
    ...newer,
    messages: [...messages.values()],
    read: furthest(older.read, newer.read),
    operations: Math.max(older.operations, newer.operations),
  };
}

/**
 * Updates `messages` with changes of thread segments. May be repeated.
 * @param isShared whether an older state may come after a newer one
 */
export async function projectMessages(
  { messages }: Pick<Database, 'messages'>,
  changes: readonly SegmentChanges[],
  isShared = false,
): Promise<void> {
  const upserts = changes.flatMap((each) =>
    each.messages.map((message) => upsert(each, message, isShared)),
  );
  if (upserts.length > 0) await messages.bulkWrite(upserts, { ordered: false });
  const reading = changes.filter(({ read }) => Object.keys(read).length > 0);
  const ids: string[] = [];
  for (let from = 0; from < reading.length; from += ALTERNATIVES_MAX)
    ids.push(...(await newlyRead(messages, reading.slice(from, from + ALTERNATIVES_MAX))));
  if (ids.length > 0) await messages.updateMany({ _id: { $in: ids } }, { $set: { is_read: true } });
}

function upsert(
  { documentId, authorUserId, place, operations }: SegmentChanges,
  { key, text, ...message }: SegmentMessage,
  isShared: boolean,
): AnyBulkWriteOperation<MessageRow> {
  const now = new Date();
  const fields = {
    thread_id: place.thread_id,
    number: place.number,
    document_id: documentId,
    sender_user_id: authorUserId,
    receiver_user_id: place.friend_user_id,
    ...message,
  };
  const literals = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, { $literal: value }]),
  );
  // If a manipulated client changes a message, it is moderated again and its former text is evidence.
  const isSame = { $eq: ['$text', { $literal: text }] };
  const isChanged = { $and: [{ $not: [isSame] }, { $eq: [{ $type: '$text' }, 'string'] }] };
  const formerTexts = { $concatArrays: [{ $ifNull: ['$former_texts', []] }, ['$text']] };
  const projected = {
    ...literals,
    text: { $literal: text },
    created_at: { $ifNull: ['$created_at', now] },
    updated_at: { $cond: [isSame, '$updated_at', now] },
    is_read: { $ifNull: ['$is_read', false] },
    is_checked: { $cond: [isSame, '$is_checked', false] },
    former_texts: {
      $cond: [isChanged, { $slice: [formerTexts, -FORMER_TEXTS_MAX] }, '$former_texts'],
    },
  };
  const isNewer = { $lte: [{ $ifNull: ['$operations', 0] }, operations] };
  const newest = Object.fromEntries(
    Object.entries({ ...projected, operations: { $literal: operations } }).map(([name, value]) => [
      name,
      { $cond: [isNewer, value, `$${name}`] },
    ]),
  );
  return {
    updateOne: {
      filter: { _id: messageId(documentId, key) },
      update: [{ $set: isShared ? newest : projected }],
      upsert: true,
    },
  };
}

/**
 * Returns the ids of the friends' messages that the authors of segments have now read. Looks only at unread messages, which
 * are few: a manipulated client can name as many devices as a document has room for.
 */
async function newlyRead(
  messages: Database['messages'],
  changes: readonly SegmentChanges[],
): Promise<string[]> {
  const unread = await messages
    .find(
      {
        $or: changes.map(({ authorUserId, place: { thread_id, number } }) => ({
          thread_id,
          receiver_user_id: authorUserId,
          is_read: false,
          number,
        })),
      },
      { projection: { thread_id: 1, receiver_user_id: 1, number: 1, device: 1, seq: 1 } },
    )
    .toArray();
  const isRead = (message: (typeof unread)[number]) =>
    changes.some(
      ({ authorUserId, place, read }) =>
        place.thread_id === message.thread_id &&
        place.number === message.number &&
        authorUserId === message.receiver_user_id &&
        covers(read, message),
    );
  return unread.filter(isRead).map(({ _id }) => _id);
}

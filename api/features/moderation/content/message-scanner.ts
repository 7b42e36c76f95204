import { messageId, splitMessageId } from '#shared/chat/document.ts';
import type { RuleAction } from '#shared/moderation/rules-contract.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { forEachIsolated, runIsolated } from '../../../platform/for-each-isolated.ts';
import { hashText } from '../../../platform/hash.ts';
import type { PushNotice } from '../../../platform/push/notice.ts';
import { findTogether } from '../../../platform/read-together.ts';
import type { Services } from '../../../platform/services.ts';
import { deletableIdsOf, messages, threads, type ThreadRow } from '../../chat/collections.ts';
import { holdForReview, removeMessage } from '../../chat/remove-message.ts';
import { isInMaking } from '../../chat/segment-documents.ts';
import type { LogRow, RuleRow } from '../../content-rules/collections.ts';
import { logModeration } from '../../content-rules/log-moderation.ts';
import { needsReview, matchOf } from '../../content-rules/refuse-unfit.ts';
import { recordedAmong } from '../../deletions/record-deletions.ts';
import { checkOnSignal } from './check-on-signal.ts';
import { notifyAuthor } from './notify-author.ts';

/** What an author may use up in the first pass; a message counts 1. */
const FIRST_TURN = 100;

/**
 * Shares work among authors: an author who has used up a turn waits for the next pass. Turns get longer with each pass, so that the
 * thousands of messages that one author may write need few passes.
 */
class Turns {
  /** Whether there must be another pass. */
  isAnyoneWaiting = false;
  #length = FIRST_TURN / 2;
  #used = new Map<string, number>();

  /** Begins a pass. */
  begin(): void {
    this.isAnyoneWaiting = false;
    this.#length *= 2;
    this.#used = new Map();
  }

  /** Uses up a part of an author’s turn. @returns false if the author has to wait */
  take(author: string, cost = 1): boolean {
    const used = this.#used.get(author) ?? 0;
    if (used >= this.#length) {
      this.isAnyoneWaiting = true;
      return false;
    }
    this.#used.set(author, used + cost);
    return true;
  }

  /** Ends an author’s turn. */
  end(author: string): void {
    this.#used.set(author, Infinity);
  }
}

/** Strictest first. */
const ACTIONS: RuleAction[] = ['block', 'auto_delete', 'require_review', 'flag'];
const ACTION_TAKEN: Record<RuleAction, LogRow['action_taken']> = {
  block: 'blocked',
  auto_delete: 'deleted',
  require_review: 'flagged',
  flag: 'flagged',
};
/** Messages that are checked together. Comparing so many with the rules keeps other work waiting for some 30 ms. */
const BATCH = 100;
/** How long messages are gathered after a check, so that batches grow with the load. */
const GATHER_MS = 200;
/** Holding a message for review takes as long as this many checks. */
const VIOLATION_COST = 20;

const strictestAction = (broken: RuleRow[]): RuleAction | null =>
  ACTIONS.find((action) => broken.some((rule) => rule.action === action)) ?? null;

/** Called with each thread that has new messages, and the highest `seq` of them. */
type OnThread = (thread: ThreadRow, seq: number) => void;

interface Violation {
  row: MessageRow;
  broken: RuleRow[];
  action: RuleAction;
}

/**
 * Applies the rules to every stored message, however it arrived: as messages are written, and at the start and
 * periodically to those that were missed.
 */
export function watchMessages(services: Services, onThread: OnThread): void {
  checkOnSignal(
    services,
    { name: 'unchecked messages', topic: 'message', pauseMs: GATHER_MS },
    (isOver) => checkAll(services, onThread, isOver),
  );
}

/**
 * Checks all unchecked messages in batches, oldest first. Authors take turns (see turns.ts). Failures don’t block other
 * messages.
 * @throws the first error, when all were tried
 */
async function checkAll(
  services: Services,
  onThread: OnThread,
  isOver: () => boolean,
): Promise<void> {
  const failures: unknown[] = [];
  const tried = new Set<string>();
  const turns = new Turns();
  do {
    turns.begin();
    await forEachIsolated(readUnchecked(services), async (batch) => {
      if (isOver()) return;
      const rows = batch.filter(
        (row) => !tried.has(wordingOf(row)) && turns.take(row.sender_user_id),
      );
      for (const row of rows) tried.add(wordingOf(row));
      const violations: Violation[] = [];
      const checkTogether = async (some: MessageRow[]) => {
        violations.push(...(await passHarmless(services, some, onThread)));
      };
      await runIsolated([
        // Any of them may be the cause of a failure.
        () => checkTogether(rows).catch(() => forEachIsolated(rows, (row) => checkTogether([row]))),
        () =>
          forEachIsolated(violations, async (violation) => {
            const { row } = violation;
            if (isOver()) return;
            if (!turns.take(row.sender_user_id, VIOLATION_COST))
              return tried.delete(wordingOf(row));
            if (await enforce(services, violation)) turns.end(row.sender_user_id);
          }),
      ]);
    }).catch((error: unknown) => failures.push(error));
  } while (turns.isAnyoneWaiting && !isOver());
  if (failures.length > 0) throw failures[0];
}

const wordingOf = ({ _id, text }: MessageRow): string => `${_id} ${hashText(text, 12)}`;

async function* readUnchecked({ db }: Services): AsyncGenerator<MessageRow[]> {
  const cursor = messages(db)
    .find({ is_checked: false })
    .sort({ created_at: 1, _id: 1 })
    .batchSize(BATCH);
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments(BATCH);
  } finally {
    await cursor.close();
  }
}

/**
 * Queues the pushes of messages that may be delivered as they are, and then marks them as checked; removes those that were unsent
 * before they arrived. May be repeated.
 * @returns the others
 */
async function passHarmless(
  services: Services,
  rows: MessageRow[],
  onThread: OnThread,
): Promise<Violation[]> {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map(({ thread_id }) => thread_id))];
  const filter = { _id: { $in: ids } };
  const receivers = new Set(rows.filter(isNews).map((row) => row.receiver_user_id));
  const [found, withdrawn, { brokenBy }, devices] = await Promise.all([
    findTogether(services.db, threads(services.db), () => ({ filter })),
    recordedAmong(services.db, 'message', rows.flatMap(deletableIdsOf)),
    services.ruleBook.rules(),
    receivers.size > 0 ? services.push.devicesOf([...receivers]) : [],
  ]);
  const byId = new Map(found.map((thread) => [thread._id, thread]));
  for (const thread of found) {
    const here = rows.filter(({ thread_id }) => thread_id === thread._id);
    onThread(thread, Math.max(...here.map(({ seq }) => seq)));
  }
  const harmless: MessageRow[] = [];
  const flagged: MessageRow[] = [];
  const late: MessageRow[] = [];
  const violations: Violation[] = [];
  for (const row of rows) {
    const thread = byId.get(row.thread_id);
    // A segment that is being rewritten is checked when it is in place.
    if (thread && isInMaking(thread, row.document_id)) continue;
    if (deletableIdsOf(row).some((id) => withdrawn.has(id))) {
      // One whose removal has begun is finished by who began it, or by the background job.
      if (!row.removal_began_at) late.push(row);
      continue;
    }
    const broken = brokenBy(row.text);
    const action = strictestAction(broken);
    if (action === 'flag') await logViolation(services, { row, broken, action });
    if (action === null) harmless.push(row);
    else if (action === 'flag') flagged.push(row);
    else violations.push({ row, broken, action });
  }
  const news = [...harmless, ...flagged].filter(isNews).toSorted(byTime);
  await services.push.notifyAll(news.map(noticeOf), devices);
  await markChecked(services, [harmless, ...flagged.map((row) => [row])]);
  await forEachIsolated(late, ({ _id }) => removeMessage(services, _id));
  return violations;
}

/**
 * Holds or removes a message. May be repeated: log ids are derived from the message.
 * @returns whether the message was removed
 */
async function enforce(services: Services, violation: Violation): Promise<boolean> {
  const { row, action } = violation;
  const isPending = await logViolation(services, violation);
  const isHeld = isPending && violation.broken.some(needsReview);
  if (isHeld) await holdForReview(services, row._id);
  const isRemoved = action === 'block' || action === 'auto_delete';
  if (isRemoved) {
    // First, because the message no longer exists after the removal.
    const why = { moderation_type: 'rule', admin_user_id: null } as const;
    await notifyAuthor(services, row, shapeOf(row), why);
    await removeMessage(services, row._id);
  }
  // A push about a held message would only replace an earlier one.
  if (!isRemoved && !isHeld && isNews(row)) await services.push.notify(noticeOf(row));
  await markChecked(services, [[row]]);
  return isRemoved;
}

/** A message may move to another document (see remove-message.ts); its key stays. */
const shapeOf = ({ _id, thread_id, text }: MessageRow): string =>
  `${thread_id} ${splitMessageId(_id).key} ${hashText(text, 12)}`;

/** @returns whether a moderator has to decide. A message that one released stays released. */
async function logViolation(
  services: Services,
  { row, broken, action }: Violation,
): Promise<boolean> {
  let isPending = false;
  for (const rule of broken) {
    const entry = await logModeration(services, `${shapeOf(row)} ${rule._id}`, {
      ...matchOf(rule, row.sender_user_id, row.text),
      message_id: row._id,
      action_taken: ACTION_TAKEN[rule.action],
      ...(rule.action === 'require_review' && { review: reviewOf(action) }),
    });
    isPending ||= entry?.review === 'pending';
  }
  return isPending;
}

/**
 * Marks messages as checked. One whose text changed meanwhile is checked again, unless it is that of another one now that passed alike.
 * @param alike groups of them
 */
async function markChecked({ db }: Services, alike: MessageRow[][]): Promise<void> {
  const writes = alike
    .filter((rows) => rows.length > 0)
    .map((rows) => ({
      updateMany: {
        filter: {
          _id: { $in: rows.map(({ _id }) => _id) },
          text: { $in: rows.map(({ text }) => text) },
        },
        update: { $set: { is_checked: true } },
      },
    }));
  if (writes.length > 0) await messages(db).bulkWrite(writes, { ordered: false });
}

/** A message that arrives later than this, such as from a restored backup, is no news. */
const NEW_MS = 60 * MINUTE_MS;
/** A message that is read at once on another device causes no push. */
export const READ_WITHIN_MS = 2_000;

const isNews = ({ is_read, former_texts, created_at }: MessageRow): boolean =>
  !is_read && !former_texts && Date.now() - created_at.getTime() <= NEW_MS;

/** A device that was offline sends several at once. */
const byTime = (one: MessageRow, other: MessageRow): number =>
  one.created_at.getTime() - other.created_at.getTime() || one.seq - other.seq;

/** Tells the receiver's devices of a new message: once, also if it moves to another document or is edited. */
function noticeOf(row: MessageRow): PushNotice {
  const { _id, document_id, edited, thread_id, sender_user_id, receiver_user_id } = row;
  const first = edited?.first ?? splitMessageId(_id).key;
  return {
    topic: 'message',
    user_id: receiver_user_id,
    subject: messageId(document_id, first),
    key: `message ${thread_id} ${first}`,
    tag: `message-${sender_user_id}`,
    delayMs: READ_WITHIN_MS,
  };
}

/** Removed messages need no review. */
const reviewOf = (action: RuleAction) => (action === 'require_review' ? 'pending' : 'removed');

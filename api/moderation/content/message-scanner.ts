import { messages, threads } from '../../chat/collections.ts';
import { splitMessageId } from '#shared/chat/document.ts';
import { BLOCKED_CONTENT, BLOCKED_TEXT, RESTRICTED } from '#shared/moderation/contract.ts';
import type { RuleAction } from '#shared/moderation/rules-contract.ts';
import { isRestricted, type MessageRow, type UserRow } from '#shared/server/collections.ts';
import { isInMaking } from '../../chat/segment-documents.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { forEachIsolated } from '../../for-each-isolated.ts';
import { HttpError } from '../../http/http-error.ts';
import { hashText } from '../../hash.ts';
import type { Services } from '../../services.ts';
import { logModeration } from '../moderation-log.ts';
import type { LogRow, RuleRow } from '../collections.ts';
import { checkOnSignal } from './check-on-signal.ts';
import { notifyAuthor } from './notify-author.ts';
import { holdForReview, removeMessage } from './remove-message.ts';

/** Strictest first. */
const ACTIONS: RuleAction[] = ['block', 'auto_delete', 'require_review', 'flag'];
const ACTION_TAKEN: Record<RuleAction, LogRow['action_taken']> = {
  block: 'blocked',
  auto_delete: 'deleted',
  require_review: 'flagged',
  flag: 'flagged',
};
const BATCH = 200;

const strictestAction = (broken: RuleRow[]): RuleAction | null =>
  ACTIONS.find((action) => broken.some((rule) => rule.action === action)) ?? null;

/**
 * Checks a text that a call is about to send, such as a message, friend request, or referral.
 * @param isCheckedLater whether the scanner applies all rules once it is stored, as for messages. Otherwise this is the
 * only check: what a rule would delete or hold for review is rejected, and what it flags is logged.
 * @throws HttpError 403 `restricted`; 400 `blocked_content`, which is logged
 */
export async function refuseUnfit(
  services: Services,
  user: UserRow,
  text: string,
  field: string,
  { isCheckedLater = false } = {},
): Promise<void> {
  if (isRestricted(user, new Date()))
    throw new HttpError(403, 'You can’t send messages right now', { code: RESTRICTED });
  const broken = (await services.ruleBook.rules()).brokenBy(text);
  const refusing = broken.filter(({ action }) =>
    isCheckedLater ? action === 'block' : action !== 'flag',
  );
  const isRefused = refusing.length > 0;
  for (const rule of isRefused || isCheckedLater ? refusing : broken)
    await logModeration(services, `${user._id} ${rule._id} ${hashText(text, 12)}`, {
      ...matchOf(rule, user._id, text),
      message_id: null,
      action_taken: isRefused ? 'blocked' : 'flagged',
    });
  if (!isRefused) return;
  throw new HttpError(400, BLOCKED_TEXT, {
    code: BLOCKED_CONTENT,
    fields: { [field]: BLOCKED_TEXT },
  });
}

const matchOf = (rule: RuleRow, user_id: string, flagged_content: string) => ({
  user_id,
  flagged_content,
  moderation_type: 'rule' as const,
  rule_triggered: rule.rule_name,
  severity: rule.severity,
  admin_user_id: null,
});

/**
 * Applies the rules to every stored message, however it arrived: as messages are written, and at the start and
 * periodically to those that were missed.
 * @param onThread called with each thread that has new messages
 */
export function watchMessages(services: Services, onThread: (threadId: string) => void): void {
  checkOnSignal(services, { name: 'unchecked messages', topic: 'message' }, (isOver) =>
    checkAll(services, onThread, isOver),
  );
}

/**
 * Checks all unchecked messages, oldest first. Removing a message takes as long as a hundred checks, so further
 * messages of its author are postponed until all others are checked. Failures don’t block other messages.
 * @throws the first error, when all were tried
 */
async function checkAll(
  services: Services,
  onThread: (threadId: string) => void,
  isOver: () => boolean,
): Promise<void> {
  const failures: unknown[] = [];
  const tried = new Set<string>();
  const reported = new Set<string>();
  const postponed = new Set<string>();
  do {
    postponed.clear();
    const unchecked = messages(services.db)
      .find({ is_checked: false })
      .sort({ created_at: 1, _id: 1 })
      .batchSize(BATCH);
    await forEachIsolated(unchecked, async (row) => {
      if (isOver()) return;
      if (!reported.has(row.thread_id)) onThread(row.thread_id);
      reported.add(row.thread_id);
      const wording = `${row._id} ${hashText(row.text, 12)}`;
      if (tried.has(wording) || postponed.has(row.sender_user_id)) return;
      tried.add(wording);
      if (await check(services, row)) postponed.add(row.sender_user_id);
    }).catch((error: unknown) => failures.push(error));
  } while (postponed.size > 0 && !isOver());
  if (failures.length > 0) throw failures[0];
}

/**
 * May be repeated: log ids are derived from the message.
 * @returns whether the message was removed
 */
async function check(services: Services, row: MessageRow): Promise<boolean> {
  // A segment that is being rewritten is checked when it is in place.
  const { document_id, thread_id } = row;
  const thread = await threads(services.db).findOne({
    _id: thread_id,
    'successions.fresh': document_id,
  });
  if (thread && isInMaking(thread, document_id)) return false;
  const broken = (await services.ruleBook.rules()).brokenBy(row.text);
  const action = strictestAction(broken);
  const isRemoved = action === 'block' || action === 'auto_delete';
  if (action) {
    // A message may move to another document (see remove-message.ts); its key stays.
    const { key } = splitMessageId(row._id);
    const shape = `${row.thread_id} ${key} ${hashText(row.text, 12)}`;
    let needsReview = false;
    for (const rule of broken) {
      const entry = await logModeration(services, `${shape} ${rule._id}`, {
        ...matchOf(rule, row.sender_user_id, row.text),
        message_id: row._id,
        action_taken: ACTION_TAKEN[rule.action],
        ...(rule.action === 'require_review' && { review: reviewOf(action) }),
      });
      // A message that a moderator released stays released.
      if (entry?.review === 'pending') needsReview = true;
    }
    if (needsReview) await holdForReview(services, row._id);
    if (isRemoved) {
      // First, because the message no longer exists after the removal.
      await notifyAuthor(services, row, shape, { moderation_type: 'rule', admin_user_id: null });
      await removeMessage(services, row._id);
    }
  }
  if (!isRemoved) await pushNew(services, row);
  // Only if unchanged: a changed text is checked again.
  await messages(services.db).updateOne(
    { _id: row._id, text: row.text },
    { $set: { is_checked: true } },
  );
  return isRemoved;
}

/** A message that arrives later than this, such as from a restored backup, is no news. */
const NEW_MS = 60 * MINUTE_MS;
/** A message that is read at once on another device causes no push. */
export const READ_WITHIN_MS = 2_000;

/** Tells the receiver's devices of a new message. */
async function pushNew({ push }: Services, row: MessageRow): Promise<void> {
  const { _id, thread_id, sender_user_id, receiver_user_id, created_at } = row;
  const isNew = !row.is_read && !row.former_texts && !row.former_ids;
  if (!isNew || Date.now() - created_at.getTime() > NEW_MS) return;
  await push.notify({
    topic: 'message',
    user_id: receiver_user_id,
    subject: _id,
    key: `message ${thread_id} ${splitMessageId(_id).key}`,
    tag: `message-${sender_user_id}`,
    delayMs: READ_WITHIN_MS,
  });
}

/** Removed messages need no review. */
const reviewOf = (action: RuleAction) => (action === 'require_review' ? 'pending' : 'removed');

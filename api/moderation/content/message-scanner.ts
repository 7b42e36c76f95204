import { messages, threads } from '../../chat/collections.ts';
import { splitMessageId } from '#shared/chat/document.ts';
import { BLOCKED_CONTENT, BLOCKED_TEXT, RESTRICTED } from '#shared/moderation/contract.ts';
import type { RuleAction } from '#shared/moderation/rules-contract.ts';
import { isRestricted, type MessageRow, type UserRow } from '#shared/server/collections.ts';
import { isInMaking } from '../../chat/segment-documents.ts';
import { forEachIsolated } from '../../for-each-isolated.ts';
import { HttpError } from '../../http/http-error.ts';
import { hashText } from '../../hash.ts';
import type { Services } from '../../services.ts';
import { logModeration } from '../moderation-log.ts';
import type { LogRow, RuleRow } from '../collections.ts';
import { checkOnSignal } from './check-on-signal.ts';
import { notifyAuthor } from './notify-author.ts';
import { holdForReview, removeMessage } from './remove-message.ts';

/** The strictestAction first. */
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
 * What somebody is about to have sent by a call; friend requests and referrals carry words, too.
 * @param isCheckedLater whether all rules are applied once it is written, as to messages. Else this is the only look: what a rule
 * would delete or hold back later is refused, and what it flags is logged.
 * @throws Refusal 403 `restricted`; 400 `blocked_content`, which is logged
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
 * Applies the rules to every message that is on the disk, on whichever way it came: as they come, and at the start and now
 * and then to those that came while nobody looked.
 * @param onThread hears where they were written
 */
export function watchMessages(services: Services, onThread: (threadId: string) => void): void {
  checkOnSignal(services, { name: 'unchecked messages', topic: 'message' }, (isOver) =>
    checkAll(services, onThread, isOver),
  );
}

/**
 * Everything that is not checked, oldest first. Whoever's message was taken away, which takes as long as a hundred looks, waits with
 * the next one until all others were looked at; and what cannot be done about one message keeps no other waiting.
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
 * May be repeated: what it notes has an id that follows from the message as it is.
 * @returns whether it was taken away
 */
async function check(services: Services, row: MessageRow): Promise<boolean> {
  // What is written anew without another message is looked at when it stands where it belongs.
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
    // Where it stands may become another document, see withdraw.ts.
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
      // What a moderator has released since stays so.
      if (entry?.review === 'pending') needsReview = true;
    }
    if (needsReview) await holdForReview(services, row._id);
    if (isRemoved) {
      // First: when it is out, nothing is left to tell of.
      await notifyAuthor(services, row, shape, { moderation_type: 'rule', admin_user_id: null });
      await removeMessage(services, row._id);
    }
  }
  // Only as it was read: what was written over meanwhile is looked at again.
  await messages(services.db).updateOne(
    { _id: row._id, text: row.text },
    { $set: { is_checked: true } },
  );
  return isRemoved;
}

/** What is taken away needs no review. */
const reviewOf = (action: RuleAction) => (action === 'require_review' ? 'pending' : 'removed');

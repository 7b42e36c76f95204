import { HttpError } from '#shared/http/http-error.ts';
import { BLOCKED_CONTENT, BLOCKED_TEXT, RESTRICTED } from '#shared/moderation/contract.ts';
import { isRestricted, type UserRow } from '#shared/server/collections.ts';
import { hashText } from '../../platform/hash.ts';
import type { Services } from '../../platform/services.ts';
import type { RuleRow } from './collections.ts';
import { logModeration } from './log-moderation.ts';

/** Messages with high and medium words are delivered, as devices say, while a moderator looks at them. */
export const needsReview = ({ action, severity }: RuleRow): boolean =>
  action === 'require_review' && severity === 'critical';

/** Whether a rule refuses a text that no scanner looks at later. */
const isRefusing = (rule: RuleRow): boolean =>
  rule.action === 'block' || rule.action === 'auto_delete' || needsReview(rule);

/**
 * Checks a text that a call is about to send, such as a message, friend request, or referral.
 * @param isCheckedLater whether the scanner applies all rules once it is stored, as for messages. Otherwise this is the
 * only check: what a rule would delete or hold is rejected, and what it flags or wants to be reviewed is logged.
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
  const refusing = broken.filter((rule) =>
    isCheckedLater ? rule.action === 'block' : isRefusing(rule),
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

/** What the log says of a text that breaks a rule. */
export const matchOf = (rule: RuleRow, user_id: string, flagged_content: string) => ({
  user_id,
  flagged_content,
  moderation_type: 'rule' as const,
  rule_triggered: rule.rule_name,
  severity: rule.severity,
  admin_user_id: null,
});

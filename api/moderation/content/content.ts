import { BLOCKED_CONTENT } from '#shared/moderation/contract.ts';
import { REFUSED_TEXTS, type ContentType } from '#shared/moderation/content.ts';
import { HttpError } from '../../http/http-error.ts';
import { hashText } from '../../hash.ts';
import type { Services } from '../../services.ts';
import { logModeration } from '../moderation-log.ts';
import type { RuleRow } from '../collections.ts';

type Checking = Pick<Services, 'db' | 'ruleBook'>;

/** Texts that strangers see, about to be written. */
interface Content {
  /** The member who wrote it; null for a visitor, such as an advertiser. */
  user_id: string | null;
  content_type: ContentType;
  /** The id of the row that has or will have it, for moderators; null where it gets none. */
  content_id: string | null;
  /** By the names that the request has for them. Empty and missing ones pass. */
  fields: Record<string, string | null | undefined>;
  /** What a refusal means: the content is not written (default), or it was written by a device and is hidden. */
  refused?: 'blocked' | 'hidden';
}

/** The result of the word rules. `fields` has the names of the fields with rule violations. */
interface ContentVerdict {
  outcome: 'allow' | 'flag' | 'refuse';
  fields: string[];
}

/**
 * Whether a rule refuses content other than messages. It cannot be held back once it is written, so everything but a flag
 * does, and so does critical severity.
 */
const isRefusing = ({ action, severity }: Pick<RuleRow, 'action' | 'severity'>): boolean =>
  action !== 'flag' || severity === 'critical';

/** Applies the word rules to content, and notes each violation in the moderation log. */
export async function checkContent(
  services: Checking,
  { user_id, content_type, content_id, fields, refused = 'blocked' }: Content,
): Promise<ContentVerdict> {
  const { brokenBy } = await services.ruleBook.rules();
  const found = Object.entries(fields).flatMap(([field, text]) =>
    text ? brokenBy(text).map((rule) => ({ field, text, rule })) : [],
  );
  const refusing = found.filter(({ rule }) => isRefusing(rule));
  const isRefused = refusing.length > 0;
  for (const { text, rule } of isRefused ? refusing : found)
    await logModeration(
      services,
      [content_type, user_id, content_id, rule._id, hashText(text, 12), isRefused && refused].join(
        ' ',
      ),
      {
        message_id: null,
        content_type,
        content_id,
        user_id: user_id ?? '',
        flagged_content: text,
        moderation_type: 'rule',
        rule_triggered: rule.rule_name,
        severity: rule.severity,
        admin_user_id: null,
        action_taken: isRefused ? refused : 'flagged',
      },
    );
  const named = new Set((isRefused ? refusing : found).map(({ field }) => field));
  return {
    outcome: isRefused ? 'refuse' : found.length > 0 ? 'flag' : 'allow',
    fields: [...named],
  };
}

/**
 * Applies the word rules to content before it is written.
 * @returns whether a rule flags it
 * @throws Refusal 400 `blocked_content` with the fields
 */
export async function refuseContent(services: Checking, content: Content): Promise<boolean> {
  const { outcome, fields } = await checkContent(services, content);
  if (outcome !== 'refuse') return outcome === 'flag';
  const text = REFUSED_TEXTS[content.content_type];
  throw new HttpError(400, text, {
    code: BLOCKED_CONTENT,
    fields: Object.fromEntries(fields.map((field) => [field, text])),
  });
}

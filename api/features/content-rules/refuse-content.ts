import { HttpError } from '#shared/http/http-error.ts';
import { REFUSED_TEXTS, type ContentType } from '#shared/moderation/content.ts';
import { BLOCKED_CONTENT } from '#shared/moderation/contract.ts';
import { isReservedName, RESERVED_NAME } from '#shared/profile/reserved-names.ts';
import { hashText } from '../../platform/hash.ts';
import type { Services } from '../../platform/services.ts';
import { users } from '../../platform/session/collections.ts';
import type { RuleRow } from './collections.ts';
import { logModeration } from './log-moderation.ts';

type Checking = Pick<Services, 'db' | 'ruleBook'>;

/** Texts for others to see, about to be stored. */
interface Content {
  /** The author; null for a visitor, such as an advertiser. */
  user_id: string | null;
  content_type: ContentType;
  /** The id of the row that contains it, for moderators; null if there is none. */
  content_id: string | null;
  /** By field name of the request. Empty and missing ones pass. */
  fields: Record<string, string | null | undefined>;
  /**
   * What a violation means: the content isn’t stored (default), or it came from a device and is hidden.
   */
  refused?: 'blocked' | 'hidden';
}

/** The result of the word rules. `fields` has the names of the fields with rule violations. */
interface ContentVerdict {
  outcome: 'allow' | 'flag' | 'refuse';
  fields: string[];
}

/**
 * Returns whether a rule rejects content other than messages. Such content can’t be held for review, so every action
 * except `flag` rejects it, and so does critical severity.
 */
const isRefusing = ({ action, severity }: Pick<RuleRow, 'action' | 'severity'>): boolean =>
  action !== 'flag' || severity === 'critical';

/** Applies the word rules to content and logs each violation. */
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

/** Names under which a business or a charity speaks to members. Those of members: `isRefusedAsReserved`. */
const SPEAKERS = ['business_name', 'charity_name'];

/**
 * Applies the word rules to content before it is stored, and the reserved names to who speaks (decision 132).
 * @returns whether a rule flags it
 * @throws HttpError 400 with the fields, by a word rule `blocked_content`
 */
export async function refuseContent(
  services: Checking & Pick<Services, 'env'>,
  content: Content,
): Promise<boolean> {
  const claiming = SPEAKERS.filter((field) =>
    isReservedName(content.fields[field] ?? '', services.env.PRODUCT_NAME),
  );
  if (claiming.length > 0)
    throw new HttpError(400, RESERVED_NAME, {
      fields: Object.fromEntries(claiming.map((field) => [field, RESERVED_NAME])),
    });
  const { outcome, fields } = await checkContent(services, content);
  if (outcome !== 'refuse') return outcome === 'flag';
  const text = REFUSED_TEXTS[content.content_type];
  throw new HttpError(400, text, {
    code: BLOCKED_CONTENT,
    fields: Object.fromEntries(fields.map((field) => [field, text])),
  });
}

/**
 * Whether a user may not take a name, because it is one of staff or of the product (decision 132).
 * @param before their name until now, which they may keep
 */
export async function isRefusedAsReserved(
  { db, env }: Pick<Services, 'db' | 'env'>,
  userId: string,
  name: string,
  before: string | undefined,
): Promise<boolean> {
  if (name === before || !isReservedName(name, env.PRODUCT_NAME)) return false;
  return (await users(db).findOne({ _id: userId, is_admin: true })) === null;
}

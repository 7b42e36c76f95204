import { formatUtcDate } from '#shared/dates.ts';
import type { WarningType } from '#shared/moderation/rules.ts';
import type { UserRow } from '#shared/server/collections.ts';
import type { Env } from '../../platform/env.ts';
import { createEmail, type EmailContent } from '../../platform/mail-queue/compose-email.ts';
import type { Email } from '../../platform/mail-queue/messages.ts';

const HEADINGS: Record<Exclude<WarningType, 'warning'>, string> = {
  restriction: 'You can’t send messages right now',
  suspension: 'Your account is suspended',
  termination: 'Your account is closed',
};

interface SanctionNotice {
  warning_type: WarningType;
  reason: string;
  expires_at: Date | null;
  law_enforcement_notice: boolean;
}

const LIFTED: Record<Exclude<WarningType, 'warning'>, string> = {
  restriction: 'You can send messages again',
  suspension: 'Your account is active again',
  termination: 'Your account is active again',
};

type Sender = Pick<Env, 'PRODUCT_NAME' | 'PUBLIC_ORIGIN' | 'SYNC_SECRET' | 'mail'>;

/** Null if the address isn’t verified: others must not read about a user’s sanctions. */
function userEmail(
  sender: Sender,
  { email, email_verified }: UserRow,
  { heading, parts }: Pick<EmailContent, 'heading' | 'parts'>,
): Email | null {
  if (!email_verified) return null;
  return createEmail(sender, {
    to: email,
    heading,
    subject: `${sender.PRODUCT_NAME}: ${heading}`,
    parts,
    reason: `You’re receiving this because you have a ${sender.PRODUCT_NAME} account.`,
  });
}

const endOf = (expires_at: Date | null): string =>
  expires_at
    ? `This ends on ${formatUtcDate(expires_at)}.`
    : 'This is permanent. You can still download your data and delete your account.';

/** The email about a sanction; null for a warning, which the app shows. */
export function sanctionEmail(
  sender: Sender,
  user: UserRow,
  { warning_type, reason, expires_at, law_enforcement_notice }: SanctionNotice,
): Email | null {
  if (warning_type === 'warning') return null;
  return userEmail(sender, user, {
    heading: HEADINGS[warning_type],
    parts: [
      'A moderator found that you broke our community guidelines:',
      { quote: reason },
      endOf(expires_at),
      ...(law_enforcement_notice
        ? ['This may be illegal, so a moderator also notifies law enforcement.']
        : []),
      'If you think this is a mistake, you can appeal. A moderator will review it.',
      { link: `${sender.PUBLIC_ORIGIN}/home?open=warning`, words: 'Read more or appeal' },
    ],
  });
}

/** The email about the result of an appeal. */
export function appealEmail(
  sender: Sender,
  user: UserRow,
  { warning_type, expires_at }: Pick<SanctionNotice, 'warning_type' | 'expires_at'>,
  { status, answer }: { status: 'lifted' | 'upheld'; answer: string },
): Email | null {
  const isLifted = status === 'lifted';
  const isPast = expires_at !== null && expires_at.getTime() <= Date.now();
  return userEmail(sender, user, {
    heading: isLifted ? 'Your appeal was granted' : 'Your appeal was not granted',
    parts: [
      isLifted
        ? 'A moderator reviewed your appeal and reversed the decision:'
        : 'A moderator reviewed your appeal and upheld the decision:',
      { quote: answer },
      ...(isLifted || warning_type === 'warning' || isPast ? [] : [endOf(expires_at)]),
      { link: `${sender.PUBLIC_ORIGIN}/home?open=warning`, words: `Open ${sender.PRODUCT_NAME}` },
    ],
  });
}

/** The email about a lifted sanction; null for a warning, which has no effect to lift. */
export function liftEmail(sender: Sender, user: UserRow, warning_type: WarningType): Email | null {
  if (warning_type === 'warning') return null;
  return userEmail(sender, user, {
    heading: LIFTED[warning_type],
    parts: [
      'A moderator reversed this decision, so it no longer applies.',
      { link: `${sender.PUBLIC_ORIGIN}/home`, words: `Open ${sender.PRODUCT_NAME}` },
    ],
  });
}

/** The email to a reporter about the outcome, without what happened to anybody. */
export function outcomeEmail(sender: Sender, user: UserRow, isConfirmed: boolean): Email | null {
  return userEmail(sender, user, {
    heading: 'We looked at your report',
    parts: [
      isConfirmed
        ? 'You were right: it breaks our community guidelines. Thank you for telling us.'
        : 'A moderator looked at it and found that it doesn’t break our community guidelines. You can still block the person.',
      { link: `${sender.PUBLIC_ORIGIN}/settings`, words: 'See your reports' },
    ],
  });
}

import type { WarningType } from '#shared/moderation/contract.ts';
import type { Env } from '../env.ts';
import { composeLetter, subjectLine } from '../outbox/letter.ts';
import type { Letter } from '../outbox/messages.ts';

const HEADINGS: Record<Exclude<WarningType, 'warning'>, string> = {
  restriction: 'You cannot send messages for now',
  suspension: 'Your account is suspended',
  termination: 'Your account is closed',
};

interface Told {
  warning_type: WarningType;
  reason: string;
  expires_at: Date | null;
  law_enforcement_notice: boolean;
}

const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** What is written to somebody about a measure; null for a warning, which the app shows. */
export function measureLetter(
  { PRODUCT_NAME, PUBLIC_ORIGIN }: Pick<Env, 'PRODUCT_NAME' | 'PUBLIC_ORIGIN'>,
  to: string,
  { warning_type, reason, expires_at, law_enforcement_notice }: Told,
): Letter | null {
  if (warning_type === 'warning') return null;
  const heading = HEADINGS[warning_type];
  return {
    channel: 'email',
    to,
    subject: subjectLine(`${PRODUCT_NAME}: ${heading}`),
    ...composeLetter({
      heading,
      parts: [
        'A moderator found that you did not keep to our community guidelines:',
        { quote: reason },
        expires_at
          ? `This ends on ${day.format(expires_at)}.`
          : 'This does not end by itself. You can still take your data along and delete your account.',
        ...(law_enforcement_notice
          ? ['What you did may be against the law. We keep it for the authorities.']
          : []),
        'If you think that this is wrong, tell us. A moderator will look at it again.',
        { link: `${PUBLIC_ORIGIN}/home?open=warning`, words: 'Read more, or appeal' },
      ],
      footer: [`You get this because you have an account at ${PRODUCT_NAME}.`],
    }),
    unsubscribe_url: null,
    unasked: false,
  };
}

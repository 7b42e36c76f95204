import { formatUtcDate } from '#shared/dates.ts';
import { searchLink } from '#shared/invitations/rules.ts';
import type { Env } from '../../platform/env.ts';
import { createEmail, nameInEmail } from '../../platform/outbox/compose-email.ts';
import type { Email } from '../../platform/outbox/messages.ts';

export interface SearchInvitation {
  to: string;
  /** As users call themselves: untrusted. */
  inviterName: string;
  code: string;
  expiresAt: Date;
}

/** The email with a code for searching users. */
export function searchInvitationEmail(
  env: Env,
  { to, inviterName, code, expiresAt }: SearchInvitation,
): Email {
  const product = env.PRODUCT_NAME;
  const name = nameInEmail(inviterName);
  return createEmail(env, {
    to,
    heading: `You’re invited to find friends on ${product}`,
    parts: [
      'The invitation is from a member who goes by this name:',
      { quote: name },
      `Use this search code to search for other dog owners on ${product}:`,
      { code },
      `Enter it under Social > Search. It works for one person and expires at the end of ${formatUtcDate(expiresAt)} (UTC).`,
      { link: searchLink(env.PUBLIC_ORIGIN, code), words: `Search on ${product}` },
    ],
    reason: `You’re receiving this because a member entered your address on ${product}. It isn’t on a mailing list.`,
    unsolicited: true,
  });
}

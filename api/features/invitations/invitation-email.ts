import { formatUtcDate } from '#shared/dates.ts';
import { invitationLink } from '#shared/invitations/link.ts';
import type { Env } from '../../platform/env.ts';
import { createEmail, nameInEmail } from '../../platform/mail-queue/compose-email.ts';
import type { Email } from '../../platform/mail-queue/messages.ts';

export interface SearchInvitation {
  id: string;
  to: string;
  /** As users call themselves: untrusted. */
  inviterName: string;
  code: string;
  /** Whether the link lets somebody new in. */
  admits: boolean;
  expiresAt: Date;
}

/** The email with a code for searching users. */
export function searchInvitationEmail(
  env: Env,
  { id, to, inviterName, code, admits, expiresAt }: SearchInvitation,
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
      admits
        ? 'Or follow this link. It finds them for you, and lets you in if you’re new:'
        : 'Or follow this link, which finds them for you:',
      {
        link: invitationLink(env.PUBLIC_ORIGIN, { id, invitation_code: code }),
        words: `Open the invitation`,
      },
    ],
    reason: `You’re receiving this because a member entered your address on ${product}. It isn’t on a mailing list.`,
    unsolicited: true,
  });
}

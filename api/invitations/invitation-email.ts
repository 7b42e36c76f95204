import { composeEmail, nameInEmail, subjectLine } from '../outbox/compose-email.ts';
import { formatUtcDate } from '#shared/dates.ts';
import type { Message } from '../outbox/messages.ts';

export interface InvitationEmailSettings {
  product: string;
  origin: string;
  /** As they call themselves: untrusted. */
  inviterName: string;
  code: string;
  expiresAt: Date;
  /** Who sends, in lines; empty without. */
  footer: string;
}

/** The letter with a code to search by. @param unsubscribeUrl where the reader says that it was the last one */
export function searchInvitationEmail(
  to: string,
  unsubscribeUrl: string,
  { product, origin, inviterName, code, expiresAt, footer }: InvitationEmailSettings,
): Message {
  const name = nameInEmail(inviterName);
  const title = `${name} invites you to find friends on ${product}`;
  const { text, html } = composeEmail({
    heading: title,
    parts: [
      `Use this invitation code to search for other dog owners on ${product}:`,
      { code },
      `Enter it under Social > Search. It works for one person and expires at the end of ${formatUtcDate(expiresAt)} (UTC).`,
      { link: `${origin}/social?tab=search`, words: `Search on ${product}` },
    ],
    footer: [
      `You’re receiving this because ${name} entered your address on ${product}. It isn’t on a mailing list.`,
      { link: unsubscribeUrl, words: 'Unsubscribe' },
      ...(footer ? [footer] : []),
    ],
  });
  const subject = subjectLine(title);
  return {
    channel: 'email',
    to,
    subject,
    text,
    html,
    unsubscribe_url: unsubscribeUrl,
    unsolicited: true,
  };
}

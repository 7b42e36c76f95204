import { referralLink, withoutLinks } from '#shared/referrals/rules.ts';
import { composeEmail, nameInEmail, subjectLine } from '../outbox/compose-email.ts';
import type { Message } from '../outbox/messages.ts';

export interface InvitationSettings {
  product: string;
  origin: string;
  /** What `ref` in the link says. */
  ref: string;
  /** As people wrote it: untrusted, as is `message`. */
  referrerName: string;
  message: string | null;
  /** What to enter at the gate; null where friends must come by one themselves. */
  accessCode: string | null;
  /** Who sends, in lines; empty without. */
  footer: string;
}

/** The letter to a friend. @param unsubscribeUrl where the reader says that it was the last one */
export function invitationEmail(
  to: string,
  unsubscribeUrl: string,
  { product, origin, ref, referrerName, message, accessCode, footer }: InvitationSettings,
): Message {
  const name = nameInEmail(referrerName);
  const { text, html } = composeEmail({
    heading: `${name} invites you to ${product}`,
    parts: [
      `${product} warns dog owners when another dog comes near on a walk, and says whether it needs space or is friendly.`,
      ...(message ? [`${name} writes:`, { quote: withoutLinks(message) }] : []),
      ...(accessCode
        ? ['Enter this access code when you’re asked for one:', { code: accessCode }]
        : []),
      { link: referralLink(origin, ref), words: `Take a look at ${product}` },
    ],
    footer: [
      `You’re receiving this because ${name} entered your address on ${product}. It isn’t on a mailing list.`,
      { link: unsubscribeUrl, words: 'Unsubscribe' },
      ...(footer ? [footer] : []),
    ],
  });
  return {
    channel: 'email',
    to,
    subject: subjectLine(`${name} invites you to ${product}`),
    text,
    html,
    unsubscribe_url: unsubscribeUrl,
    unsolicited: true,
  };
}

/** The text message to a friend. @param to in E.164 */
export function invitationText(
  to: string,
  { product, origin, ref, referrerName, message, accessCode }: InvitationSettings,
): Message {
  const name = nameInEmail(referrerName);
  const lines = [
    `${name} invites you to ${product}, which warns you when another dog comes near on a walk: ${referralLink(origin, ref)}`,
    ...(message ? [`${name} writes: "${withoutLinks(message)}"`] : []),
    ...(accessCode ? [`Your access code: ${accessCode}`] : []),
    'Reply STOP to opt out.',
  ];
  return { channel: 'sms', to, text: lines.join('\n'), unsolicited: true };
}

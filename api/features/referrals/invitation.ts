import { referralLink, withoutLinks } from '#shared/referrals/rules.ts';
import type { Env } from '../../platform/env.ts';
import { createEmail, nameInEmail } from '../../platform/mail-queue/compose-email.ts';
import type { Message } from '../../platform/mail-queue/messages.ts';
import type { ReferralRow } from './collections.ts';

/**
 * The email or text message that invites a friend. The referrer's name and message are untrusted.
 * @param accessCode to enter at the gate; null if the referred user has to find one
 * @returns undefined for a link, which people share themselves
 */
export function invitationMessage(
  env: Env,
  { _id, referrer_name, recipient_email, recipient_phone, message }: ReferralRow,
  accessCode: string | null,
): Message | undefined {
  const product = env.PRODUCT_NAME;
  const name = nameInEmail(referrer_name);
  const link = referralLink(env.PUBLIC_ORIGIN, _id);
  if (recipient_phone) {
    const lines = [
      `You’re invited to ${product}, which warns you when another dog comes near on a walk: ${link}`,
      `From a member who goes by "${name}"`,
      ...(message ? [`They write: "${withoutLinks(message)}"`] : []),
      ...(accessCode ? [`Your access code: ${accessCode}`] : []),
      'Reply STOP to opt out.',
    ];
    return { channel: 'sms', to: recipient_phone, text: lines.join('\n'), unsolicited: true };
  }
  if (!recipient_email) return undefined;
  return createEmail(env, {
    to: recipient_email,
    heading: `You’re invited to ${product}`,
    parts: [
      'The invitation is from a member who goes by this name:',
      { quote: name },
      `${product} warns dog owners when another dog comes near on a walk, and says whether it needs space or is friendly.`,
      ...(message ? ['They write:', { quote: withoutLinks(message) }] : []),
      ...(accessCode
        ? ['Enter this access code when you’re asked for one:', { code: accessCode }]
        : []),
      { link, words: `Take a look at ${product}` },
    ],
    reason: `You’re receiving this because a member entered your address on ${product}. It isn’t on a mailing list.`,
    unsolicited: true,
  });
}

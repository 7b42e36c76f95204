import type { z } from 'zod';
import { withoutUnseen } from '../invisible-characters.ts';

/** How many invitations of a member carry an access code in a calendar month (UTC), unless an admin says otherwise. */
export const CODES_PER_MONTH = 5;
export const CODES_PER_MONTH_MAX = 100;
/** How long an invitation's access code can be used. */
export const INVITATION_DAYS = 30;
export const REFERRAL_MESSAGE_MAX = 500;
export const PHONE_MIN = 10;
export const PHONE_MAX = 15;
/** Number of recent referrals in the stats. */
export const RECENT_REFERRALS = 10;

interface Recipient {
  referral_method: 'email' | 'sms' | 'link';
  recipient_email?: string | undefined;
  recipient_phone?: string | undefined;
}

const EMAIL_REQUIRED = 'Email address is required';
const PHONE_REQUIRED = 'Phone number is required';
const EITHER_REQUIRED = 'Either email or phone number is required';

/**
 * The missing recipient field of a method, with its error message.
 * @returns null if nothing is missing
 */
export function missingRecipient({
  referral_method,
  recipient_email,
  recipient_phone,
}: Recipient): { field: 'recipient_email' | 'recipient_phone'; message: string } | null {
  if (referral_method === 'email' && !recipient_email)
    return { field: 'recipient_email', message: EMAIL_REQUIRED };
  if (referral_method === 'sms' && !recipient_phone)
    return { field: 'recipient_phone', message: PHONE_REQUIRED };
  return null;
}

/** Checks that the method's recipient is given; without any recipient, the message names both. */
export function requireRecipient(fields: Recipient, check: z.RefinementCtx): void {
  const missing = missingRecipient(fields);
  if (!missing) return;
  const neither = !fields.recipient_email && !fields.recipient_phone;
  check.addIssue({
    code: 'custom',
    path: [neither ? 'recipient_email' : missing.field],
    message: neither ? EITHER_REQUIRED : missing.message,
  });
}

/** The colon of a URL scheme: `https:`, `tel:`. */
const SCHEME_COLON = /(?<=\p{L}):(?=\S)|:(?=\/)/gu;
/** The dot of a domain, in any script: after a letter or a digit, before a label that begins with a letter. */
const DOMAIN_DOT = /(?<=[\p{L}\p{N}_-])[.\u3002\uff0e\uff61](?=\p{L}[\p{L}\p{N}-])/gu;

/**
 * Text by a user to a stranger, without anything that mail programs or phones turn into links: adds a space after the
 * colon of a scheme and the dots of a domain. Times and amounts stay unchanged.
 */
export const withoutLinks = (text: string): string =>
  withoutUnseen(text.replace(/\r\n?/g, '\n')).replace(SCHEME_COLON, ': ').replace(DOMAIN_DOT, '. ');

/** The link that a user shares; `ref` identifies the user or referral. */
export const referralLink = (origin: string, ref: string): string =>
  `${origin}/?ref=${encodeURIComponent(ref)}`;

const REF = /^[\w-]{1,64}$/;

/** The `ref` in a query string; null if it is missing or invalid. */
export function refIn(search: string): string | null {
  const ref = new URLSearchParams(search).get('ref');
  return ref !== null && REF.test(ref) ? ref : null;
}

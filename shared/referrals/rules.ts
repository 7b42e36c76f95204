import type { z } from 'zod';
import { withoutUnseen } from '../invisible-characters.ts';

interface Recipient {
  referral_method: 'email' | 'sms' | 'link';
  recipient_email?: string | undefined;
  recipient_phone?: string | undefined;
}

const EMAIL_REQUIRED = 'Email address is required';
const PHONE_REQUIRED = 'Phone number is required';
const EITHER_REQUIRED = 'Either email or phone number is required';

/**
 * What is missing for a way of sending, as a form with a field for that way says it.
 * @returns null when nothing is
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

/** Each way of sending needs whom to send to; with neither an address nor a number, that is what is wrong. */
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

/** What ends the first word of an address: `https:`, `tel:`. */
const SCHEME_COLON = /(?<=\p{L}):(?=\S)|:(?=\/)/gu;
/** The dot of a domain, in any script: after a letter or a digit, before a label that begins with a letter. */
const DOMAIN_DOT = /(?<=[\p{L}\p{N}_-])[.\u3002\uff0e\uff61](?=\p{L}[\p{L}\p{N}-])/gu;

/**
 * What somebody wrote to a stranger, with nothing in it of which a mail program or a phone makes a link: a space
 * follows the colon of a scheme and the dots of a domain, which in prose is where it belongs anyway. Times and sums
 * stay as they are.
 */
export const withoutLinks = (words: string): string =>
  withoutUnseen(words.replace(/\r\n?/g, '\n'))
    .replace(SCHEME_COLON, ': ')
    .replace(DOMAIN_DOT, '. ');

/** The address that a person hands out; `ref` says who did. */
export const referralLink = (origin: string, ref: string): string =>
  `${origin}/?ref=${encodeURIComponent(ref)}`;

const REF = /^[\w-]{1,64}$/;

/** What `ref` in an address says; null when it says nothing usable. */
export function refIn(search: string): string | null {
  const ref = new URLSearchParams(search).get('ref');
  return ref !== null && REF.test(ref) ? ref : null;
}

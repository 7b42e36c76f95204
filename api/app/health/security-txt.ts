import { emailAddress } from '#shared/normalization/email-address.ts';
import { z } from 'zod';
import { DAY_MS } from '#shared/time.ts';

/** RFC 9116 recommends less than a year. It is generated per request, so it never expires. */
const VALID_DAYS = 90;

/** The contact for vulnerability reports: an https or mailto URL, or an email address. */
export const securityContact = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined)
  .pipe(
    z
      .string()
      .regex(/^[\x21-\x7e]+$/)
      .pipe(
        z.union([
          emailAddress().transform(
            (address) => `mailto:${encodeURIComponent(address).replace('%40', '@')}`,
          ),
          z.url({ protocol: /^(https|mailto)$/ }),
        ]),
      )
      .optional(),
  );

/** Returns `/.well-known/security.txt`; null without a contact. */
export function securityTxt(
  {
    SECURITY_CONTACT,
    PUBLIC_ORIGIN,
  }: { SECURITY_CONTACT?: string | undefined; PUBLIC_ORIGIN: string },
  now: Date,
): string | null {
  if (!SECURITY_CONTACT) return null;
  const expires = new Date(now.getTime() + VALID_DAYS * DAY_MS);
  expires.setUTCHours(0, 0, 0, 0);
  return [
    `Contact: ${SECURITY_CONTACT}`,
    `Expires: ${expires.toISOString().replace('.000', '')}`,
    'Preferred-Languages: en',
    `Canonical: ${PUBLIC_ORIGIN}/.well-known/security.txt`,
    '',
  ].join('\n');
}

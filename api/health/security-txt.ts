import { z } from 'zod';
import { DAY_MS } from '#shared/time.ts';

/** RFC 9116 recommends less than a year. It is made anew at each request, and so never out of date. */
const VALID_DAYS = 90;

/** Where a vulnerability is reported: an https or mailto address, or an email address. */
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
          z.email().transform((address) => `mailto:${address}`),
          z.url({ protocol: /^(https|mailto)$/ }),
        ]),
      )
      .optional(),
  );

/** `/.well-known/security.txt`; null where nobody was named. */
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

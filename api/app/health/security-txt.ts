import { DAY_MS } from '#shared/time.ts';

/** RFC 9116 recommends less than a year. It is generated per request, so it never expires. */
const VALID_DAYS = 90;

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

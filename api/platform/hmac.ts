import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs a text with HMAC-SHA256.
 * @param text starts with its purpose, so that a signature is valid for nothing else
 */
export const sign = (secret: string | Buffer, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

/**
 * Returns the secrets that signatures may have been made with: the current one, and during a rotation the previous one.
 */
export const secretsOf = ({
  SYNC_SECRET,
  SYNC_SECRET_PREVIOUS,
}: {
  SYNC_SECRET: string;
  SYNC_SECRET_PREVIOUS?: string | undefined;
}): string[] => [SYNC_SECRET, ...(SYNC_SECRET_PREVIOUS ? [SYNC_SECRET_PREVIOUS] : [])];

/** Compares a signature in constant time, so that timing reveals nothing. */
export function constantTimeEquals(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

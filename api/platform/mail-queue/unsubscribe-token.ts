import type { Env } from '../env.ts';
import { constantTimeEquals, sign } from '../hmac.ts';
import { addressId } from './messages.ts';

/** A page for people, and the POST that mail programs send for them (RFC 8058). */
export const UNSUBSCRIBE_PATH = '/unsubscribe/:token';

const signatureOf = (secret: string, id: string): string => sign(secret, `unsubscribe ${id}`);

/** The unsubscribe link in an email to `to`. Its token proves that the email was received, and does not contain the address. */
export function unsubscribeUrl(
  env: Pick<Env, 'SYNC_SECRET' | 'PUBLIC_ORIGIN'>,
  to: string,
): string {
  const id = addressId('email', to);
  const token = `${id}.${signatureOf(env.SYNC_SECRET, id)}`;
  return `${env.PUBLIC_ORIGIN}/api${UNSUBSCRIBE_PATH.replace(':token', token)}`;
}

/** @returns the recipient's `addressId`; null for a token with an invalid signature */
export function readUnsubscribeToken(secrets: string[], token: string): string | null {
  const [id = '', signature = ''] = token.split('.');
  return secrets.some((secret) => constantTimeEquals(signature, signatureOf(secret, id)))
    ? id
    : null;
}

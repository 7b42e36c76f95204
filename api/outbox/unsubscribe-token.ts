import type { Env } from '../env.ts';
import { constantTimeEquals, sign } from '../hmac.ts';
import { addressId, type Channel } from './messages.ts';

/** Where a letter's reader says stop: a page for people, and the POST that mail programs send for them. */
export const UNSUBSCRIBE_PATH = '/unsubscribe/:token';

const stopSeal = (secret: string, id: string): string => sign(secret, `unsubscribe ${id}`);

/** What proves, in a letter, that whoever says stop got the letter. It names nobody. */
function stopToken(secret: string, channel: Channel, to: string): string {
  const id = addressId(channel, to);
  return `${id}.${stopSeal(secret, id)}`;
}

/** The address in a letter to `to` at which its reader says stop. */
export function unsubscribeUrl(
  env: Pick<Env, 'SYNC_SECRET' | 'PUBLIC_ORIGIN'>,
  to: string,
): string {
  const token = stopToken(env.SYNC_SECRET, 'email', to);
  return `${env.PUBLIC_ORIGIN}/api${UNSUBSCRIBE_PATH.replace(':token', token)}`;
}

/** @returns the recipient's id; null for a token that is not ours */
export function readUnsubscribeToken(secrets: string[], token: string): string | null {
  const [id = '', seal = ''] = token.split('.');
  return secrets.some((secret) => constantTimeEquals(seal, stopSeal(secret, id))) ? id : null;
}

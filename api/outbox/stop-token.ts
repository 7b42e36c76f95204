import { createHmac, timingSafeEqual } from 'node:crypto';
import { addressId, type Channel } from './messages.ts';

const sealOf = (secret: string, id: string): string =>
  createHmac('sha256', secret).update(`stop ${id}`).digest('base64url');

/** What proves, in a letter, that whoever says stop got the letter. It names nobody. */
export function stopToken(secret: string, channel: Channel, to: string): string {
  const id = addressId(channel, to);
  return `${id}.${sealOf(secret, id)}`;
}

/** @returns the recipient's id; null for a token that is not ours */
export function readStopToken(secret: string, token: string): string | null {
  const [id = '', seal = ''] = token.split('.');
  const expected = Buffer.from(sealOf(secret, id));
  const given = Buffer.from(seal);
  return given.length === expected.length && timingSafeEqual(given, expected) ? id : null;
}

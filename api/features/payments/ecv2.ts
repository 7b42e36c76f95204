import { createPublicKey, verify } from 'node:crypto';
import type { PaymentToken } from '#shared/payments/contract.ts';
import { z } from 'zod';

/** A root key as Google publishes it: the SPKI in base64, and its expiration in milliseconds. */
export interface RootKey {
  keyValue: string;
  keyExpiration: string;
}

export const PROTOCOL = 'ECv2';
const SENDER = 'Google';

const signedToken = z.object({
  protocolVersion: z.literal(PROTOCOL),
  signature: z.base64(),
  intermediateSigningKey: z.object({
    signedKey: z.string(),
    signatures: z.array(z.base64()).min(1).max(10),
  }),
  signedMessage: z.string(),
});
const expiringKey = z.object({ keyValue: z.base64(), keyExpiration: z.string().regex(/^\d+$/) });

/** The signed bytes: each part with its length before it (4 bytes, little-endian). */
function signedBytes(...parts: string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** The bytes of an intermediate key that a root key signs. */
export const keySignedBytes = (signedKey: string): Buffer =>
  signedBytes(SENDER, PROTOCOL, signedKey);

/** The bytes of a message that an intermediate key signs. */
export const messageSignedBytes = (recipient: string, signedMessage: string): Buffer =>
  signedBytes(SENDER, recipient, PROTOCOL, signedMessage);

const isSignedBy = ({ keyValue }: Pick<RootKey, 'keyValue'>, bytes: Buffer, signature: string) =>
  verify(
    'sha256',
    bytes,
    createPublicKey({ key: Buffer.from(keyValue, 'base64'), format: 'der', type: 'spki' }),
    Buffer.from(signature, 'base64'),
  );

/**
 * Verifies the signatures of a Google Pay token: a root key signed the intermediate key, which signed the message for
 * this recipient, and neither key has expired.
 * @param recipient such as `gateway:example`
 * @returns the signed message, still encrypted
 * @throws Error with the reason
 */
export function readSignedMessage(
  token: PaymentToken,
  recipient: string,
  rootKeys: readonly RootKey[],
  now = Date.now(),
): string {
  const { signature, intermediateSigningKey, signedMessage } = signedToken.parse(
    typeof token === 'string' ? JSON.parse(token) : token,
  );
  const { signedKey, signatures } = intermediateSigningKey;
  const roots = rootKeys.filter((root) => Number(root.keyExpiration) > now);
  const keyBytes = keySignedBytes(signedKey);
  if (!roots.some((root) => signatures.some((each) => isSignedBy(root, keyBytes, each))))
    throw new Error('no valid root key signed the intermediate key');
  const key = expiringKey.parse(JSON.parse(signedKey));
  if (Number(key.keyExpiration) <= now) throw new Error('the intermediate key has expired');
  if (!isSignedBy(key, messageSignedBytes(recipient, signedMessage), signature))
    throw new Error('invalid signature of the message');
  return signedMessage;
}

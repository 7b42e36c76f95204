import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHmac,
  hkdfSync,
  timingSafeEqual,
  type ECDH,
} from 'node:crypto';
import { z } from 'zod';

const CURVE = 'prime256v1';
const CIPHER = 'aes-256-ctr';
const NO_IV = Buffer.alloc(16);
const NO_SALT = Buffer.alloc(32);

const encryptedEnvelope = z.object({
  encryptedMessage: z.base64(),
  ephemeralPublicKey: z.base64(),
  tag: z.base64(),
});

/** The two keys that both ends derive: for the cipher, and for the tag. */
function keysOf(ephemeralPublicKey: Buffer, secret: Buffer): [Buffer, Buffer] {
  const material = Buffer.concat([ephemeralPublicKey, secret]);
  const keys = Buffer.from(hkdfSync('sha256', material, NO_SALT, 'Google', 64));
  return [keys.subarray(0, 32), keys.subarray(32)];
}

const tagOf = (key: Buffer, encrypted: Buffer): Buffer =>
  createHmac('sha256', key).update(encrypted).digest();

/** A gateway's key pair. Wallets encrypt with the public key. */
export function newGatewayKeys(): ECDH {
  const keys = createECDH(CURVE);
  keys.generateKeys();
  return keys;
}

/** Encrypts a wallet's message to a gateway, as ECv2 defines it. */
export function encryptMessage(message: unknown, gatewayPublicKey: Buffer): string {
  const ephemeral = newGatewayKeys();
  const publicKey = ephemeral.getPublicKey();
  const [cipherKey, tagKey] = keysOf(publicKey, ephemeral.computeSecret(gatewayPublicKey));
  const cipher = createCipheriv(CIPHER, cipherKey, NO_IV);
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(message)), cipher.final()]);
  return JSON.stringify({
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: publicKey.toString('base64'),
    tag: tagOf(tagKey, encrypted).toString('base64'),
  });
}

/**
 * Decrypts a message to a gateway.
 * @throws when it was encrypted for another gateway, or changed
 */
export function decryptMessage(text: string, gatewayKeys: ECDH): unknown {
  const message = encryptedEnvelope.parse(JSON.parse(text));
  const encrypted = Buffer.from(message.encryptedMessage, 'base64');
  const publicKey = Buffer.from(message.ephemeralPublicKey, 'base64');
  const [cipherKey, tagKey] = keysOf(publicKey, gatewayKeys.computeSecret(publicKey));
  const tag = Buffer.from(message.tag, 'base64');
  const expected = tagOf(tagKey, encrypted);
  if (tag.length !== expected.length || !timingSafeEqual(tag, expected))
    throw new Error('the message was not encrypted for this gateway');
  const decipher = createDecipheriv(CIPHER, cipherKey, NO_IV);
  return JSON.parse(
    Buffer.concat([decipher.update(encrypted), decipher.final()]).toString(),
  ) as unknown;
}

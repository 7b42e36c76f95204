import { describe, expect, test } from 'vitest';
import { readSignedMessage } from '../../api/payments/ecv2.ts';
import { tokenIssuer } from '../../api/payments/sandbox/issuer.ts';
import {
  newGatewayKeys,
  encryptMessage,
  decryptMessage,
} from '../../api/payments/sandbox/encrypted-message.ts';

const RECIPIENT = 'gateway:example';
const DAY = 86_400_000;
const keys = newGatewayKeys();
const issuer = tokenIssuer({ recipient: RECIPIENT, gatewayPublicKey: keys.getPublicKey() });
const token = () =>
  JSON.parse(issuer.issue('pays')) as {
    protocolVersion: string;
    signature: string;
    intermediateSigningKey: { signedKey: string; signatures: string[] };
    signedMessage: string;
  };
const read = (given: object | string, roots = issuer.rootKeys, now = Date.now()) =>
  readSignedMessage(given as string, RECIPIENT, roots, now);

describe("a wallet's token", () => {
  test('has the shape that the spec names, and is read as text or parsed', () => {
    const made = token();
    expect(Object.keys(made).toSorted()).toEqual([
      'intermediateSigningKey',
      'protocolVersion',
      'signature',
      'signedMessage',
    ]);
    expect(read(made)).toBe(made.signedMessage);
    expect(read(JSON.stringify(made))).toBe(made.signedMessage);
    expect(decryptMessage(read(made), keys)).toMatchObject({
      paymentMethodDetails: { card: 'pays' },
    });
  });

  test.each([
    ['another message', { signedMessage: token().signedMessage }],
    ['another signature', { signature: token().signature }],
    ['another intermediate key', { intermediateSigningKey: token().intermediateSigningKey }],
    ['an older protocol', { protocolVersion: 'ECv1' }],
  ])('with %s is refused', (_, change) => {
    expect(() => read({ ...token(), ...change })).toThrow();
  });

  test('for another recipient is refused', () => {
    const others = tokenIssuer({
      recipient: 'gateway:other',
      gatewayPublicKey: keys.getPublicKey(),
    });
    expect(() => read(others.issue('pays'), others.rootKeys)).toThrow(/invalid signature/);
  });

  test('of another root key, or one that has ended, is refused', () => {
    const strangers = tokenIssuer({ recipient: RECIPIENT, gatewayPublicKey: keys.getPublicKey() });
    expect(() => read(token(), strangers.rootKeys)).toThrow(/no valid root key/);
    expect(() => read(token(), issuer.rootKeys, Date.now() + 366 * DAY)).toThrow(
      /no valid root key/,
    );
  });

  test('whose intermediate key has ended is refused', () => {
    expect(() => read(token(), issuer.rootKeys, Date.now() + 2 * DAY)).toThrow(/has expired/);
  });
});

test('a sealed message is for one gateway, and whole', () => {
  const message = { messageId: 'one' };
  const text = encryptMessage(message, keys.getPublicKey());
  expect(decryptMessage(text, keys)).toEqual(message);
  expect(() => decryptMessage(text, newGatewayKeys())).toThrow(/not encrypted for this gateway/);
  const sealed = JSON.parse(text) as { encryptedMessage: string };
  const changed = { ...sealed, encryptedMessage: Buffer.from('other').toString('base64') };
  expect(() => decryptMessage(JSON.stringify(changed), keys)).toThrow(
    /not encrypted for this gateway/,
  );
});

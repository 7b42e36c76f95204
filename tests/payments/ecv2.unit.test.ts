import { describe, expect, test } from 'vitest';
import { readSignedMessage } from '../../api/features/payments/ecv2.ts';
import { tokenIssuer } from '../../api/features/payments/sandbox/issuer.ts';
import {
  newGatewayKeys,
  encryptMessage,
  decryptMessage,
} from '../../api/features/payments/sandbox/encrypted-message.ts';

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

describe('a wallet token', () => {
  test('reads a token of the specified shape, as text or parsed', () => {
    const made = token();
    expect(Object.keys(made).toSorted()).toEqual([
      'intermediateSigningKey',
      'protocolVersion',
      'signature',
      'signedMessage',
    ]);
    expect(Object.keys(made.intermediateSigningKey).toSorted()).toEqual([
      'signatures',
      'signedKey',
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
  ])('rejects a token with %s', (_, change) => {
    expect(() => read({ ...token(), ...change })).toThrow();
  });

  test('rejects a token for another recipient', () => {
    const others = tokenIssuer({
      recipient: 'gateway:other',
      gatewayPublicKey: keys.getPublicKey(),
    });
    expect(() => read(others.issue('pays'), others.rootKeys)).toThrow(/invalid signature/);
  });

  test('rejects a token of another root key, or of an expired one', () => {
    const strangers = tokenIssuer({ recipient: RECIPIENT, gatewayPublicKey: keys.getPublicKey() });
    expect(() => read(token(), strangers.rootKeys)).toThrow(/no valid root key/);
    expect(() => read(token(), issuer.rootKeys, Date.now() + 366 * DAY)).toThrow(
      /no valid root key/,
    );
  });

  test('rejects a token with an expired intermediate key', () => {
    expect(() => read(token(), issuer.rootKeys, Date.now() + 2 * DAY)).toThrow(/has expired/);
  });
});

test('an encrypted message can be read by one gateway only, and only unchanged', () => {
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

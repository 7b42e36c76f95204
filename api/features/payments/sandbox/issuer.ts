import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { newId } from '#shared/ids.ts';
import { DAY_MS } from '#shared/time.ts';
import { keySignedBytes, messageSignedBytes, PROTOCOL, type RootKey } from '../ecv2.ts';
import { encryptMessage } from './encrypted-message.ts';

/** The results that the simulated wallet offers. */
export const CARDS = ['pays', 'declined', 'times-out', 'answer-lost'] as const;
export type Card = (typeof CARDS)[number];

const ROOT_MS = 365 * DAY_MS;
const KEY_MS = DAY_MS;
const MESSAGE_MS = 60 * 60 * 1000;

export interface Issuer {
  rootKeys: RootKey[];
  /** A token for one payment with a card, as Google signs and encrypts them. */
  issue(card: Card): string;
}

interface IssuerSettings {
  recipient: string;
  gatewayPublicKey: Buffer;
  now?: number;
}

const ecKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const signature = (bytes: Buffer, key: KeyObject) => sign('sha256', bytes, key).toString('base64');
const ending = (key: KeyObject, at: number): RootKey => ({
  keyValue: key.export({ format: 'der', type: 'spki' }).toString('base64'),
  keyExpiration: String(at),
});

/** Signs tokens as Google does, with keys of this process. */
export function tokenIssuer({
  recipient,
  gatewayPublicKey,
  now = Date.now(),
}: IssuerSettings): Issuer {
  const root = ecKeys();
  const rootKeys = [ending(root.publicKey, now + ROOT_MS)];
  return {
    rootKeys,
    issue(card) {
      const intermediate = ecKeys();
      const signedKey = JSON.stringify(ending(intermediate.publicKey, Date.now() + KEY_MS));
      const message = {
        messageId: newId(),
        messageExpiration: String(Date.now() + MESSAGE_MS),
        paymentMethod: 'CARD',
        paymentMethodDetails: { card },
      };
      const signedMessage = encryptMessage(message, gatewayPublicKey);
      return JSON.stringify({
        protocolVersion: PROTOCOL,
        signature: signature(messageSignedBytes(recipient, signedMessage), intermediate.privateKey),
        intermediateSigningKey: {
          signedKey,
          signatures: [signature(keySignedBytes(signedKey), root.privateKey)],
        },
        signedMessage,
      });
    },
  };
}

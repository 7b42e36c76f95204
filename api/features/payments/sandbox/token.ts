import { z } from 'zod';
import { newId } from '#shared/ids.ts';
import type { PaymentToken } from '#shared/payments/contract.ts';
import { HOUR_MS } from '#shared/time.ts';
import type { ReadToken } from '../gateway.ts';

/** The results that the simulated wallet offers. */
export const CARDS = ['pays', 'declined', 'times-out', 'answer-lost'] as const;
export type Card = (typeof CARDS)[number];

const PROTOCOL = 'ECv2';
/** In place of signatures: no money moves, and everybody may have any card. */
const UNSIGNED = 'sandbox';

const tokenSchema = z.object({
  protocolVersion: z.literal(PROTOCOL),
  signature: z.literal(UNSIGNED),
  intermediateSigningKey: z.object({
    signedKey: z.literal(UNSIGNED),
    signatures: z.tuple([z.literal(UNSIGNED)]),
  }),
  signedMessage: z.string(),
});
const messageSchema = z.object({
  messageId: z.string().min(1).max(64),
  messageExpiration: z.string().regex(/^\d+$/),
  card: z.enum(CARDS),
});

/** Returns a token for one payment with a card, in the form of Google's. */
export const issueToken = (card: Card, now = Date.now()): string =>
  JSON.stringify({
    protocolVersion: PROTOCOL,
    signature: UNSIGNED,
    intermediateSigningKey: { signedKey: UNSIGNED, signatures: [UNSIGNED] },
    signedMessage: JSON.stringify({
      messageId: newId(),
      messageExpiration: String(now + HOUR_MS),
      card,
    }),
  } satisfies z.infer<typeof tokenSchema>);

/** @throws Error when it is no token of this wallet, or has expired */
export function readToken(token: PaymentToken): ReadToken {
  const { signedMessage } = tokenSchema.parse(
    typeof token === 'string' ? JSON.parse(token) : token,
  );
  const { messageId, messageExpiration, card } = messageSchema.parse(JSON.parse(signedMessage));
  if (Number(messageExpiration) <= Date.now()) throw new Error('the token has expired');
  return { id: messageId, charge: card };
}

import { createDonation, processDonation } from '#shared/payments/contract.ts';
import type { Card } from '../../api/features/payments/sandbox/token.ts';
import type { TestApi, TestPerson } from '../api.ts';

/** A browser, signed in or not. */
export type Payer = Pick<TestPerson, 'call' | 'jar'>;

/** A token of the simulated wallet, as its sheet gets it. */
export async function walletToken(
  { origin }: Pick<TestApi, 'origin'>,
  card: Card,
  network?: string,
): Promise<string> {
  const response = await fetch(`${origin}/api/sandbox/google-pay/token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(network && { 'x-forwarded-for': network }),
    },
    body: JSON.stringify({ card }),
  });
  return ((await response.json()) as { token: string }).token;
}

/** Makes a donation of a dollar. @returns its id */
export async function donate({ call }: Pick<Payer, 'call'>): Promise<string> {
  return (await call(createDonation, { body: { amount_cents: 100 } })).donation.id;
}

/** Pays a donation with a token. */
export const handIn = ({ call }: Pick<Payer, 'call'>, donation_id: string, payment_token: string) =>
  call(processDonation, { body: { donation_id, payment_token } });

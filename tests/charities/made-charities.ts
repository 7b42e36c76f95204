import { createCharity } from '#shared/charities/contract.ts';
import type { Call } from '../api.ts';

let count = 0;

/** Returns the required fields of a charity only. */
export const charityBody = (overrides: Record<string, string> = {}) => ({
  charity_name: `Paws ${++count}`,
  description: 'We find homes for dogs.',
  contact_name: 'Chris',
  contact_email: `charity.${count}@example.com`,
  payment_link: 'https://give.example/paws',
  ...overrides,
});

/** Applies as a charity and returns its id. */
export const apply = async (
  call: Call,
  overrides: Record<string, string> = {},
  file: Blob | null = null,
): Promise<string> =>
  (await call(createCharity, { body: charityBody(overrides), file })).charity.id;

import { createCharity } from '#shared/charities/contract.ts';
import type { Call } from '../api.ts';

let count = 0;

/** All that a charity must say, and nothing else. */
export const charityBody = (overrides: Record<string, string> = {}) => ({
  charity_name: `Paws ${++count}`,
  description: 'We find homes for dogs.',
  contact_name: 'Chris',
  contact_email: `charity.${count}@example.com`,
  payment_link: 'https://give.example/paws',
  ...overrides,
});

/** Applies as a charity does, and returns its id. */
export const apply = async (
  call: Call,
  overrides: Record<string, string> = {},
  file: Blob | null = null,
): Promise<string> =>
  (await call(createCharity, { body: charityBody(overrides), file })).charity.id;

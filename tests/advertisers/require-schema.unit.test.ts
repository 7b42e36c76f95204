import { expect, test } from 'vitest';
import { createAdvertiser } from '#shared/advertisers/contract.ts';
import { requireSchema } from '../../client/features/advertisers/require-schema.ts';

test('names each missing field at its input', () => {
  const check = () =>
    requireSchema(createAdvertiser.body, { email: '', company_name: '', contact_name: '' });
  expect(check).toThrow(
    expect.objectContaining({
      message: 'Please fill in all required fields',
      fields: {
        email: 'Email is required',
        company_name: 'Company name is required',
        contact_name: 'Contact name is required',
      },
    }),
  );
});

import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** What a person types to have their account deleted. */
export const DELETION_WORDS = 'delete my account';

export const exportAccount = endpoint({
  method: 'GET',
  path: '/account/export',
  access: 'signed-in',
  requiresRecentSignIn: true,
  /** A ZIP archive. Its length is told, so that a device can show how far it is. */
  answer: z.instanceof(Uint8Array),
  stream: 'file',
  failure: 'Failed to export your data',
});

export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/account',
  access: 'signed-in',
  requiresRecentSignIn: true,
  body: z.object({
    confirmation: z
      .string()
      .trim()
      .toLowerCase()
      .refine((words) => words === DELETION_WORDS, `Type "${DELETION_WORDS}" to confirm`),
  }),
  answer: z.object({}),
  failure: 'Failed to delete your account',
});

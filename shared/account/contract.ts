import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** The text that confirms the deletion of an account. */
export const DELETION_WORDS = 'delete my account';

export const exportAccount = endpoint('GET', '/account/export', {
  access: 'signed-in',
  requiresRecentSignIn: true,
  /** A ZIP archive, with its length, so that a device can show the progress. */
  answer: z.instanceof(Uint8Array),
  stream: 'file',
  failure: 'Failed to export your data',
});

export const deleteAccount = endpoint('DELETE', '/account', {
  access: 'signed-in',
  requiresRecentSignIn: true,
  body: z.object({
    confirmation: z
      .string()
      .trim()
      .toLowerCase()
      .refine((words) => words === DELETION_WORDS, `Type "${DELETION_WORDS}" to confirm`),
  }),
  failure: 'Failed to delete your account',
});
